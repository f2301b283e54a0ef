import { parsedOptions, UsageError } from '../bench/options.ts';

export interface Options {
  readonly minutes: number;
  /** Laps that are recorded per second. */
  readonly laps: number;
  /** Connections that read once a second each. */
  readonly readers: number;
  /** Minutes from one rebuild to the next, and from one killed command to the next. */
  readonly rebuildEvery: number;
  readonly killEvery: number;
}

const USAGE = `usage: npm run soak -- [--minutes 30] [--laps 100] [--readers 100] [--rebuild-every 5] [--kill-every 1]
Laps are per second, what comes every so often in minutes.`;

const number = (usual: number) => ({ type: 'string', default: String(usual) }) as const;
const OPTIONS = {
  minutes: number(30),
  laps: number(100),
  readers: number(100),
  'rebuild-every': number(5),
  'kill-every': number(1),
};

/** @throws {UsageError} */
export function readOptions(args: readonly string[]): Options {
  const values = parsedOptions(args, OPTIONS, USAGE);
  const valueOf = (name: keyof typeof OPTIONS): number => {
    const value = Number(values[name]);
    if (value > 0 && Number.isFinite(value)) return value;
    throw new UsageError(USAGE);
  };
  return {
    minutes: valueOf('minutes'),
    laps: valueOf('laps'),
    readers: valueOf('readers'),
    rebuildEvery: valueOf('rebuild-every'),
    killEvery: valueOf('kill-every'),
  };
}
