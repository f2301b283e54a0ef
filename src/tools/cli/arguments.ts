import { parseArgs } from 'node:util';
import { helpOf, HELP_OPTION, type CommandSyntax, type Option, type Options } from './options.ts';
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

type ValueOf<O extends Option> = O['type'] extends 'boolean' ? boolean : string;

/** The values of the options that were given. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]?: (O[K]['multiple'] extends true ? ValueOf<O[K]>[] : ValueOf<O[K]>) | undefined;
};

/**
 * Runs a command with its options and its argument (null where that is left out), unless help is asked for. Wrong usage
 * is reported on standard error. The result is the exit code.
 */
export async function runCommand<const O extends Options>(
  { args, out, err }: { readonly args: readonly string[]; readonly out: Output; readonly err: Pick<Output, 'write'> },
  syntax: CommandSyntax<O>,
  run: (values: OptionValues<O>, argument: string | null) => Promise<number>,
): Promise<number> {
  const { name, options, argument } = syntax;
  try {
    const { values, positionals } = parse(args, options, argument !== undefined);
    if (positionals.length > 1) throw new UsageError(`there is one argument too many: ${positionals[1] ?? ''}`);
    if (values.help !== true) return await run(values, positionals[0] ?? null);
    out.write(helpOf(syntax));
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    err.write(`sim-racing-timing ${name}: ${error.message}; see sim-racing-timing ${name} --help\n`);
    return EXIT.usage;
  }
}

interface Parsed<O extends Options> {
  readonly values: OptionValues<O> & { readonly help?: boolean | undefined };
  readonly positionals: readonly string[];
}

/** @throws {UsageError} */
function parse<const O extends Options>(args: readonly string[], options: O, allowPositionals: boolean): Parsed<O> {
  try {
    return parseArgs({ args: [...args], options: { ...options, ...HELP_OPTION }, allowPositionals });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message.replaceAll('\n', ' '));
    throw error;
  }
}

/** @throws {UsageError} when a required option was left out or is empty. */
export function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

/** The whole number that an option gives. @throws {UsageError} */
export function wholeNumber(name: string, text: string, [least, most]: readonly [number, number]): number {
  const number = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} takes a whole number from ${least} to ${most}`);
}

/** The address of the service here: `PORT` says where it listens. */
export function localUrl({ PORT }: Environment): string {
  return `http://127.0.0.1:${PORT || '8080'}`;
}

/** The address of a service, without a slash at its end. @throws {UsageError} */
export function serviceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && ['http:', 'https:'].includes(url.protocol))
    return (url.origin + url.pathname).replace(/\/+$/, '');
  throw new UsageError(`"${text}" is no address of a service: it must look like ${localUrl({})}`);
}
