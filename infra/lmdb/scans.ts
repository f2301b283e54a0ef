import type { RangeOptions } from 'lmdb';
import { createYielder } from '../../src/runtime/give-way.ts';
import { isCovered, isOrdered } from '../../src/kernel/index-planner.ts';
import type { Index, Sort, Where } from '../../src/kernel/ports/read-store.ts';
import type { LmdbCollection, LmdbIndex } from './collection.ts';
import { boundsOf, type Bounds } from './keys.ts';

/** Entries that are collected before the clock is looked at. */
const COLLECTED_AT_ONCE = 512;

/** LMDB counts offsets in 32 bits. */
const MAX_OFFSET = 0xffffffff;

const ALL_IDS: Bounds = { from: Buffer.of(0), to: Buffer.of(0xff) };

export type IndexScan = ReturnType<typeof indexScan>;

/** A range of an index, or, for null, all ids: the documents that match a filter, or a part of it. */
export function indexScan(collection: LmdbCollection, index: LmdbIndex | null, { from, to }: Bounds = ALL_IDS) {
  const entries = (part: Pick<RangeOptions, 'reverse' | 'offset' | 'limit'>): Iterable<number | Uint8Array> => {
    const range = part.reverse === true ? { ...part, start: to, end: from } : { ...part, start: from, end: to };
    return index?.entries.getKeys(range) ?? collection.byId(range);
  };
  return {
    /** The sequence numbers of a page. */
    page: (part: { readonly reverse: boolean; readonly offset: number; readonly limit: number }): number[] =>
      part.offset > MAX_OFFSET ? [] : Array.from(entries(part), Number),

    sequences: (): number[] => Array.from(entries({}), Number),

    /**
     * All sequence numbers, as of the moment of the call; null for more than `most`. Collects them in steps, from one
     * snapshot: an entry that moves meanwhile is neither missed nor repeated.
     * @throws the signal's reason
     */
    collect: (most: number, signal?: AbortSignal): Promise<number[] | null> =>
      collection.reading(async () => {
        const step = createYielder(signal);
        const found: number[] = [];
        for (const sequence of entries({})) {
          if (found.length >= most) return null;
          found.push(Number(sequence));
          if (found.length % COLLECTED_AT_ONCE === 0) await step();
        }
        return found;
      }),

    count: (): number => (index === null ? collection.count() : index.entries.getKeysCount({ start: from, end: to })),

    hasMoreThan: (some: number): boolean => [...entries({ offset: some, limit: 1 })].length > 0,
  };
}

/** A scan of the index that has exactly the documents that match, in order. */
export function orderedScan(collection: LmdbCollection, where: Where, { field }: Sort): IndexScan | null {
  if (isOrdered([], where, field)) return indexScan(collection, null);
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
  return index && range ? indexScan(collection, index, range) : null;
}
