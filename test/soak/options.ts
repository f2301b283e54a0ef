import { parsedOptions, UsageError } from '../bench/options.ts';

const USAGE = `usage: npm run soak -- [--minutes 30] [--laps 100] [--readers 100] [--rebuild-every 5] [--kill-every 1]
Laps are per second, what comes every so often in minutes; a reader is a connection that reads once a second.`;

/** The usual values. */
const USUAL = { minutes: 30, laps: 100, readers: 100, 'rebuild-every': 5, 'kill-every': 1 } as const;

export type Options = Readonly<Record<keyof typeof USUAL, number>>;

/** @throws {UsageError} */
export function readOptions(args: readonly string[]): Options {
  const known = Object.fromEntries(Object.keys(USUAL).map((name) => [name, { type: 'string' as const }]));
  const given = Object.entries(parsedOptions(args, known, USAGE)).map(
    ([name, value]) => [name, Number(value)] as const,
  );
  if (!given.every(([, value]) => value > 0 && Number.isFinite(value))) throw new UsageError(USAGE);
  return { ...USUAL, ...Object.fromEntries(given) };
}
