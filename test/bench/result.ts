import type { Comparison, Figures } from './rounds.ts';

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
  /** Null: for information only. */
  readonly goal: Goal | null;
  /** The ratio of each pair of rounds. */
  readonly ratios: readonly number[];
  readonly sides: readonly Figures[];
  readonly notes: readonly string[];
}

/** The required part of a row. */
export type Row = Pick<Result, 'work' | 'figure' | 'baseline' | 'ratio' | 'goal'> & Partial<Result>;

/** A row whose ratio is shown as `1.23×` by default. */
export function resultOf(row: Row): Result {
  return { shown: `${row.ratio.toFixed(2)}×`, ratios: [row.ratio], sides: [], notes: [], ...row };
}

/** A row about CPU per request. */
export function cpuResult(work: string, goal: Goal, compared: Comparison): Result {
  const { subject, baseline, cpuRatio, cpuRatios } = compared;
  return resultOf({
    work,
    goal,
    figure: `${round(subject.cpuMicros)} µs CPU`,
    baseline: `${round(baseline.cpuMicros)} µs ${baseline.label}`,
    ratio: cpuRatio,
    ratios: cpuRatios,
    sides: [subject, baseline],
  });
}

/** A row about throughput, with a note on the ratio of CPU. */
export function rateResult(work: string, goal: Goal, compared: Comparison): Result {
  const { subject, baseline, cpuRatio, rateRatio, rateRatios } = compared;
  return resultOf({
    work,
    goal,
    figure: `${round(subject.perSecond)}/s`,
    baseline: `${round(baseline.perSecond)}/s ${baseline.label}`,
    ratio: rateRatio,
    shown: `${(rateRatio * 100).toFixed(0)} %`,
    ratios: rateRatios,
    sides: [subject, baseline],
    notes: [`CPU of ${baseline.label} is ${(100 / cpuRatio).toFixed(0)} % of ours`],
  });
}

/** Three significant digits; no fraction from 100 on. */
export function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
