import { Packr } from 'msgpackr';
import { isRange } from '../../src/service/kernel/index-planner.ts';
import type { Json } from '../../src/service/kernel/json.ts';
import type { Condition, Scalar } from '../../src/service/kernel/ports/read-store.ts';
import { compareScalars, isWithin } from '../../src/service/kernel/where.ts';

/** Documents of a chunk. */
export const CHUNK = 4_096;

/** The value of a field, as filters and orders see it; undefined is a list or an object, which no filter finds. */
export type Cell = Scalar | undefined;

export function cellOf(value: Json | undefined): Cell {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? undefined : value;
}

/**
 * How the values of a field are held: numbers; moments as their milliseconds; anything else as the indexes of a
 * dictionary.
 */
export type Kind = 'number' | 'moment' | 'dictionary';

/** Number of codes of a dictionary. */
const CODES = 2 ** 16;
const UINT32 = 2 ** 32;

/** About how many bytes of memory a value of a dictionary takes. */
const BYTES_OF_TEXT = 100;

/** What a column holds, and what is stored of it. */
interface Held {
  kind: Kind;
  /** What is added to the data of numbers. */
  base: number;
  data: Uint16Array | Uint32Array | Float64Array;
  /** The values of a dictionary by their codes, and perhaps some that it has no more. */
  dictionary: Cell[];
  /** The number of rows. */
  length: number;
  /** No number is below or above these. */
  least: number;
  most: number;
}

const packr = new Packr({ moreTypes: true, useRecords: false });

/** Bounds of numbers, or of the milliseconds of moments, both included. */
type Bounds = readonly [from: number, to: number];

/** A condition on a field, as columns of each kind take it. */
export interface Test {
  readonly condition: Condition;
  readonly number: Bounds;
  readonly moment: Bounds;
}

export function testOf(condition: Condition): Test {
  return { condition, number: boundsOf(condition, 'number'), moment: boundsOf(condition, 'moment') };
}

function boundsOf(condition: Condition, kind: 'number' | 'moment'): Bounds {
  if (!isRange(condition)) {
    const number = numberOf(condition, kind) ?? NaN;
    return [number, number];
  }
  const end = (value: number | string | undefined, open: number): number => {
    if (value === undefined) return open;
    if (kind === 'number') return typeof value === 'number' ? value : NaN;
    return typeof value === 'string' ? (numberOf(value, kind) ?? firstMoment(value)) : NaN;
  };
  return [end(condition.from, -Infinity), below(end(condition.to, Infinity))];
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The number before another one. */
export function below(number: number): number {
  if (number === 0) return -Number.MIN_VALUE;
  double[0] = number;
  bits[0] = (bits[0] ?? 0n) - BigInt(Math.sign(number) || 0);
  return double[0];
}

/** The first and the last moment of a year of four digits, in ms. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');
const MOMENT_LENGTH = 24;

/** The first moment, in ms, whose text does not come before another text. */
function firstMoment(text: string): number {
  let [low, high] = [FIRST_MOMENT, LAST_MOMENT + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (compareScalars(new Date(middle).toISOString(), text) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Most laps are created when they are driven: the last text is parsed once for both. */
let lastText = '';
let lastMoment: number | null = null;

/** The number for a value in a column of a kind; null where it does not fit that kind. */
export function numberOf(cell: Cell, kind: 'number' | 'moment'): number | null {
  if (kind === 'number') return typeof cell === 'number' ? cell + 0 : null;
  if (typeof cell !== 'string' || cell.length !== MOMENT_LENGTH) return null;
  if (cell === lastText) return lastMoment;
  const ms = Date.parse(cell);
  lastText = cell;
  return (lastMoment = !Number.isNaN(ms) && new Date(ms).toISOString() === cell ? ms : null);
}

/** The kind of column that begins with a value. */
function kindOf(cell: Cell): Kind {
  if (typeof cell === 'number') return 'number';
  return numberOf(cell, 'moment') === null ? 'dictionary' : 'moment';
}

/** A column of a kind, whose first value is this one. */
function holding(kind: Kind, first: Cell): Held {
  const data = kind === 'dictionary' ? new Uint16Array(CHUNK) : new Uint32Array(CHUNK);
  const number = kind === 'dictionary' ? 0 : (numberOf(first, kind) ?? 0);
  // Later numbers may be smaller or larger.
  const base = number >= 0 && number < UINT32 ? 0 : Math.floor(number) - UINT32 / 2;
  return { kind, base, data, dictionary: [], length: 0, least: Infinity, most: -Infinity };
}

/** The values of a field of the documents of a chunk. The first decides its kind, and one that does not fit changes it. */
export class Column {
  #held = holding('dictionary', null);
  #codes: Map<Cell, number> | null = null;

  static decode(bytes: Buffer): Column {
    const column = new Column();
    // Written by `encode`.
    column.#held = packr.unpack(bytes) as Held;
    return column;
  }

  encode(): Buffer {
    this.#codes = null;
    return packr.pack(this.#held);
  }

  get held(): Readonly<Held> {
    return this.#held;
  }

  /** About how many bytes it takes. */
  get bytes(): number {
    return this.#held.data.byteLength + BYTES_OF_TEXT * this.#held.dictionary.length + BYTES_OF_TEXT;
  }

  /** The value in a row. */
  at(row: number): Cell {
    const { kind, base, data, dictionary } = this.#held;
    const number = base + (data[row] ?? 0);
    if (kind === 'dictionary') return dictionary[number];
    return kind === 'number' ? number : new Date(number).toISOString();
  }

  /** Sets the value in a row, which may be the next one. */
  set(row: number, cell: Cell): void {
    if (this.#held.length === 0) this.#held = holding(kindOf(cell), cell);
    const { kind, base, data } = this.#held;
    const number = kind === 'dictionary' ? this.#codeOf(cell) : numberOf(cell, kind);
    if (number === null) {
      this.#refill();
      this.set(row, cell);
      return;
    }
    const offset = number - base;
    const isExact = Number.isInteger(offset) && offset >= 0 && offset < UINT32 && base + offset === number;
    if (isExact || base === 0) data[row] = offset;
    if (!isExact && data instanceof Uint32Array) {
      const numbers = Float64Array.from(data, (each) => base + each);
      numbers[row] = number;
      this.#held = { ...this.#held, data: numbers, base: 0 };
    }
    this.#held.least = Math.min(this.#held.least, number);
    this.#held.most = Math.max(this.#held.most, number);
    this.#held.length = Math.max(this.#held.length, row + 1);
  }

  /** The code of a value; null when there is no room for another one. */
  #codeOf(cell: Cell): number | null {
    const { dictionary } = this.#held;
    this.#codes ??= new Map(dictionary.map((each, code) => [each, code]));
    const known = this.#codes.get(cell);
    if (known !== undefined) return known;
    if (dictionary.length === CODES) return null;
    this.#codes.set(cell, dictionary.length);
    return dictionary.push(cell) - 1;
  }

  /** Holds the same values by a new dictionary. */
  #refill(): void {
    const cells = Array.from({ length: this.#held.length }, (_, row) => this.at(row));
    this.#held = { ...holding('dictionary', null), length: cells.length };
    this.#codes = null;
    for (const [row, cell] of cells.entries()) this.#held.data[row] = this.#codeOf(cell) ?? 0;
  }

  /** Keeps those of the first `count` rows whose values pass a test; the number of them. */
  keep(test: Test, rows: Uint16Array, count: number): number {
    const { kind, dictionary, least, most } = this.#held;
    const { condition } = test;
    if (kind === 'dictionary') {
      const fits = new Uint8Array(dictionary.length);
      if (isRange(condition))
        for (const [code, cell] of dictionary.entries()) fits[code] = Number(isWithin(cell, condition));
      else {
        const code = dictionary.indexOf(condition);
        if (code < 0) return 0;
        fits[code] = 1;
      }
      return this.#keepCodes(fits, rows, count);
    }
    const [from, to] = test[kind];
    if (!(from <= most && to >= least)) return 0;
    return from <= least && to >= most ? count : this.#keepBetween(test[kind], rows, count);
  }

  #keepBetween([from, to]: Bounds, rows: Uint16Array, count: number): number {
    const { data, base } = this.#held;
    let kept = 0;
    for (let n = 0; n < count; n += 1) {
      const row = rows[n] ?? 0;
      const number = base + (data[row] ?? 0);
      rows[kept] = row;
      kept += number >= from && number <= to ? 1 : 0;
    }
    return kept;
  }

  #keepCodes(fits: Uint8Array, rows: Uint16Array, count: number): number {
    const { data } = this.#held;
    let kept = 0;
    for (let n = 0; n < count; n += 1) {
      const row = rows[n] ?? 0;
      rows[kept] = row;
      kept += fits[data[row] ?? 0] ?? 0;
    }
    return kept;
  }

  /** Writes the number by which a row is ordered, for the first `count` rows of some. */
  numbers(rows: Uint16Array, count: number, { kind, numberFor, target }: Ranking): void {
    const { data, base, dictionary } = this.#held;
    if (this.#held.kind === kind) for (let n = 0; n < count; n += 1) target[n] = base + (data[rows[n] ?? 0] ?? 0);
    else if (this.#held.kind === 'dictionary') {
      const byCode = Float64Array.from(dictionary, numberFor);
      for (let n = 0; n < count; n += 1) target[n] = byCode[data[rows[n] ?? 0] ?? 0] ?? 0;
    } else for (let n = 0; n < count; n += 1) target[n] = numberFor(this.at(rows[n] ?? 0));
  }
}

/** How values are ordered, as numbers: those of columns of `kind` by themselves, others as `numberFor` says. */
export interface Ranking {
  readonly kind: Kind | null;
  readonly numberFor: (cell: Cell) => number;
  readonly target: Float64Array;
}
