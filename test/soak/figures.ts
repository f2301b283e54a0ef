import { median } from '../bench/comparison.ts';
import { percentile, type Finish } from '../support/strangers/rigs.ts';

/** Resources that a service uses at one moment. */
export interface Sample {
  /** Minutes since the start. */
  readonly at: number;
  /** Anonymous memory, without the maps of stores. */
  readonly rssAnonMb: number;
  readonly descriptors: number;
  /** Laps acknowledged so far. */
  readonly laps: number;
  /** Size of the event store, and of the read models (null during a rebuild). */
  readonly eventBytes: number;
  readonly modelBytes: number | null;
}

/** What rigs experienced during the run: answers come once the read models show a lap. */
export interface Service extends Pick<Finish, 'latencies' | 'refused'> {
  /** Laps answered with 202: not shown within two seconds. */
  readonly putOff: number;
}

/** A bound and the measured value. */
export interface Verdict {
  readonly figure: string;
  readonly measured: string;
  readonly bound: string;
  readonly holds: boolean;
}

/** Bounds of a soak. */
const MOST_MB_PER_MINUTE = 1;
const MOST_DESCRIPTORS_MORE = 10;
const MOST_BYTES_CHANGE = 0.1;
const MOST_LAG_MS = 1_000;
/** Share of the laps that must be shown within that time. */
const LAG_SHARE = 0.99;

/** Share of the run that counts as warm-up, and its longest length in minutes. */
const WARM_UP_SHARE = 0.25;
const WARM_UP_MINUTES = 5;

/** Windows into which the rest is divided. The memory of each is its minimum, which remains after a collection. */
const WINDOWS = 8;

/** Compares the samples of a run with the bounds. */
export function verdictsOf(samples: readonly Sample[], service: Service): readonly Verdict[] {
  const minutes = samples.at(-1)?.at ?? 0;
  const warmUp = Math.min(WARM_UP_MINUTES, minutes * WARM_UP_SHARE);
  const warm = samples.filter(({ at }) => at >= warmUp);
  const windows = windowsOf(warm, { from: warmUp, to: minutes });
  const leasts = windows.map((window) => leastOf(window, ({ rssAnonMb }) => rssAnonMb));
  const slope = slopeOf(leasts.map(({ at, rssAnonMb }) => [at, rssAnonMb]));
  const [first, second] = halves(warm);
  const more =
    median(second.map(({ descriptors }) => descriptors)) - median(first.map(({ descriptors }) => descriptors));
  return [
    {
      figure: 'anonymous memory',
      measured: `${slope.toFixed(2)} MB/min, most ${Math.ceil(Math.max(...warm.map(({ rssAnonMb }) => rssAnonMb)))} MB`,
      bound: `below ${MOST_MB_PER_MINUTE} MB/min`,
      holds: slope < MOST_MB_PER_MINUTE,
    },
    {
      figure: 'open descriptors',
      measured: `${signed(more)} from the first half to the second`,
      bound: `at most ${signed(MOST_DESCRIPTORS_MORE)}`,
      holds: more <= MOST_DESCRIPTORS_MORE,
    },
    perLap('bytes of events per lap', warm, ({ eventBytes }) => eventBytes),
    perLap('bytes of read models per lap', warm, ({ modelBytes }) => modelBytes),
    lagVerdict(service),
  ];
}

function lagVerdict({ latencies, putOff, refused }: Service): Verdict {
  const most = percentile(latencies, LAG_SHARE);
  const slowest = percentile(latencies, 1);
  const count = Object.values(refused).reduce((sum, laps) => sum + laps, 0);
  return {
    figure: 'lag: a lap is shown after',
    measured: `${Math.ceil(most)} ms for 99 %, ${Math.ceil(slowest)} ms at most; ${putOff} put off, ${count} refused`,
    bound: `below ${MOST_LAG_MS} ms for 99 %, none put off or refused`,
    holds: most < MOST_LAG_MS && putOff === 0 && count === 0,
  };
}

/** Bytes per lap in the first half and in the second; medians, so that short peaks do not count. */
function perLap(figure: string, samples: readonly Sample[], bytesOf: (sample: Sample) => number | null): Verdict {
  const points = samples.flatMap((sample): [number, number][] => {
    const bytes = bytesOf(sample);
    return bytes === null ? [] : [[sample.laps, bytes]];
  });
  const [early, late] = halves(points).map((half) => median(half.map(([laps, bytes]) => bytes / laps)));
  const change = (late ?? NaN) / (early ?? NaN) - 1;
  return {
    figure,
    measured: `${Math.round(early ?? NaN)}, then ${Math.round(late ?? NaN)} (${signed(Math.round(change * 1_000) / 10)} %)`,
    bound: `at most ${signed(MOST_BYTES_CHANGE * 100)} %`,
    holds: change <= MOST_BYTES_CHANGE,
  };
}

/** Slope of the straight line that fits points best (least squares). */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const meanX = averageOf(points.map(([x]) => x));
  const meanY = averageOf(points.map(([, y]) => y));
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

function windowsOf(samples: readonly Sample[], { from, to }: { from: number; to: number }): readonly Sample[][] {
  const windows: Sample[][] = Array.from({ length: WINDOWS }, () => []);
  for (const sample of samples) {
    windows[Math.min(WINDOWS - 1, Math.floor(((sample.at - from) / (to - from)) * WINDOWS))]?.push(sample);
  }
  return windows.filter((window) => window.length > 0);
}

function leastOf(samples: readonly Sample[], by: (sample: Sample) => number): Sample {
  return samples.reduce((least, sample) => (by(sample) < by(least) ? sample : least));
}

function halves<T>(list: readonly T[]): [T[], T[]] {
  const middle = Math.floor(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}

function averageOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function signed(number: number): string {
  return number < 0 ? `−${-number}` : `+${number}`;
}
