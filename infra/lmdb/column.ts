import { Packr } from 'msgpackr';
import type { Json } from '../../src/kernel/json.ts';
import type { Condition, Scalar } from '../../src/kernel/ports/read-store.ts';
import { compareScalars, isPrefixes, isRange } from '../../src/kernel/where.ts';

/** Number of documents in a full chunk. */
export const CHUNK = 4_096;

/** The value of a field, as filters and orders see it; undefined is a list or an object, which no filter finds. */
export type Cell = Scalar | undefined;

export function cellOf(value: Json | undefined): Cell {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? undefined : value;
}

const TYPES = ['boolean', 'number', 'string', 'undefined'];

/** The place of a value among those of other types: null, false, true, numbers, strings, all else. */
function rankOf(cell: Cell): number {
  return cell === null ? -2 : TYPES.indexOf(typeof cell) - (cell === false ? 1 : 0);
}

export function compareCells(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : compareScalars(a, b);
  return rankOf(a) - rankOf(b);
}

/** The values from `from` to `to`, without `to` itself if `isOpen`. */
export interface Interval {
  readonly from: Cell;
  readonly to: Cell;
  readonly isOpen?: boolean;
}

/** @throws {TypeError} for a condition on the beginnings of items, which a single value does not have */
export function intervalOf(condition: Condition): Interval {
  if (isPrefixes(condition)) throw new TypeError('only the items of a list have prefixes');
  if (!isRange(condition)) return { from: condition, to: condition };
  const { from, to } = condition;
  if (typeof (from ?? to) === 'string') return { from: from ?? '', to, isOpen: true };
  return { from: from ?? -Infinity, to: to ?? Infinity, isOpen: true };
}

/** A range of whole numbers: the first, and the one after the last. */
export type Bounds = readonly [from: number, end: number];

/** How values become numbers: integers as they are, moments as milliseconds, others by their place in a sorted dictionary. */
export type Kind = 'integer' | 'moment' | 'dictionary';

const MOMENT_LENGTH = 24;

/** Cache of moments by their text: a filter's moments are used in each chunk, and `createdAt` of most laps is `drivenAt`. */
const moments = new Map<string, number>();
const MAX_MOMENTS = 2 * CHUNK;

/** The milliseconds of a moment as JavaScript writes it; NaN for anything else. */
function momentOf(cell: Cell): number {
  if (typeof cell !== 'string' || cell.length !== MOMENT_LENGTH) return NaN;
  const known = moments.get(cell);
  if (known !== undefined) return known;
  const ms = Date.parse(cell);
  const moment = !Number.isNaN(ms) && new Date(ms).toISOString() === cell ? ms : NaN;
  if (moments.size === MAX_MOMENTS) moments.clear();
  moments.set(cell, moment);
  return moment;
}

/** The whole number for a value; NaN where it is not of the kind. */
function numberOf(cell: Cell, kind: Kind): number {
  if (kind === 'moment') return momentOf(cell);
  return kind === 'integer' && typeof cell === 'number' && Number.isSafeInteger(cell) ? cell + 0 : NaN;
}

/** The value of a whole number. */
export function valueOf(number: number, kind: Exclude<Kind, 'dictionary'>): number | string {
  return kind === 'integer' ? number : new Date(number).toISOString();
}

/** Span of the numbers of a column from which one value is taken to be rare, and is searched for by native code. */
const MIN_SPAN_OF_RARE_VALUES = 64;

/** Types of data, the narrowest first. Any whole number fits the last. */
const NARROW = [Uint8Array, Uint16Array, Uint32Array] as const;

/** About how many bytes of memory a value of a dictionary takes, and all but the data. */
const BYTES_OF_TEXT = 100;

const packr = new Packr({ moreTypes: true, useRecords: false });

/** Numbers of values by dictionary, which most chunks share. */
const places = new WeakMap<readonly Cell[], ReadonlyMap<Cell, number>>();

function placesIn(dictionary: readonly Cell[]): ReadonlyMap<Cell, number> {
  const known = places.get(dictionary) ?? new Map(dictionary.map((cell, place) => [cell, place]));
  places.set(dictionary, known);
  return known;
}

/** A column as it is stored. */
interface Form {
  readonly kind: Kind;
  /** The values by their numbers, in order. */
  readonly dictionary: readonly Cell[];
  /** The number of rows. */
  length: number;
  least: number;
  most: number;
  /** The numbers of the rows, less the base. */
  readonly data: Uint8Array | Uint16Array | Uint32Array | Float64Array;
  readonly base: number;
}

/**
 * The values of one field in the documents of one chunk, as whole numbers that sort as the values do. So a filter is a
 * comparison of numbers, whatever the type of the field. An example of a chunk with five laps:
 *
 * | Row | `totalTime` | `createdAt` | `carId` |
 * |---|---|---|---|
 * | 0 | 61,000 | 10:00:00.000 | `c2` |
 * | 1 | 60,500 | 10:01:00.000 | `c1` |
 * | 2 | 61,200 | 10:02:00.000 | `c2` |
 * | 3 | 60,900 | 10:03:00.000 | `c3` |
 * | 4 | 62,000 | 10:04:00.000 | `c1` |
 *
 * - `totalTime` is of the kind `integer`: `base` 60,500 and `data` [500, 0, 700, 400, 1,500], which fit 16 bits each.
 * - `createdAt` is of the kind `moment`: the same with milliseconds since 1970; `data` [0, 60,000, …] in 32 bits.
 * - `carId` is of the kind `dictionary`: sorted values ['c1', 'c2', 'c3'], `base` 0 and `data` [1, 0, 1, 2, 0] in 8 bits.
 *
 * The filter `totalTime` from 60,900 to 61,200 (exclusive) has the bounds [60,900, 61,200), so `keep` reduces the rows
 * [0, 1, 2, 3, 4] to [0, 3]. The filter `carId` = `c2` has the bounds [1, 2) and reduces these to [0]. A filter of `c9` has
 * empty bounds in this chunk, so none of its rows is looked at. A value that does not fit, such as a text among integers,
 * makes the whole column a dictionary.
 */
export class Column {
  readonly form: Form;

  private constructor(form: Form) {
    this.form = form;
  }

  /** @param known a dictionary, which the column shares if its own is equal */
  static decode(bytes: Buffer, known: readonly Cell[] = []): Column {
    // Written by `encode`.
    const form = packr.unpack(bytes) as Form;
    const { dictionary } = form;
    const isKnown = dictionary.length === known.length && dictionary.every((cell, place) => cell === known[place]);
    return new Column(isKnown ? { ...form, dictionary: known } : form);
  }

  /** The first value decides what the numbers are, if all others are of its kind. */
  static of(cells: readonly Cell[]): Column {
    const kind = (['integer', 'moment'] as const).find((each) => !Number.isNaN(numberOf(cells[0], each)));
    const numbers = kind === undefined ? [NaN] : cells.map((cell) => numberOf(cell, kind));
    if (kind !== undefined && !numbers.includes(NaN)) return Column.#narrowest(kind, [], numbers);
    const dictionary = [...new Set(cells)].sort(compareCells);
    const known = placesIn(dictionary);
    return Column.#narrowest(
      'dictionary',
      dictionary,
      cells.map((cell) => known.get(cell) ?? NaN),
    );
  }

  static #narrowest(kind: Kind, dictionary: readonly Cell[], numbers: readonly number[]): Column {
    const { length } = numbers;
    const least = Math.min(...numbers);
    const most = Math.max(...numbers);
    const Narrow = NARROW.find(({ BYTES_PER_ELEMENT }) => most - least < 2 ** (8 * BYTES_PER_ELEMENT));
    const base = Narrow === undefined ? 0 : least;
    const data = new (Narrow ?? Float64Array)(CHUNK);
    for (const [row, number] of numbers.entries()) data[row] = number - base;
    return new Column({ kind, dictionary, length, least, most, data, base });
  }

  get kind(): Kind {
    return this.form.kind;
  }

  encode(): Buffer {
    return packr.pack(this.form);
  }

  /** About how many bytes it takes. */
  get bytes(): number {
    return this.form.data.byteLength + BYTES_OF_TEXT * (this.form.dictionary.length + 1);
  }

  /** The number of the value in a row. */
  number(row: number): number {
    return this.form.base + (this.form.data[row] ?? 0);
  }

  /** The value of a number. */
  cell(number: number): Cell {
    const { kind, dictionary } = this.form;
    return kind === 'dictionary' ? dictionary[number] : valueOf(number, kind);
  }

  /** The values of all rows. */
  cells(): Cell[] {
    return Array.from({ length: this.form.length }, (_, row) => this.cell(this.number(row)));
  }

  /** The number of a value; NaN where it has none. */
  #numberOf(cell: Cell): number {
    const { kind, dictionary } = this.form;
    return kind === 'dictionary' ? (placesIn(dictionary).get(cell) ?? NaN) : numberOf(cell, kind);
  }

  /** Sets the value of a row, or adds a row. False if the value does not fit: then the column has to be made anew. */
  set(row: number, cell: Cell): boolean {
    const { form } = this;
    const { data, base } = form;
    const number = this.#numberOf(cell);
    const fits = number >= base && number - base < 2 ** (8 * data.BYTES_PER_ELEMENT);
    if (!fits) return false;
    data[row] = number - base;
    form.length = Math.max(form.length, row + 1);
    form.least = Math.min(form.least, number);
    form.most = Math.max(form.most, number);
    return true;
  }

  /** The numbers of the values in an interval. */
  bounds({ from, to, isOpen = false }: Interval): Bounds {
    return [this.#place(from, 0), this.#place(to, isOpen ? 0 : 1)];
  }

  /** How much of the range of its numbers is in bounds. */
  share([from, end]: Bounds): number {
    return (end - from) / (this.form.most - this.form.least + 1);
  }

  /**
   * The first number whose value is not before `wanted` (`after` 0), or is after it (`after` 1). If there is none, the number
   * after the last.
   */
  #place(wanted: Cell, after: 0 | 1): number {
    const { kind, dictionary, least, most } = this.form;
    let first = kind === 'dictionary' ? 0 : least;
    let last = kind === 'dictionary' ? dictionary.length : most + 1;
    const known = this.#numberOf(wanted);
    if (!Number.isNaN(known)) return Math.max(first, Math.min(last, known + after));
    const isBefore = (number: number): boolean => Math.sign(compareCells(this.cell(number), wanted)) < after;
    // Most lie beyond the ends.
    if (first === last || !isBefore(first)) return first;
    if (isBefore(last - 1)) return last;
    while (first < last) {
      // Not half of the sum, which may be too large to be exact.
      const middle = first + Math.floor((last - first) / 2);
      if (isBefore(middle)) first = middle + 1;
      else last = middle;
    }
    return first;
  }

  /** Reduces the first `count` rows to those whose numbers are in bounds; returns how many there are. */
  keep([from, end]: Bounds, rows: Uint16Array, count: number): number {
    const { base, data, least, most } = this.form;
    if (from <= least && end > most) return count;
    if (count === CHUNK && end - from === 1 && most - least > MIN_SPAN_OF_RARE_VALUES) return this.#find(from, rows);
    if (most - least >= 2 ** 31) return this.#keepWide([from, end], rows, count);
    let kept = 0;
    // With 32-bit integers and without a branch it takes half the time. Each row is written to the next free place, which
    // moves on only if the row is kept: `(above - span) & ~above` is negative exactly when 0 <= above < span, and its sign bit,
    // shifted to the right by 31, is the 1 or 0 to add.
    const low = (from - base) | 0;
    const span = (end - from) | 0;
    for (let n = 0; n < count; n += 1) {
      const row = rows[n] ?? 0;
      const above = ((data[row] ?? 0) - low) | 0;
      rows[kept] = row;
      kept += ((above - span) & ~above) >>> 31;
    }
    return kept;
  }

  /** Reduces the first `count` rows to those whose values pass a test, which each value takes once. */
  keepPassing(test: (cell: Cell) => boolean, rows: Uint16Array, count: number): number {
    const results = new Map<number, boolean>();
    let kept = 0;
    for (let n = 0; n < count; n += 1) {
      const row = rows[n] ?? 0;
      const number = this.number(row);
      let passes = results.get(number);
      if (passes === undefined) {
        passes = test(this.cell(number));
        results.set(number, passes);
      }
      if (!passes) continue;
      rows[kept] = row;
      kept += 1;
    }
    return kept;
  }

  /** Finds a number that is rare among all rows: native code takes a third of the time. */
  #find(number: number, rows: Uint16Array): number {
    const { base, data } = this.form;
    let found = 0;
    let row = data.indexOf(number - base);
    while (row >= 0) {
      rows[found] = row;
      found += 1;
      row = data.indexOf(number - base, row + 1);
    }
    return found;
  }

  /** The same as `keep` for any range of numbers. */
  #keepWide([from, end]: Bounds, rows: Uint16Array, count: number): number {
    let kept = 0;
    for (const row of rows.subarray(0, count)) {
      const number = this.number(row);
      rows[kept] = row;
      kept += number >= from && number < end ? 1 : 0;
    }
    return kept;
  }
}
