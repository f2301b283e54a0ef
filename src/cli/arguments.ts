import { parseArgs } from 'node:util';
import type { Output } from './progress.ts';

/** Exit codes of the commands. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** The environment, as `process.env` gives it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command gets from its process: its arguments, environment, outputs, and when to stop. */
export interface Invocation {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly out: Output;
  readonly err: Output;
  /** Aborts at SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
}

/** Thrown for wrong arguments; the message says what is wrong with them. */
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

/** The values of the options that were given. */
export type OptionValues<O extends Options> = { readonly help?: boolean | undefined } & {
  readonly [K in keyof O]?: (O[K]['multiple'] extends true ? ValueOf<O[K]>[] : ValueOf<O[K]>) | undefined;
};

/** An option of every command. */
const HELP = { help: { type: 'boolean', short: 'h' } } as const;

/**
 * Parses the options of a command that takes no other arguments; `--help` (`-h`) is added.
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
 * Parses the options of a command that takes one argument besides them; null where that is left out.
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

/** Runs a command, and reports wrong arguments as an error of usage; the result is the exit code. */
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
