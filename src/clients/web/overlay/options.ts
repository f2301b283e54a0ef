import { idIn, MOST_DELAY, numberIn, wholeNumberIn } from '../live/parameters.ts';

/** Columns of an overlay. */
export const COLUMNS = ['position', 'name', 'gap', 'best', 'last', 'sectors'] as const;
export type Column = (typeof COLUMNS)[number];

const LOOKS = ['dark', 'light', 'none'] as const;
const SWITCH = ['on', 'off'] as const;

/** How an overlay is shown. */
export interface OverlayOptions {
  /** Rows that are shown at most. */
  readonly rows: number;
  /** Left to right. */
  readonly columns: readonly Column[];
  /** Colours; `none`: white text without a background. */
  readonly look: (typeof LOOKS)[number];
  /** Ids; null: the first layout, all classes. */
  readonly layout: string | null;
  readonly carClass: string | null;
  /** By how many seconds everything is held back. */
  readonly delay: number;
  /** Whether a new best lap is announced below. */
  readonly lowerThird: boolean;
  /** Size; 1 is normal. */
  readonly scale: number;
}

const MOST_ROWS = 100;
const LEAST_SCALE = 0.25;
const MOST_SCALE = 8;

/** A parameter of the address: what it means, or null where that makes no sense; and what it is without. */
interface Parameter<T> {
  readonly read: (text: string) => T | null;
  readonly without: T;
}

function oneOf<const T extends string>(values: readonly T[], without: T): Parameter<T> {
  return { read: (text) => values.find((value) => value === text) ?? null, without };
}

const columns: Parameter<readonly Column[]> = {
  read(text) {
    const names = text.split(',').map((name) => name.trim());
    const known = names.flatMap((name) => COLUMNS.filter((column) => column === name));
    return known.length === names.length ? [...new Set(known)] : null;
  },
  without: ['position', 'name', 'gap', 'best'],
};

const id: Parameter<string | null> = { read: idIn, without: null };

/**
 * Reads how an overlay is wanted from its address.
 * @returns the options, and `faults`: a sentence for each parameter that makes no sense, and counts as not there
 */
export function readOptions(query: URLSearchParams): {
  readonly options: OverlayOptions;
  readonly faults: readonly string[];
} {
  const faults: string[] = [];
  const read = <T>(name: string, { read: parse, without }: Parameter<T>): T => {
    const text = query.get(name) ?? '';
    if (text === '') return without;
    const value = parse(text);
    if (value !== null) return value;
    faults.push(`The parameter ${name} makes no sense and counts as left out.`);
    return without;
  };
  const options = {
    rows: read('rows', { read: (text) => wholeNumberIn(text, { least: 1, most: MOST_ROWS }), without: 10 }),
    columns: read('columns', columns),
    look: read('theme', oneOf(LOOKS, 'dark')),
    layout: read('layout', id),
    carClass: read('class', id),
    delay: read('delay', { read: (text) => wholeNumberIn(text, { least: 0, most: MOST_DELAY }), without: 0 }),
    lowerThird: read('lowerThird', oneOf(SWITCH, 'on')) === 'on',
    scale: read('scale', { read: (text) => numberIn(text, { least: LEAST_SCALE, most: MOST_SCALE }), without: 1 }),
  };
  return { options, faults };
}
