import type { Comparison } from './rounds.ts';

export interface Goal {
  readonly text: string;
  readonly isMet: (ratio: number) => boolean;
}

export function atMost(ratio: number, unit: '×' | ' MB' | ' kB' | ' s' | ' ms' = '×'): Goal {
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

/** The required part of a row. */
type Row = Pick<Result, 'work' | 'figure' | 'baseline' | 'ratio' | 'goal'> & Partial<Result>;

/** A row whose ratio is shown as `1.23×` by default. */
export function resultOf(row: Row): Result {
  return { shown: `${row.ratio.toFixed(2)}×`, notes: [], ...row };
}

/** What a row compares, and with which baseline. */
interface Compared {
  readonly work: string;
  readonly label: string;
  readonly goal: Goal;
}

/** A row about CPU per request. */
export function cpuResult({ work, label, goal }: Compared, { subject, baseline, cpuRatio }: Comparison): Result {
  return resultOf({
    work,
    goal,
    figure: `${round(subject.cpuMicros)} µs CPU`,
    baseline: `${round(baseline.cpuMicros)} µs ${label}`,
    ratio: cpuRatio,
  });
}

/** A row about throughput, with a note on the ratio of CPU. */
export function rateResult({ work, label, goal }: Compared, compared: Comparison): Result {
  const { subject, baseline, cpuRatio, rateRatio } = compared;
  return resultOf({
    work,
    goal,
    figure: `${round(subject.perSecond)}/s`,
    baseline: `${round(baseline.perSecond)}/s ${label}`,
    ratio: rateRatio,
    shown: `${(rateRatio * 100).toFixed(0)} %`,
    notes: [`CPU of ${label} is ${(100 / cpuRatio).toFixed(0)} % of ours`],
  });
}

/** Three significant digits; no fraction from 100 on. */
export function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
