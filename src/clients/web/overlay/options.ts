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
  'lap',
  'last',
  'sectors',
] as const;
export type Column = (typeof COLUMNS)[number];

export type OverlayOptions = Readonly<ReturnType<typeof readOptions>['options']>;

export const MOST_ROWS = 100;
export const LEAST_SCALE = 0.25;
export const MOST_SCALE = 8;

export const LOOKS = ['dark', 'light', 'none'] as const;

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
    look: read('theme', oneOf(LOOKS), 'dark'),
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

/** The options of an address without parameters. */
export const DEFAULT_OPTIONS: OverlayOptions = readOptions(new URLSearchParams()).options;

/** The parameters of the address of an overlay with these options; those that may be left out are. */
export function parametersOf(options: OverlayOptions): URLSearchParams {
  const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');
  const textsOf = (of: OverlayOptions): Readonly<Record<string, string>> => ({
    rows: String(of.rows),
    pages: onOff(of.pages),
    driver: of.driver ?? '',
    header: onOff(of.header),
    columns: of.columns.join(','),
    theme: of.look,
    layout: of.layout ?? '',
    class: of.carClass ?? '',
    delay: String(of.delay),
    lowerThird: onOff(of.lowerThird),
    scale: String(of.scale),
  });
  const usual = textsOf(DEFAULT_OPTIONS);
  return new URLSearchParams(Object.entries(textsOf(options)).filter(([name, text]) => text !== usual[name]));
}
