import { parseArgs } from 'node:util';
import type { Output } from './progress.ts';

/** How a command ended, as its process says it. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** The environment, as `process.env` gives it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command needs from its process: its arguments, `process.env`, its outputs, and when to stop. */
export interface Invocation {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly out: Output;
  readonly err: Output;
  /** Aborts when the process is told to end. */
  readonly signal: AbortSignal;
}

/** Wrong arguments; the message says what is wrong with them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Options by name, as `parseArgs` takes them. */
interface Options {
  readonly [name: string]: Option;
}

interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
}

type ValueOf<O extends Option> = O['type'] extends 'boolean' ? boolean : string;

/** What was given for each option; one that was left out is absent. */
export type OptionValues<O extends Options> = { readonly help?: boolean | undefined } & {
  readonly [K in keyof O]?: (O[K]['multiple'] extends true ? ValueOf<O[K]>[] : ValueOf<O[K]>) | undefined;
};

/** Every command explains itself. */
const HELP = { help: { type: 'boolean', short: 'h' } } as const;

/**
 * Reads a command's options, and `--help` (`-h`) besides; nothing else may be there.
 * @throws {UsageError}
 */
export function readOptions<const O extends Options>(args: readonly string[], options: O): OptionValues<O> {
  return parsed(args, options, false).values;
}

interface Parsed<O extends Options> {
  readonly values: OptionValues<O>;
  readonly positionals: readonly string[];
}

function parsed<const O extends Options>(args: readonly string[], options: O, allowPositionals: boolean): Parsed<O> {
  try {
    return parseArgs({ args: [...args], options: { ...options, ...HELP }, allowPositionals });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message.replaceAll('\n', ' '));
    throw error;
  }
}

/**
 * The same for a command that takes one argument besides its options; null where it was left out.
 * @throws {UsageError}
 */
export function readArguments<const O extends Options>(
  args: readonly string[],
  options: O,
): { readonly values: OptionValues<O>; readonly argument: string | null } {
  const { values, positionals } = parsed(args, options, true);
  if (positionals.length > 1) throw new UsageError(`there is one argument too many: ${positionals[1] ?? ''}`);
  return { values, argument: positionals[0] ?? null };
}

/** @throws {UsageError} when a required option was left out or is empty. */
export function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

/** Runs what reads a command's arguments, and says what is wrong with them; the result is the exit code. */
export async function withUsageErrors(
  { err }: { readonly err: Pick<Output, 'write'> },
  name: string,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    err.write(`sim-racing-timing ${name}: ${error.message}; see sim-racing-timing ${name} --help\n`);
    return EXIT.usage;
  }
}
