/** The value that a work is to reach, as text and as a condition of its ratio. */
export interface Goal {
  readonly text: string;
  readonly isMet: (ratio: number) => boolean;
}

export function atMost(ratio: number, unit = '×'): Goal {
  return { text: `≤ ${ratio}${unit}`, isMet: (measured) => measured <= ratio };
}

export function atLeast(percent: number): Goal {
  return { text: `≥ ${percent} %`, isMet: (measured) => measured * 100 >= percent };
}

export interface Result {
  readonly work: string;
  /** Figures of the service and of the baseline, with their units. */
  readonly figure: string;
  readonly baseline: string;
  /** The value that the goal is about, as a number and as text. */
  readonly ratio: number;
  readonly shown: string;
  readonly goal: Goal;
  readonly notes: readonly string[];
}

/** The required part of a result. */
type Row = Omit<Result, 'shown' | 'notes'> & Partial<Result>;

/** A result whose ratio is shown as `1.23×` by default. */
export function resultOf(row: Row): Result {
  return { shown: `${row.ratio.toFixed(2)}×`, notes: [], ...row };
}

/** What a side has done: units are requests, events or documents; CPU is that of all threads of its process, in µs. */
export interface Round {
  readonly units: number;
  readonly seconds: number;
  readonly cpuMicros: number;
  /** ms of each request. */
  readonly latencies?: readonly number[];
}

/** Measures one round of one side of a comparison. */
export type Side = () => Promise<Round>;

export type Comparison = Awaited<ReturnType<typeof compare>>;

/**
 * Alternates between both sides, so that other load on the machine affects both alike.
 * @param rounds per side.
 */
export async function compare([ours, theirs]: readonly [Side, Side], rounds: number) {
  const pairs: [Round, Round][] = [];
  while (pairs.length < rounds) pairs.push([await ours(), await theirs()]);
  /** Medians of both sides over all rounds, and of the ratios of adjacent rounds. */
  const mediansOf = (valueOf: (round: Round) => number) => ({
    ours: median(pairs.map(([one]) => valueOf(one))),
    theirs: median(pairs.map(([, other]) => valueOf(other))),
    ratio: median(pairs.map(([one, other]) => valueOf(one) / valueOf(other))),
  });
  return {
    /** CPU per unit, in µs. */
    cpu: mediansOf(({ cpuMicros, units }) => cpuMicros / units),
    /** Units per second. */
    rate: mediansOf(({ units, seconds }) => units / seconds),
    /** Median of all requests of our side, in ms; NaN where there are none. */
    p50Ms: median(pairs.flatMap(([{ latencies = [] }]) => latencies)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

/** Three significant digits; no fraction from 100 on. */
export function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
