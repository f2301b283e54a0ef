import { Packr } from 'msgpackr';
import { isRange } from '../../src/service/kernel/index-planner.ts';
import type { Json } from '../../src/service/kernel/json.ts';
import type { Condition, Scalar } from '../../src/service/kernel/ports/read-store.ts';
import { compareScalars } from '../../src/service/kernel/where.ts';

/** Documents of a chunk. */
export const CHUNK = 4_096;

/** The value of a field, as filters and orders see it; undefined is a list or an object, which no filter finds. */
export type Cell = Scalar | undefined;

export function cellOf(value: Json | undefined): Cell {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? undefined : value;
}

const TYPES = ['boolean', 'number', 'string', 'undefined'];

/** Null, false, true, numbers, strings, all else. */
export function compareCells(a: Cell, b: Cell): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareScalars(a, b);
  const [first = 0, second = 0] = [a, b].map((cell) =>
    cell === null ? -2 : TYPES.indexOf(typeof cell) - (cell === false ? 1 : 0),
  );
  return first - second;
}

/** An end of an interval, and its place among numbers of a kind; null where that is to be looked for. */
interface End {
  readonly cell: Cell;
  readonly integer: number | null;
  readonly moment: number | null;
}

function endOf(cell: Cell): End {
  const among = (kind: 'integer' | 'moment', other: Cell): number | null =>
    numberOf(cell, kind) ?? (typeof cell === typeof other ? null : compareCells(cell, other) * Infinity);
  return { cell, integer: among('integer', 0), moment: among('moment', '') };
}

/** Cells from one to another one, which is not among them if `isOpen`. */
export interface Interval {
  readonly from: End;
  readonly to: End;
  readonly isOpen: boolean;
}

export function interval(from: Cell, to: Cell, isOpen = false): Interval {
  return { from: endOf(from), to: endOf(to), isOpen };
}

export function intervalOf(condition: Condition): Interval {
  if (!isRange(condition)) return interval(condition, condition);
  const { from, to } = condition;
  if (typeof (from ?? to) === 'string') return interval(from ?? '', to, true);
  return interval(from ?? -Infinity, to ?? Infinity, true);
}

/** The first whole number, and that after the last one. */
export type Bounds = readonly [from: number, end: number];

/** How the values of a column are numbers: as they are, moments as their milliseconds, or by a sorted dictionary. */
type Kind = 'integer' | 'moment' | 'dictionary';

const MOMENT_LENGTH = 24;

/** Most laps are created when they are driven: the last text is parsed once for both. */
let lastText = '';
let lastMoment: number | null = null;

/** The milliseconds of a moment as JavaScript writes it; null for anything else. */
function momentOf(cell: Cell): number | null {
  if (typeof cell !== 'string' || cell.length !== MOMENT_LENGTH) return null;
  if (cell === lastText) return lastMoment;
  const ms = Date.parse(cell);
  lastText = cell;
  return (lastMoment = !Number.isNaN(ms) && new Date(ms).toISOString() === cell ? ms : null);
}

/** The whole number for a value; null where it is not of the kind. */
function numberOf(cell: Cell, kind: Kind): number | null {
  if (kind === 'moment') return momentOf(cell);
  return typeof cell === 'number' && Number.isSafeInteger(cell) ? cell + 0 : null;
}

/** Types of data, the narrowest first. Any whole number fits the last. */
const NARROW = [Uint8Array, Uint16Array, Uint32Array] as const;

/** About how many bytes of memory a value of a dictionary takes, and all but the data. */
const BYTES_OF_TEXT = 100;

const packr = new Packr({ moreTypes: true, useRecords: false });

/**
 * The values of a field of the documents of a chunk, as whole numbers in their order. The first value decides how, and
 * one that does not fit changes that.
 */
export class Column {
  kind: Kind = 'dictionary';
  /** The number of rows. */
  length = 0;
  /** The numbers of the rows, less the base. */
  data: Uint8Array | Uint16Array | Uint32Array | Float64Array = new Uint32Array(CHUNK);
  base = 0;
  /** No number is below the first or above the second. */
  least = Infinity;
  most = -Infinity;
  /** The values by their numbers, in order, and perhaps some that no row has any more. */
  dictionary: Cell[] = [];

  static decode(bytes: Buffer): Column {
    // Written by `encode`.
    return Object.assign(new Column(), packr.unpack(bytes) as Column);
  }

  /** Also makes it as narrow as it can be: it is full. */
  encode(): Buffer {
    const { data, base, least, most } = this;
    const Narrow = NARROW.find(({ BYTES_PER_ELEMENT }) => most - least < 2 ** (8 * BYTES_PER_ELEMENT));
    if (Narrow !== undefined) {
      [this.base, this.data] = [least, new Narrow(CHUNK)];
      for (let row = 0; row < CHUNK; row += 1) this.data[row] = base + (data[row] ?? 0) - least;
    }
    return packr.pack(this);
  }

  /** About how many bytes it takes. */
  get bytes(): number {
    return this.data.byteLength + BYTES_OF_TEXT * (this.dictionary.length + 1);
  }

  /** The number of the value in a row. */
  number(row: number): number {
    return this.base + (this.data[row] ?? 0);
  }

  /** The value of a number. */
  cell(number: number): Cell {
    if (this.kind === 'dictionary') return this.dictionary[number];
    return this.kind === 'integer' ? number : new Date(number).toISOString();
  }

  /** Sets the value in a row, which may be the next one. */
  set(row: number, cell: Cell): void {
    if (this.length === 0) this.#begin(cell);
    const number = this.kind === 'dictionary' ? this.#codeOf(cell) : numberOf(cell, this.kind);
    if (number === null) {
      const cells = Array.from({ length: this.length }, (_, each) => this.cell(this.number(each)));
      Object.assign(this, new Column());
      for (const [each, known] of cells.entries()) this.#put(each, this.#codeOf(known));
      this.set(row, cell);
    } else this.#put(row, number);
  }

  #begin(first: Cell): void {
    this.kind = (['integer', 'moment'] as const).find((kind) => numberOf(first, kind) !== null) ?? 'dictionary';
    // Later numbers may be smaller or larger.
    if (this.kind !== 'dictionary') this.base = (numberOf(first, this.kind) ?? 0) - 2 ** 31;
  }

  #put(row: number, number: number): void {
    const offset = number - this.base;
    if (offset < 0 || offset >= 2 ** (8 * this.data.BYTES_PER_ELEMENT)) this.#widen();
    this.data[row] = number - this.base;
    this.length = Math.max(this.length, row + 1);
    this.least = Math.min(this.least, number);
    this.most = Math.max(this.most, number);
  }

  #widen(): void {
    [this.data, this.base] = [Float64Array.from(this.data, (offset) => this.base + offset), 0];
  }

  /** The place of a value in the dictionary. A new one moves those after it. */
  #codeOf(cell: Cell): number {
    const { dictionary } = this;
    const code = this.#place({ cell, integer: null, moment: null }, [0, dictionary.length]);
    if (code < dictionary.length && compareCells(dictionary[code], cell) === 0) return code;
    dictionary.splice(code, 0, cell);
    // There may be more than fit now.
    if (this.data.BYTES_PER_ELEMENT < 4) this.#widen();
    for (let row = 0; row < this.length; row += 1)
      this.data[row] = this.number(row) + (this.number(row) < code ? 0 : 1);
    this.most = dictionary.length - 1;
    return code;
  }

  /** The numbers of the values in an interval. */
  bounds({ from, to, isOpen }: Interval): Bounds {
    const all: Bounds = this.kind === 'dictionary' ? [0, this.dictionary.length] : [this.least, this.most + 1];
    return [this.#place(from, all), this.#place(to, all, !isOpen)];
  }

  /** The first number in bounds whose value does not come before an end, or comes after it; their end if none does. */
  #place(wanted: End, [low, end]: Bounds, isAfter = false): number {
    const known = this.kind === 'dictionary' ? null : wanted[this.kind];
    if (known !== null) return Math.max(low, Math.min(end, known + (isAfter ? 1 : 0)));
    let [first, last] = [low, end];
    while (first < last) {
      // The sum of two numbers may be larger than can be told from the next one.
      const middle = first + Math.floor((last - first) / 2);
      const order = compareCells(this.cell(middle), wanted.cell);
      if (order < 0 || (isAfter && order === 0)) first = middle + 1;
      else last = middle;
    }
    return first;
  }

  /** Keeps those of the first `count` rows whose numbers are in bounds; the number of them. */
  keep([from, end]: Bounds, rows: Uint16Array, count: number): number {
    const { base, data, least, most } = this;
    if (from <= least && end > most) return count;
    let kept = 0;
    if (most - least >= 2 ** 31) {
      for (const row of rows.slice(0, count)) {
        const number = base + (data[row] ?? 0);
        rows[kept] = row;
        kept += number >= from && number < end ? 1 : 0;
      }
      return kept;
    }
    // With integers of 32 bits and without a branch, it takes half the time.
    const [low, span] = [(from - base) | 0, (end - from) | 0];
    for (let n = 0; n < count; n += 1) {
      const row = rows[n] ?? 0;
      const above = ((data[row] ?? 0) - low) | 0;
      rows[kept] = row;
      kept += ((above - span) & ~above) >>> 31;
    }
    return kept;
  }
}
