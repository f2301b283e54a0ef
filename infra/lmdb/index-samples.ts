import { LRUCache } from 'lru-cache';
import type { IndexRange } from './keys.ts';

/** Entries between two samples: smaller offsets need no samples. */
export const STEP = 1_024;
/** A part of a range that has grown to this many entries is sampled again. */
const MOST = 8 * STEP;
/** Most ranges of an index that are sampled. */
const MAX_RANGES = 16;

/** A range of an index, and how it is read. */
export interface SampledRange {
  readonly start: Uint8Array;
  readonly end: Uint8Array;
  readonly reverse: boolean;
  /** The sequence numbers of a part of it. */
  readonly sequences: (range: IndexRange) => number[];
  /** The key of the entry with a sequence number. */
  readonly keyAt: (sequence: number) => Buffer | null;
}

/**
 * The keys of about every thousandth entry of some ranges of an index, in memory, because lmdb walks an offset entry by
 * entry. A range is sampled as far as its pages were requested. Writes of this process update the counts; the owner
 * clears the samples when another process has written.
 */
export class IndexSamples {
  readonly #ranges = new LRUCache<string, Samples>({ max: MAX_RANGES });

  get isEmpty(): boolean {
    return this.#ranges.size === 0;
  }

  /** The sequence numbers of a page of a range. */
  page(range: SampledRange, { offset, limit }: { readonly offset: number; readonly limit: number }): number[] {
    const { start, end, reverse, sequences } = range;
    const name = [start, end].map((key) => Buffer.from(key).toString('latin1')).join('\0') + String(reverse);
    let samples = this.#ranges.get(name);
    if (samples === undefined) this.#ranges.set(name, (samples = new Samples(range)));
    return sequences({ end, reverse, limit, ...samples.before(offset, range) });
  }

  /** An entry was put, or removed. */
  count(key: Buffer, change: 1 | -1): void {
    if (this.isEmpty) return;
    for (const [name, samples] of this.#ranges.entries()) if (!samples.count(key, change)) this.#ranges.delete(name);
  }

  clear(): void {
    this.#ranges.clear();
  }
}

/** The counted parts of a range, in order. */
class Samples {
  readonly #sign: 1 | -1;
  readonly #end: Uint8Array;
  /** The start of each part; the last part is not counted yet. */
  readonly #starts: Uint8Array[];
  /** Entries of each part. */
  readonly #counts: number[] = [];

  constructor({ start, end, reverse }: SampledRange) {
    this.#sign = reverse ? -1 : 1;
    this.#end = end;
    this.#starts = [start];
  }

  /** The key at or before an offset, and the offset from there. */
  before(offset: number, range: SampledRange): { readonly start: Uint8Array; readonly offset: number } {
    let remaining = offset;
    for (const [n, count] of this.#counts.entries()) {
      if (remaining < count) return { start: this.#starts[n] ?? range.start, offset: remaining };
      remaining -= count;
    }
    for (;;) {
      const start = this.#starts.at(-1) ?? range.start;
      if (remaining < STEP || !this.#extend(start, range)) return { start, offset: remaining };
      remaining -= STEP;
    }
  }

  /** Counts the next part; false when there is none that is full. */
  #extend(start: Uint8Array, { end, reverse, sequences, keyAt }: SampledRange): boolean {
    const [sequence] = sequences({ start, end, reverse, offset: STEP, limit: 1 });
    const key = sequence === undefined ? null : keyAt(sequence);
    if (key === null) return false;
    this.#starts.push(key);
    this.#counts.push(STEP);
    return true;
  }

  /** Adds or removes an entry; false when its part has become too large. */
  count(key: Buffer, change: 1 | -1): boolean {
    if (this.#isBefore(key, this.#starts[0] ?? key) || !this.#isBefore(key, this.#end)) return true;
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#isBefore(key, this.#starts[middle] ?? key)) high = middle;
      else low = middle;
    }
    const count = this.#counts[low];
    if (count === undefined) return true;
    this.#counts[low] = count + change;
    return count + change <= MOST;
  }

  #isBefore(key: Buffer, other: Uint8Array): boolean {
    return this.#sign * key.compare(other) < 0;
  }
}
