import { delay, id, number, oneOf, parameterReader, wholeNumber, type Reader } from '../live/parameters.ts';

export const COLUMNS = [
  'position',
  'name',
  'code',
  'class',
  'car',
  'gap',
  'interval',
  'best',
  'last',
  'sectors',
] as const;
export type Column = (typeof COLUMNS)[number];

export type OverlayOptions = Readonly<ReturnType<typeof readOptions>['options']>;

const MOST_ROWS = 100;
const LEAST_SCALE = 0.25;
const MOST_SCALE = 8;

const columns: Reader<readonly Column[]> = (text) => {
  const names = text.split(',').map((name) => name.trim());
  const known = names.flatMap((name) => COLUMNS.filter((column) => column === name));
  return known.length === names.length ? [...new Set(known)] : null;
};

const FIRST_COLUMNS: readonly Column[] = ['position', 'name', 'gap', 'best'];

/** Reads the options of an overlay from its address; invalid ones are ignored, with a fault in a sentence for each. */
export function readOptions(query: URLSearchParams) {
  const faults: string[] = [];
  const read = parameterReader(query, (name) => {
    faults.push(`The parameter ${name} makes no sense and counts as left out.`);
  });
  const options = {
    rows: read('rows', wholeNumber(1, MOST_ROWS), 10),
    /** Whether the rows after the first ones are shown in turn. */
    pages: read('pages', oneOf(['on', 'off']), 'off') === 'on',
    /** Id of a driver around whom the rows are shown; null: the first rows are. */
    driver: read('driver', id, null),
    /** Whether the event, the layout and the headings of columns are above the rows. */
    header: read('header', oneOf(['on', 'off']), 'off') === 'on',
    /** Left to right. */
    columns: read('columns', columns, FIRST_COLUMNS),
    /** Colours; `none`: white text without a background. */
    look: read('theme', oneOf(['dark', 'light', 'none']), 'dark'),
    /** Ids; null: the first layout, all classes. */
    layout: read('layout', id, null),
    carClass: read('class', id, null),
    /** Seconds by which everything is delayed. */
    delay: read('delay', delay, 0),
    /** Whether a new best lap is announced below. */
    lowerThird: read('lowerThird', oneOf(['on', 'off']), 'on') === 'on',
    /** Size; 1 is normal. */
    scale: read('scale', number(LEAST_SCALE, MOST_SCALE), 1),
  };
  return { options, faults };
}
