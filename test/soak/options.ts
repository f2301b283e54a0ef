import { parseArgs } from 'node:util';

/** How long and how much. */
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

const DEFAULTS: Options = { minutes: 30, laps: 100, readers: 100, rebuildEvery: 5, killEvery: 1 };

const USAGE = `usage: npm run soak -- [--minutes 30] [--laps 100] [--readers 100] [--rebuild-every 5] [--kill-every 1]
Laps are per second, what comes every so often in minutes.`;

/** A command line that makes no sense; the message says what would. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws {UsageError} */
export function readOptions(args: readonly string[]): Options {
  const values = parsed(args);
  if (values.help === true) throw new UsageError(USAGE);
  const number = (text: string | undefined, otherwise: number): number => {
    const value = Number(text ?? otherwise);
    if (value > 0 && Number.isFinite(value)) return value;
    throw new UsageError(USAGE);
  };
  return {
    minutes: number(values.minutes, DEFAULTS.minutes),
    laps: number(values.laps, DEFAULTS.laps),
    readers: number(values.readers, DEFAULTS.readers),
    rebuildEvery: number(values['rebuild-every'], DEFAULTS.rebuildEvery),
    killEvery: number(values['kill-every'], DEFAULTS.killEvery),
  };
}

function parsed(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({
      args: [...args],
      options: {
        minutes: text,
        laps: text,
        readers: text,
        'rebuild-every': text,
        'kill-every': text,
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}
