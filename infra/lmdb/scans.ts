import {
  coveredBy,
  isCovered,
  isOrdered,
  isRange,
  orderedParts,
  type Condition,
  type Scalar,
  type Sort,
  type Where,
} from '../../src/service/kernel/ports/read-store.ts';
import type { LmdbCollection, LmdbIndex } from './collection.ts';
import { STEP } from './index-samples.ts';
import type { IndexRange, StoredDocument } from './keys.ts';

/** LMDB counts offsets in 32 bits. */
export const MAX_OFFSET = 0xffffffff;

/** A range of an index whose entries are the documents that match a filter, or a part of it. */
export interface IndexScan {
  /** The key of the entry of a document. */
  readonly keyOf: (stored: StoredDocument) => Buffer;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly sequences: (range: IndexRange) => number[];
  /** The sequence numbers of a page, which may be far from where the range, in this order, begins. */
  readonly page: (page: Page) => number[];
  /** The number of entries where that is known without reading them, else null. */
  readonly total: () => number | null;
  readonly count: () => number;
}

/** A part of the entries of a scan. */
export interface Page {
  readonly reverse: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Whether a scan has more entries than that. */
export function hasMoreThan({ from, to, sequences }: IndexScan, entries: number): boolean {
  return sequences({ start: from, end: to, offset: Math.min(entries, MAX_OFFSET), limit: 1 }).length > 0;
}

/** A scan of the index that has exactly the documents that match, in order. */
export function orderedScan(collection: LmdbCollection, where: Where, sort: Sort): IndexScan | null {
  const isAll = Object.keys(where).length === 0;
  if (isAll && isOrdered([], where, sort.field)) return byId(collection);
  const index = collection.indexes.find(({ fields }) => isOrdered([fields], where, sort.field));
  return index === undefined ? null : scanOf(collection, index, where);
}

/** Scans of indexes that have the documents in order, of more than match; those with the most of the filter first. */
export function orderedScans(collection: LmdbCollection, where: Where, sort: Sort): IndexScan[] {
  const parts = orderedParts(
    collection.indexes.map(({ fields }) => fields),
    where,
    sort.field,
  );
  return parts.flatMap((part) => orderedScan(collection, part, sort) ?? []);
}

/** A scan of an index that has exactly the documents that match. */
export function coveringScan(collection: LmdbCollection, where: Where): IndexScan | null {
  if (Object.keys(where).length === 0) return byId(collection);
  const index = collection.indexes.find(({ fields }) => isCovered([fields], where));
  return index === undefined ? null : scanOf(collection, index, where);
}

/** The scan with the fewest entries, and no more than `most`, of an index that finds documents by a part of a filter. */
export function bestScan(collection: LmdbCollection, where: Where, most: number): IndexScan | null {
  let best: IndexScan | null = null;
  let least = most;
  for (const index of collection.indexes) {
    const part = coveredBy(index.fields, where);
    const scan = Object.keys(part).length === 0 ? null : scanOf(collection, index, part);
    if (scan === null || hasMoreThan(scan, least)) continue;
    best = scan;
    least = scan.count();
    if (least === 0) break;
  }
  return best;
}

/** A scan with its pages. */
function withPages(collection: LmdbCollection, scan: Omit<IndexScan, 'page'>, index?: LmdbIndex): IndexScan {
  const { from, to, sequences, keyOf } = scan;
  const keyAt = (sequence: number): Buffer | null => {
    const document = collection.at(sequence);
    return document === null ? null : keyOf({ document, sequence });
  };
  const page = ({ reverse, ...part }: Page): number[] => {
    const ends = reverse ? { start: to, end: from } : { start: from, end: to };
    if (part.offset < STEP) return sequences({ ...ends, reverse, ...part });
    return collection.samplesOf(index).page({ ...ends, reverse, sequences, keyAt }, part);
  };
  return { ...scan, page };
}

/** The entries of an index whose first fields match a filter of just these. */
function scanOf(collection: LmdbCollection, index: LmdbIndex, where: Where): IndexScan | null {
  const { fields, entries } = index;
  const conditions = fields.slice(0, Object.keys(where).length).map((field) => where[field] ?? null);
  const last = conditions.at(-1);
  const range = isRange(last)
    ? collection.keys.range(conditions.slice(0, -1).filter(isScalar), last)
    : collection.keys.range(conditions.filter(isScalar));
  if (range === null) return null;
  const isIn = (key: Buffer): boolean => key.compare(range.from) >= 0 && key.compare(range.to) < 0;
  const scan = {
    ...range,
    keyOf: (stored: StoredDocument) => collection.keys.all(fields, stored).find(isIn) ?? range.from,
    sequences: (part: IndexRange) => [...entries.getKeys({ ...part })].map(Number),
    total: () => (conditions.length === 0 ? collection.count() : null),
    count: () => entries.getKeysCount({ start: range.from, end: range.to }),
  };
  return withPages(collection, scan, index);
}

function isScalar(condition: Condition): condition is Scalar {
  return !isRange(condition);
}

function byId(collection: LmdbCollection): IndexScan {
  const count = (): number => collection.count();
  const sequences = (range: IndexRange): number[] => collection.byId(range);
  const keyOf = ({ document }: StoredDocument): Buffer => Buffer.from(collection.keys.id(document.id));
  return withPages(collection, { keyOf, from: Buffer.of(0), to: Buffer.of(0xff), sequences, total: count, count });
}
