import type { Json } from '../../src/service/kernel/json.ts';
import { Timed } from './child-protocol.ts';
import type { Child } from './children.ts';

const MEMORY_EVERY_MS = 50;

/** Measurements of one round of one side. */
export interface Round extends Timed {
  /** ms of each request; empty where there are none. */
  readonly latencies: readonly number[];
}

/** One side of a comparison. */
export interface Side {
  readonly label: string;
  /** Null if it has not started yet. */
  readonly child: Child | null;
  readonly round: () => Promise<Round>;
}

/** Runs one round of an operation in a process. */
export async function roundOf(child: Child, operation: string, argument: Json = null): Promise<Round> {
  return { ...(await child.ask(operation, Timed, argument)), latencies: [] };
}

/** Measures the CPU of a server while requests are sent. */
export async function roundOfServer(child: Child, ask: () => Promise<Omit<Round, 'cpuMicros'>>): Promise<Round> {
  const before = await child.cpuMicros();
  const done = await ask();
  return { ...done, cpuMicros: (await child.cpuMicros()) - before };
}

/** Measurements of a side over all its rounds. */
export interface Figures {
  readonly label: string;
  /** Median CPU per request, event or document, in µs. */
  readonly cpuMicros: number;
  /** Median of requests, events or documents per second. */
  readonly perSecond: number;
  /** ms; null where there are no requests. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Peak of anonymous memory in MB; null where the system does not report it. */
  readonly peakMb: number | null;
}

/** Two sides, and the ratios of adjacent rounds. */
export interface Comparison {
  readonly subject: Figures;
  readonly baseline: Figures;
  /** CPU of the subject relative to the baseline: the median, and each pair of rounds. */
  readonly cpuRatio: number;
  readonly cpuRatios: readonly number[];
  /** The same for throughput. */
  readonly rateRatio: number;
  readonly rateRatios: readonly number[];
}

/**
 * Alternates between both sides, so that other load on the machine affects both alike.
 * @param rounds per side.
 */
export async function compare(subject: Side, baseline: Side, rounds: number): Promise<Comparison> {
  const [one, two] = [new Tally(subject), new Tally(baseline)];
  for (let n = 0; n < rounds; n += 1) for (const tally of [one, two]) await tally.run();
  const cpuRatios = quotients(one.cpu, two.cpu);
  const rateRatios = quotients(one.rates, two.rates);
  return {
    subject: one.figures(),
    baseline: two.figures(),
    cpuRatio: median(cpuRatios),
    cpuRatios,
    rateRatio: median(rateRatios),
    rateRatios,
  };
}

/** Collects the measurements of one side. */
class Tally {
  /** CPU per request, event or document of each round, in µs. */
  readonly cpu: number[] = [];
  readonly rates: number[] = [];
  readonly #side: Side;
  readonly #latencies: number[] = [];
  #peakMb: number | null = null;

  constructor(side: Side) {
    this.#side = side;
  }

  async run(): Promise<void> {
    const timer = setInterval(() => {
      this.#look();
    }, MEMORY_EVERY_MS);
    try {
      const { units, seconds, cpuMicros, latencies } = await this.#side.round();
      this.cpu.push(cpuMicros / units);
      this.rates.push(units / seconds);
      for (const latency of latencies) this.#latencies.push(latency);
      this.#look();
    } finally {
      clearInterval(timer);
    }
  }

  figures(): Figures {
    const sorted = Float64Array.from(this.#latencies).sort();
    return {
      label: this.#side.label,
      cpuMicros: median(this.cpu),
      perSecond: median(this.rates),
      p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? null,
      p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? null,
      peakMb: this.#peakMb,
    };
  }

  #look(): void {
    const now = this.#side.child?.anonymousMb() ?? null;
    if (now !== null) this.#peakMb = Math.max(this.#peakMb ?? 0, now);
  }
}

function quotients(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, n) => value / (b[n] ?? NaN));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}
