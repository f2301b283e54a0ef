import { createYielder } from '../../src/service/domain/give-way.ts';
import { isCovered, isOrdered } from '../../src/service/kernel/index-planner.ts';
import type { Index, Sort, Where } from '../../src/service/kernel/ports/read-store.ts';
import type { LmdbCollection, LmdbIndex } from './collection.ts';
import { boundsOf, type Bounds, type IndexRange } from './keys.ts';

/** Entries that are collected before the clock is looked at. */
const COLLECTED_AT_ONCE = 512;

/** LMDB counts offsets in 32 bits. */
const MAX_OFFSET = 0xffffffff;

/** What is collected: at most so many entries. */
interface CollectOptions {
  readonly most: number;
  readonly reverse?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A range of an index, or of the ids: the documents that match a filter, or a part of it. */
export class IndexScan {
  readonly #collection: LmdbCollection;
  /** Null for the ids. */
  readonly #index: LmdbIndex | null;
  readonly #range: Bounds;

  /** @param range its bounds; by default, all ids */
  constructor(collection: LmdbCollection, index: LmdbIndex | null = null, range: Bounds = ALL_IDS) {
    this.#collection = collection;
    this.#index = index;
    this.#range = range;
  }

  /** The sequence numbers of a part, by default of all. */
  sequences(part: Pick<IndexRange, 'reverse' | 'offset' | 'limit'> = {}): number[] {
    const { offset = 0, limit = 1 } = part;
    return offset > MAX_OFFSET || limit <= 0 ? [] : Array.from(this.#entries(part), Number);
  }

  /**
   * All sequence numbers, as of the moment of the call; null for more than `most`. Collects them in steps, from one
   * snapshot: an entry that moves meanwhile is neither missed nor repeated.
   * @throws the signal's reason
   */
  collect({ most, reverse = false, signal }: CollectOptions): Promise<number[] | null> {
    return this.#collection.reading(async () => {
      const step = createYielder(signal);
      const found: number[] = [];
      for (const sequence of this.#entries({ reverse })) {
        if (found.length >= most) return null;
        found.push(Number(sequence));
        if (found.length % COLLECTED_AT_ONCE === 0) await step();
      }
      return found;
    });
  }

  count(): number {
    const { from: start, to: end } = this.#range;
    return this.#index === null ? this.#collection.count() : this.#index.entries.getKeysCount({ start, end });
  }

  hasMoreThan(entries: number): boolean {
    return this.sequences({ offset: entries, limit: 1 }).length > 0;
  }

  #entries({ reverse = false, ...part }: Omit<IndexRange, 'start' | 'end'>): Iterable<number | Uint8Array> {
    const { from, to } = this.#range;
    const range = { ...part, reverse, start: reverse ? to : from, end: reverse ? from : to };
    return this.#index?.entries.getKeys(range) ?? this.#collection.byId(range);
  }
}

const ALL_IDS: Bounds = { from: Buffer.of(0), to: Buffer.of(0xff) };

/** A scan of the index that has exactly the documents that match, in order. */
export function orderedScan(collection: LmdbCollection, where: Where, { field }: Sort): IndexScan | null {
  if (isOrdered([], where, field)) return new IndexScan(collection);
  return scanOf(collection, where, (fields) => isOrdered([fields], where, field));
}

/** A scan of an index that has exactly the documents that match a filter. */
export function coveringScan(collection: LmdbCollection, where: Where): IndexScan | null {
  return scanOf(collection, where, (fields) => isCovered([fields], where));
}

/** The entries of the first index that fits, whose first fields match the filter. */
function scanOf(collection: LmdbCollection, where: Where, fits: (fields: Index) => boolean): IndexScan | null {
  const index = collection.indexes.find(({ fields }) => fits(fields));
  const range = index && boundsOf(index.fields.slice(0, Object.keys(where).length), where);
  return index && range ? new IndexScan(collection, index, range) : null;
}
