import { parseArgs, type ParseArgsConfig } from 'node:util';

/** How much is measured, and over how much data. */
export interface Scale {
  /** Laps in the small, the middle and the large store. */
  readonly small: number;
  readonly middle: number;
  readonly large: number;
  /** Rounds per side, the length of a round over HTTP, and of the warm-up before, in ms. */
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
  /** Laps per round of a store measured by itself, and the number of such rounds. */
  readonly batch: number;
  readonly batches: number;
}

/** What `npm run bench` measures. */
export const FULL: Scale = {
  ...{ small: 10_000, middle: 100_000, large: 1_000_000 },
  ...{ rounds: 16, roundMs: 400, warmUpMs: 3_000, batch: 20_000, batches: 10 },
};

/** For checking the bench itself; the figures mean little. */
const QUICK: Scale = {
  ...{ small: 1_000, middle: 10_000, large: 100_000 },
  ...{ rounds: 5, roundMs: 150, warmUpMs: 700, batch: 2_000, batches: 5 },
};

export interface Options {
  readonly quick: boolean;
  /** With as many laps in the large store as `--laps` says. */
  readonly scale: Scale;
  /** Names of the works to run. */
  readonly only: readonly string[];
  /** File for the results as JSON, or null. */
  readonly json: string | null;
  /** Directory for the CPU profile of each measured process, or null. */
  readonly profile: string | null;
}

/** The command line is wrong; the message explains the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads the command line.
 * @param names all works.
 * @throws {UsageError}
 */
export function readOptions(args: readonly string[], names: readonly string[]): Options {
  const usage = `usage: npm run bench -- [--quick] [--laps N] [--only NAME]… [--json FILE] [--profile DIR]
N: laps, ${FULL.batch} at least (${QUICK.batch} with --quick)
works: ${names.join(' ')}`;
  const given = parsedOptions(args, OPTIONS, usage);
  const { only = names, quick = false, json = null, profile = null } = given;
  const usual = quick ? QUICK : FULL;
  const scale = { ...usual, large: Number(given.laps ?? usual.large) };
  const isPossible = Number.isSafeInteger(scale.large) && scale.large >= scale.batch;
  if (given.help === true || !isPossible || !only.every((name) => names.includes(name))) throw new UsageError(usage);
  return { quick, scale, only, json, profile };
}

const OPTIONS = {
  quick: { type: 'boolean' },
  laps: { type: 'string' },
  only: { type: 'string', multiple: true },
  json: { type: 'string' },
  profile: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** @throws {UsageError} */
export function parsedOptions<T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
