/** Options by name. */
export interface Options {
  readonly [name: string]: Option;
}

/** An option, as `parseArgs` takes it and as the help shows it. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly short?: string;
  /** What the help calls its value. */
  readonly value?: string;
  /** Whether the command needs it. */
  readonly required?: boolean;
  readonly about: string;
}

/** Declares an option that is given or not. */
export const flag = (about: string) => ({ type: 'boolean', about }) as const;

/** Declares an option with a value, and what the help calls that. */
export const text = (value: string, about: string) => ({ type: 'string', value, about }) as const;

/** An option of every command. */
export const HELP_OPTION = { help: { ...flag('this text'), short: 'h' } } as const;

/** The option of commands that have a result for scripts. */
export const JSON_OPTION = flag('one JSON object with the result on standard output, for scripts');

/** A command, as its help and its messages about wrong usage name it. */
export interface CommandSyntax<O extends Options> {
  readonly name: string;
  /** What the help says before the options, and after them. */
  readonly about: string;
  readonly notes?: string;
  readonly options: O;
  /** What the help calls the argument that the command takes besides its options; left out: it takes none. */
  readonly argument?: string;
}

/** Columns of the help. */
const HELP_COLUMNS = 120;

/** Columns before and after the names of options. */
const GAPS_COLUMNS = 4;

/** The help of a command: its usage, what it does, its options, and notes. */
export function helpOf({ name, about, notes = '', options, argument }: CommandSyntax<Options>): string {
  const usage = `usage: sim-racing-timing ${name} `;
  const parts = [argument ?? [], Object.entries(options).map(usageOf)].flat();
  const entries = Object.entries<Option>({ ...options, ...HELP_OPTION });
  const columns = Math.max(...entries.map((entry) => termOf(entry).length)) + GAPS_COLUMNS;
  const lines = entries.map((entry) => {
    const term = `  ${termOf(entry)}`.padEnd(columns);
    return `${term}${wrapped(entry[1].about.split(/\s+/), columns)}\n`;
  });
  const paragraphs = [(usage + wrapped(parts, usage.length)).trimEnd(), about.trim(), lines.join('').trimEnd(), notes];
  return `${paragraphs
    .map((text) => text.replace(/^\n+|\n+$/g, ''))
    .filter((text) => text !== '')
    .join('\n\n')}\n`;
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

/** Joins words to lines that are indented but for the first. */
function wrapped(words: readonly string[], indent: number): string {
  let [text, column] = ['', indent];
  for (const word of words) {
    const breaks = text !== '' && column + word.length + 1 > HELP_COLUMNS;
    text += breaks ? `\n${' '.repeat(indent)}${word}` : `${text === '' ? '' : ' '}${word}`;
    column = breaks ? indent + word.length : column + word.length + 1;
  }
  return text;
}
