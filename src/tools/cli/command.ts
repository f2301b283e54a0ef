import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Output } from './output.ts';
import { createWaiting, type Waiting } from './waiting.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export type Environment = Readonly<Record<string, string | undefined>>;

export type { Output };

/** What a command gets from its process: its arguments, environment, outputs, and when to stop. */
export interface Invocation {
  readonly args: readonly string[];
  readonly env: Environment;
  readonly out: Output;
  readonly err: Output;
  /** Aborts at SIGTERM or SIGINT. */
  readonly signal: AbortSignal;
  /** How the command is called where it is a program of its own; left out: `sim-racing-timing` and its name. */
  readonly program?: string;
  /** Asks whoever sits at the terminal, and returns the line that they typed; left out where nobody does. */
  readonly ask?: (question: string) => Promise<string>;
}

/** An invocation of a command that says what it waits for: work that may take long runs in `waiting.during`. */
export interface WatchedInvocation extends Invocation {
  readonly waiting: Waiting;
}

export type Run = (invocation: Invocation) => Promise<number>;

/** Thrown for wrong arguments; the message says what is wrong with them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  /** What the help calls its value. */
  readonly value?: string;
  readonly required?: boolean;
  readonly about: string;
}

export type Options = Readonly<Record<string, Option>>;

export const flag = (about: string) => ({ type: 'boolean', about }) as const;

/** Declares an option with a value, and what the help calls that. */
export const text = (value: string, about: string) => ({ type: 'string', value, about }) as const;

const HELP_OPTION = { help: { ...flag('this text'), short: 'h' } } as const;

export const JSON_OPTION = flag('one JSON object with the result on standard output, for scripts');

export interface Syntax<O extends Options> {
  readonly name: string;
  /** What the help says before the options, and after them. */
  readonly about: string;
  readonly notes?: string;
  readonly options: O;
  /**
   * What the help calls the argument that the command takes besides its options, or two, or `NAME…` for any number; left
   * out: it takes none.
   */
  readonly argument?: string;
}

type ValueOf<O extends Option> = O['type'] extends 'boolean' ? boolean : string;

export type OptionValues<O extends Options> = {
  readonly [K in keyof O]?: (O[K]['multiple'] extends true ? ValueOf<O[K]>[] : ValueOf<O[K]>) | undefined;
};

/** What a command is given: its options, its arguments (null: left out), and its process. */
export interface Given<O extends Options> extends WatchedInvocation {
  readonly values: OptionValues<O>;
  readonly argument: string | null;
  readonly second: string | null;
  /** All of its arguments. */
  readonly allArguments: readonly string[];
}

/** Declares a command: it runs `work` unless help is asked for, and reports wrong usage on standard error. */
export function command<const O extends Options>(
  syntax: Syntax<O>,
  work: (given: Given<O>) => number | Promise<number>,
): Run {
  const { name, options, argument } = syntax;
  return async (invocation) => {
    const { args, program = `sim-racing-timing ${name}` } = invocation;
    const { waiting, out, err } = createWaiting(program, invocation);
    try {
      const { values, positionals } = parse(args, options, argument !== undefined);
      const [first = null, second = null] = positionals;
      const isOpenEnded = argument?.endsWith('…') === true;
      const tooMany = isOpenEnded ? undefined : positionals[argument?.split(' ').length ?? 0];
      if (tooMany !== undefined) throw new UsageError(`unexpected argument: ${tooMany}`);
      if (values.help !== true) {
        const given = { ...invocation, out, err, waiting, values };
        return await work({ ...given, argument: first, second, allArguments: positionals });
      }
      out.write(helpOf(syntax, program));
      return EXIT.done;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      err.write(`${program}: ${error.message}; see ${program} --help\n`);
      return EXIT.usage;
    } finally {
      waiting.end();
    }
  };
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

/** Columns of the help, and those before and after the names of options. */
const HELP_COLUMNS = 120;
const GAPS_COLUMNS = 4;

function helpOf({ about, notes = '', options, argument }: Syntax<Options>, program: string): string {
  const usage = `usage: ${program} `;
  const parts = [argument ?? [], Object.entries(options).map(usageOf)].flat();
  const entries = Object.entries<Option>({ ...options, ...HELP_OPTION });
  const columns = Math.max(...entries.map((entry) => termOf(entry).length)) + GAPS_COLUMNS;
  const lines = entries.map((entry) => {
    const term = `  ${termOf(entry)}`.padEnd(columns);
    return `${term}${wrapped(entry[1].about.split(/\s+/), columns)}\n`;
  });
  const paragraphs = [usage + wrapped(parts, usage.length), about, lines.join(''), notes];
  const shown = paragraphs.map((text) => text.replace(/^\n+/, '').trimEnd()).filter((text) => text !== '');
  return `${shown.join('\n\n')}\n`;
}

function termOf([option, { short, value }]: readonly [string, Option]): string {
  const names = short === undefined ? `--${option}` : `-${short}, --${option}`;
  return value === undefined ? names : `${names} ${value}`;
}

function usageOf([option, declared]: readonly [string, Option]): string {
  const term = termOf([option, declared]);
  if (declared.required === true) return term;
  return declared.multiple === true ? `[${term}]…` : `[${term}]`;
}

/** Joins words to lines; all but the first are indented. */
function wrapped(words: readonly string[], indent: number): string {
  let text = '';
  let column = indent;
  for (const word of words) {
    const breaks = text !== '' && column + word.length + 1 > HELP_COLUMNS;
    text += breaks ? `\n${' '.repeat(indent)}${word}` : `${text === '' ? '' : ' '}${word}`;
    column = breaks ? indent + word.length : column + word.length + 1;
  }
  return text;
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

const Moment = z.iso.datetime({ offset: true });

/** The moment in the past that an option gives, ISO 8601 with its zone; epoch ms. @throws {UsageError} */
export function pastMoment(name: string, text: string): number {
  const moment = Moment.safeParse(text).success ? Date.parse(text) : Number.NaN;
  if (moment <= Date.now()) return moment;
  throw new UsageError(`--${name} takes a moment in the past, such as 2026-05-01T20:15:00Z`);
}

/** The address of the service here: `PORT` says where it listens. */
export function localUrl({ PORT }: Environment): string {
  return `http://127.0.0.1:${PORT || '8080'}`;
}

/** The address of a service, without a slash at its end. @throws {UsageError} */
export function serviceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && ['http:', 'https:'].includes(url.protocol))
    return (url.origin + url.pathname).replace(/(?<!\/)\/+$/, '');
  throw new UsageError(`"${text}" is not the address of a service: it must look like ${localUrl({})}`);
}

export function jsonLine(result: unknown): string {
  return `${JSON.stringify(result)}\n`;
}
