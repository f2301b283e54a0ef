import type { Timed } from './child-protocol.ts';

/** Measurements of one round of one side. */
export interface Round extends Timed {
  /** ms of each request. */
  readonly latencies?: readonly number[];
}

/** Measures one round of one side of a comparison. */
export type Side = () => Promise<Round>;

/** Measurements of a side over all its rounds. */
interface Figures {
  /** Median CPU per request, event or document, in µs. */
  readonly cpuMicros: number;
  /** Median of requests, events or documents per second. */
  readonly perSecond: number;
  /** Median of all requests, in ms; NaN where there are none. */
  readonly p50Ms: number;
}

/** Two sides, and the medians of the ratios of adjacent rounds. */
export interface Comparison {
  readonly subject: Figures;
  readonly baseline: Figures;
  /** CPU of the subject relative to the baseline. */
  readonly cpuRatio: number;
  /** The same for throughput. */
  readonly rateRatio: number;
}

/**
 * Alternates between both sides, so that other load on the machine affects both alike.
 * @param rounds per side.
 */
export async function compare(subject: Side, baseline: Side, rounds: number): Promise<Comparison> {
  const pairs: { readonly ours: Round; readonly theirs: Round }[] = [];
  for (let n = 0; n < rounds; n += 1) pairs.push({ ours: await subject(), theirs: await baseline() });
  return {
    subject: figuresOf(pairs.map(({ ours }) => ours)),
    baseline: figuresOf(pairs.map(({ theirs }) => theirs)),
    cpuRatio: median(pairs.map(({ ours, theirs }) => cpuOf(ours) / cpuOf(theirs))),
    rateRatio: median(pairs.map(({ ours, theirs }) => rateOf(ours) / rateOf(theirs))),
  };
}

function cpuOf({ cpuMicros, units }: Round): number {
  return cpuMicros / units;
}

function rateOf({ units, seconds }: Round): number {
  return units / seconds;
}

function figuresOf(rounds: readonly Round[]): Figures {
  return {
    cpuMicros: median(rounds.map(cpuOf)),
    perSecond: median(rounds.map(rateOf)),
    p50Ms: median(rounds.flatMap(({ latencies = [] }) => latencies)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}
