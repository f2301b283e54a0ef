import { Yielder } from '../../src/service/domain/give-way.ts';
import { coveredBy, isCovered, isOrdered } from '../../src/service/kernel/index-planner.ts';
import type { Sort, Where } from '../../src/service/kernel/ports/read-store.ts';
import type { LmdbCollection, LmdbIndex } from './collection.ts';
import type { IndexRange } from './keys.ts';

/** Entries that are collected before the clock is looked at. */
const COLLECTED_AT_ONCE = 512;

/** LMDB counts offsets in 32 bits. */
const MAX_OFFSET = 0xffffffff;

/** A part of the entries of a scan. */
export interface Page {
  readonly reverse: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Options of collecting all entries of a scan. */
interface CollectOptions {
  readonly most: number;
  readonly reverse?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A range of an index, or of the ids: the documents that match a filter, or a part of it. */
export class IndexScan {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly #collection: LmdbCollection;
  /** Null for the ids. */
  readonly #index: LmdbIndex | null;

  /** @param range its bounds; by default, all ids */
  constructor(
    collection: LmdbCollection,
    index: LmdbIndex | null = null,
    range: { readonly from: Uint8Array; readonly to: Uint8Array } = ALL_IDS,
  ) {
    this.#collection = collection;
    this.#index = index;
    this.from = range.from;
    this.to = range.to;
  }

  sequences(range: IndexRange = { start: this.from, end: this.to }): number[] {
    if (this.#index === null) return [...this.#collection.byId(range)];
    const found: number[] = [];
    for (const sequence of this.#index.entries.getKeys({ ...range })) found.push(Number(sequence));
    return found;
  }

  /**
   * All sequence numbers, as of the moment of the call; null for more than `most`. Collects them in steps, from one
   * snapshot: an entry that moves meanwhile is neither missed nor repeated.
   * @throws the signal's reason
   */
  collect({ most, reverse = false, signal }: CollectOptions): Promise<number[] | null> {
    const [start, end] = reverse ? [this.to, this.from] : [this.from, this.to];
    return this.#collection.reading(async () => {
      const yielder = new Yielder(signal);
      const found: number[] = [];
      const range = { start, end, reverse };
      for (const sequence of this.#index?.entries.getKeys(range) ?? this.#collection.byId(range)) {
        if (found.length >= most) return null;
        found.push(Number(sequence));
        if (found.length % COLLECTED_AT_ONCE === 0) await yielder.step();
      }
      return found;
    });
  }

  /** The sequence numbers of a page. */
  page({ reverse, ...part }: Page): number[] {
    if (part.offset > MAX_OFFSET || part.limit <= 0) return [];
    const [start, end] = reverse ? [this.to, this.from] : [this.from, this.to];
    return this.sequences({ start, end, reverse, ...part });
  }

  count(): number {
    if (this.#index === null) return this.#collection.count();
    return this.#index.entries.getKeysCount({ start: this.from, end: this.to });
  }

  hasMoreThan(entries: number): boolean {
    const offset = Math.min(entries, MAX_OFFSET);
    return this.sequences({ start: this.from, end: this.to, offset, limit: 1 }).length > 0;
  }
}

const ALL_IDS = { from: Buffer.of(0), to: Buffer.of(0xff) };

/** A scan of the index that has exactly the documents that match, in order. */
export function orderedScan(collection: LmdbCollection, where: Where, sort: Sort): IndexScan | null {
  const isAll = Object.keys(where).length === 0;
  if (isAll && isOrdered([], where, sort.field)) return new IndexScan(collection);
  const index = collection.indexes.find(({ fields }) => isOrdered([fields], where, sort.field));
  return index === undefined ? null : scanOf(collection, index, where);
}

/** A scan of an index that has exactly the documents that match. */
export function coveringScan(collection: LmdbCollection, where: Where): IndexScan | null {
  if (Object.keys(where).length === 0) return new IndexScan(collection);
  const index = collection.indexes.find(({ fields }) => isCovered([fields], where));
  return index === undefined ? null : scanOf(collection, index, where);
}

/** A scan by each part of the filter that an index begins with; those of the same fields have the same entries. */
export function scansFor(collection: LmdbCollection, where: Where): IndexScan[] {
  const parts = new Set(['']);
  return collection.indexes.flatMap((index) => {
    const part = coveredBy(index.fields, where);
    const fields = Object.keys(part).join();
    if (parts.has(fields)) return [];
    parts.add(fields);
    return scanOf(collection, index, part) ?? [];
  });
}

/** The scan that has the fewest entries, if these are at most `most`; and their number. Counting takes long. */
export async function bestScan(
  scans: readonly IndexScan[],
  most: number,
  signal?: AbortSignal,
): Promise<{ readonly scan: IndexScan; readonly entries: number } | null> {
  const yielder = new Yielder(signal);
  let best: IndexScan | null = null;
  let least = most;
  for (const scan of scans) {
    await yielder.step();
    if (scan.hasMoreThan(least)) continue;
    best = scan;
    least = scan.count();
    if (least === 0) break;
  }
  return best && { scan: best, entries: least };
}

/** The entries of an index whose first fields match a filter of just these. */
function scanOf(collection: LmdbCollection, index: LmdbIndex, where: Where): IndexScan | null {
  const conditions = Object.keys(where).length;
  const range = collection.keys.range(index.fields.slice(0, conditions), where);
  return range === null ? null : new IndexScan(collection, index, range);
}
