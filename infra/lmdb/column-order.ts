import { compareScalars } from '../../src/service/kernel/where.ts';
import type { Cell } from './column.ts';

/** Parts that a pass divides the documents into, by their order. */
const PARTS = 4_096;
/** Candidates that are sorted at once at least. */
const FEW = 50;

/** A document of a page: its place by the order asked for, then by that of creation, negative if these descend. */
export interface Candidate {
  readonly place: number;
  readonly created: number;
  readonly sequence: number;
}

/** The least and the most of some numbers. */
export type Range = readonly [least: number, most: number];

/** The first of some candidates, in order. */
export class Best {
  readonly #most: number;
  #held: Candidate[] = [];
  /** What comes after it is not among them. */
  last: Candidate;

  constructor(most: number, to: number) {
    this.#most = most;
    this.last = { place: to, created: Infinity, sequence: Infinity };
  }

  add(candidate: Candidate): void {
    if (compare(candidate, this.last) > 0) return;
    this.#held.push(candidate);
    if (this.#held.length < 2 * this.#most + FEW) return;
    this.#held = this.sorted();
    this.last = this.#held.at(-1) ?? this.last;
  }

  sorted(): Candidate[] {
    return this.#held.sort(compare).slice(0, this.#most);
  }
}

/** Numbers from one bound to another, counted by parts of that range. */
export class Parts {
  readonly #range: Range;
  readonly #scale: number;
  readonly #counts = new Uint32Array(PARTS);
  readonly #least = new Float64Array(PARTS).fill(Infinity);
  readonly #most = new Float64Array(PARTS).fill(-Infinity);

  constructor(range: Range) {
    const [from, to] = (this.#range = range);
    this.#scale = from === to ? 0 : PARTS / (to - from);
  }

  add(number: number): void {
    const [from, to] = this.#range;
    if (number < from || number > to) return;
    const part = Math.min(PARTS - 1, Math.floor((number - from) * this.#scale));
    this.#counts[part] = (this.#counts[part] ?? 0) + 1;
    if (number < (this.#least[part] ?? 0)) this.#least[part] = number;
    if (number > (this.#most[part] ?? 0)) this.#most[part] = number;
  }

  /** The range of the part that an offset is in, and how many numbers come before it; null past the end. */
  at(offset: number): { readonly before: number; readonly range: Range } | null {
    let before = 0;
    for (let part = 0; part < PARTS; part += 1) {
      const count = this.#counts[part] ?? 0;
      if (offset < before + count) return { before, range: [this.#least[part] ?? 0, this.#most[part] ?? 0] };
      before += count;
    }
    return null;
  }
}

export function signed([least, most]: Range, sign: 1 | -1): Range {
  return sign > 0 ? [least, most] : [-most, -least];
}

function compare(a: Candidate, b: Candidate): number {
  return a.place - b.place || a.created - b.created || a.sequence - b.sequence;
}

/** Null, false, true, numbers, strings, all else. */
export function compareCells(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareScalars(a, b);
  return rankOf(a) - rankOf(b);
}

function rankOf(cell: Cell): number {
  const types = ['boolean', 'number', 'string', 'undefined'];
  return cell === null ? -2 : types.indexOf(typeof cell) - (cell === false ? 1 : 0);
}
