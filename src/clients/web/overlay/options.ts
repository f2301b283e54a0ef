import { delay, id, number, oneOf, parameterReader, wholeNumber, type Parameter } from '../live/parameters.ts';

export const COLUMNS = ['position', 'name', 'gap', 'best', 'last', 'sectors'] as const;
export type Column = (typeof COLUMNS)[number];

const LOOKS = ['dark', 'light', 'none'] as const;
const SWITCH = ['on', 'off'] as const;

export type OverlayOptions = Readonly<ReturnType<typeof readOptions>['options']>;

const MOST_ROWS = 100;
const LEAST_SCALE = 0.25;
const MOST_SCALE = 8;

const columns: Parameter<readonly Column[]> = {
  read(text) {
    const names = text.split(',').map((name) => name.trim());
    const known = names.flatMap((name) => COLUMNS.filter((column) => column === name));
    return known.length === names.length ? [...new Set(known)] : null;
  },
  without: ['position', 'name', 'gap', 'best'],
};

/** Reads the options of an overlay from its address; invalid ones are ignored, with a fault in a sentence for each. */
export function readOptions(query: URLSearchParams) {
  const faults: string[] = [];
  const read = parameterReader(query, (name) => {
    faults.push(`The parameter ${name} makes no sense and counts as left out.`);
  });
  const options = {
    rows: read('rows', wholeNumber({ least: 1, most: MOST_ROWS, without: 10 })),
    /** Left to right. */
    columns: read('columns', columns),
    /** Colours; `none`: white text without a background. */
    look: read('theme', oneOf(LOOKS)),
    /** Ids; null: the first layout, all classes. */
    layout: read('layout', id),
    carClass: read('class', id),
    /** Seconds by which everything is delayed. */
    delay: read('delay', delay),
    /** Whether a new best lap is announced below. */
    lowerThird: read('lowerThird', oneOf(SWITCH)) === 'on',
    /** Size; 1 is normal. */
    scale: read('scale', number({ least: LEAST_SCALE, most: MOST_SCALE, without: 1 })),
  };
  return { options, faults };
}
