import { parseArgs, type ParseArgsConfig } from 'node:util';

/** How much `npm run bench` measures, and over how much data. */
export const FULL = {
  // Laps in the small, the middle and the large store.
  small: 10_000,
  middle: 100_000,
  large: 1_000_000,
  // Rounds per side, the length of a round over HTTP, and of the warm-up before, in ms.
  rounds: 16,
  roundMs: 400,
  warmUpMs: 3_000,
  // Laps per round of a store measured by itself, and the number of such rounds.
  batch: 20_000,
  batches: 10,
};

export type Scale = Readonly<typeof FULL>;

/** For checking the bench itself; the figures mean little. */
const QUICK: Scale = {
  small: 1_000,
  middle: 10_000,
  large: 100_000,
  rounds: 5,
  roundMs: 150,
  warmUpMs: 700,
  batch: 2_000,
  batches: 5,
};

export type Options = ReturnType<typeof readOptions>;

/** The command line is wrong; the message explains the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads the command line.
 * @param names all works.
 * @throws {UsageError}
 */
export function readOptions(args: readonly string[], names: readonly string[]) {
  const usage = `usage: npm run bench -- [--quick] [--laps N] [--only NAME]… [--json FILE] [--profile DIR]
N: laps, ${FULL.batch} at least (${QUICK.batch} with --quick)
works: ${names.join(' ')}`;
  const given = parsedOptions(args, OPTIONS, usage);
  const { only = names, quick = false, json = null, profile = null } = given;
  const usual = quick ? QUICK : FULL;
  const scale: Scale = { ...usual, large: Number(given.laps ?? usual.large) };
  const isPossible = Number.isSafeInteger(scale.large) && scale.large >= scale.batch;
  if (given.help === true || !isPossible || !only.every((name) => names.includes(name))) throw new UsageError(usage);
  return { quick, scale, only, json, profile };
}

const OPTIONS = {
  quick: { type: 'boolean' },
  /** Laps in the large store. */
  laps: { type: 'string' },
  /** Names of the works to run. */
  only: { type: 'string', multiple: true },
  /** File for the results as JSON. */
  json: { type: 'string' },
  /** Directory for the CPU profile of each measured process. */
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
