import type { Document, FindOptions, Index, Sort, Where } from '../../src/kernel/ports/read-store.ts';
import { sameFields } from './collection.ts';
import type { LmdbCollection, Walk } from './collection.ts';
import { indexKey, rangeOf, sequenceOf } from './keys.ts';

/** Documents that are read in one go; the event loop gets its turn between batches. */
const BATCH = 200;
/**
 * Sort keys that a scan without an index holds at most (twice this for a moment); it goes over the documents again for
 * the next ones.
 */
const MAX_HELD = 20_000;
/** LMDB counts offsets in 32 bits. */
const MAX_OFFSET = 0xffffffff;

/** A document and where it is. */
interface Located {
  readonly sequence: number;
  readonly document: Document;
}

/** Matching documents in order, as an index has them. */
interface Ordered {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly walk: (walk: Walk) => number[];
  /** How many there are, where that is known without walking them. */
  readonly total: () => number | null;
  readonly count: () => number;
}

/** A part of the matching documents. */
interface Page {
  readonly reverse: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** The documents of one page, by an index; null when there is none for this query. */
export function findByIndex(
  collection: LmdbCollection,
  { where, sort, offset, limit }: FindOptions,
): Document[] | null {
  const ordered = orderedBy(collection, where, sort);
  if (ordered === null) return null;
  const sequences = pageOf(ordered, { reverse: sort.direction === 'desc', offset, limit });
  return sequences.map((sequence) => collection.at(sequence)).filter((document) => document !== null);
}

/** The documents of one page by going over all that match, in passes of bounded memory. */
export async function findByScan(collection: LmdbCollection, query: FindOptions): Promise<Document[]> {
  const { where, sort, offset, limit } = query;
  const found: Document[] = [];
  let skip = offset;
  for await (const held of sortedScan(collection, where, { sort, wanted: offset + limit })) {
    for (const sequence of held.slice(skip, skip + limit - found.length)) {
      const document = collection.at(sequence);
      if (document !== null) found.push(document);
    }
    skip = Math.max(0, skip - held.length);
    if (found.length >= limit) break;
  }
  return found;
}

/** The number of matching documents where an index or the collection knows it; otherwise null. */
export function countByIndex(collection: LmdbCollection, where: Where): number | null {
  const ordered = covering(collection, where);
  return ordered?.count() ?? null;
}

export async function countByScan(collection: LmdbCollection, where: Where): Promise<number> {
  let count = 0;
  for (const batch of batches(collection, where)) {
    count += batch.length;
    await turn();
  }
  return count;
}

/**
 * Every matching document once, in batches, reading each batch as it is then. Documents that an index selects or orders
 * are noted at the start, by eight bytes each, so that none is missed or repeated when it moves meanwhile.
 */
export async function* streamOf(collection: LmdbCollection, where: Where, sort?: Sort): AsyncGenerator<Document[]> {
  if (sort === undefined) {
    for (const batch of batches(collection, where)) {
      if (batch.length > 0) yield batch.map(({ document }) => document);
      await turn();
    }
    return;
  }
  const ordered = orderedBy(collection, where, sort);
  const passes =
    ordered === null
      ? sortedScan(collection, where, { sort, wanted: Infinity })
      : [pageOf(ordered, { reverse: sort.direction === 'desc', offset: 0, limit: MAX_OFFSET })];
  for await (const sequences of passes) {
    for (let from = 0; from < sequences.length; from += BATCH) {
      const batch = located(collection, sequences.slice(from, from + BATCH), where);
      if (batch.length > 0) yield batch.map(({ document }) => document);
      await turn();
    }
  }
}

/**
 * Where all matching documents are, in eight bytes each: from an index when one covers `where`, or else by going over
 * all documents in one go.
 */
export function sequencesOf(collection: LmdbCollection, where: Where): number[] {
  const ordered = covering(collection, where);
  if (ordered !== null) return ordered.walk({ start: ordered.from, end: ordered.to });
  const found: number[] = [];
  for (const batch of scanBatches(collection, where)) for (const { sequence } of batch) found.push(sequence);
  return found;
}

/**
 * All matching documents in batches, in no useful order, each once: from an index that covers `where`, or else from all
 * documents.
 */
export function* batches(collection: LmdbCollection, where: Where): Generator<readonly Located[]> {
  const ordered = Object.keys(where).length === 0 ? null : covering(collection, where);
  if (ordered === null) {
    yield* scanBatches(collection, where);
    return;
  }
  const sequences = ordered.walk({ start: ordered.from, end: ordered.to });
  for (let from = 0; from < sequences.length; from += BATCH) {
    yield located(collection, sequences.slice(from, from + BATCH), where);
  }
}

function* scanBatches(collection: LmdbCollection, where: Where): Generator<readonly Located[]> {
  for (let last = 0; ;) {
    const batch = collection.after(last, BATCH);
    const end = batch.at(-1);
    if (end === undefined) return;
    yield batch.filter(({ document }) => matches(document, where));
    last = end.sequence;
  }
}

function located(collection: LmdbCollection, sequences: readonly number[], where: Where): Located[] {
  const found: Located[] = [];
  for (const sequence of sequences) {
    const document = collection.at(sequence);
    if (document !== null && matches(document, where)) found.push({ sequence, document });
  }
  return found;
}

/** The matching documents in order, at most MAX_HELD of them in memory at a time: each pass takes the next ones. */
async function* sortedScan(
  collection: LmdbCollection,
  where: Where,
  { sort, wanted }: { sort: Sort; wanted: number },
): AsyncGenerator<number[]> {
  const sign = sort.direction === 'asc' ? 1 : -1;
  const compare = (a: Buffer, b: Buffer): number => sign * a.compare(b);
  const room = Math.min(MAX_HELD, wanted);
  for (let last: Buffer | null = null, left = wanted; left > 0; left -= room) {
    let held: Buffer[] = [];
    for (const batch of batches(collection, where)) {
      const keys = batch.map(({ sequence, document }) => Buffer.from(indexKey([sort.field], document, sequence)));
      held.push(...following(keys, last, compare));
      if (held.length > 2 * room) held = held.sort(compare).slice(0, room);
      await turn();
    }
    held = held.sort(compare).slice(0, room);
    yield held.map((key) => sequenceOf(key, 0, key.length));
    last = held.at(-1) ?? null;
    if (held.length < room) return;
  }
}

function following(keys: Buffer[], last: Buffer | null, compare: (a: Buffer, b: Buffer) => number): Buffer[] {
  return last === null ? keys : keys.filter((key) => compare(key, last) > 0);
}

/** A page of an ordered index; a deep one is walked from the nearer end where the length is known. */
function pageOf({ from, to, total, walk }: Ordered, page: Page): number[] {
  const { reverse, offset, limit } = page;
  if (offset > MAX_OFFSET || limit <= 0) return [];
  const forwards = { start: from, end: to, reverse: false };
  const backwards = { start: to, end: from, reverse: true };
  const length = offset > limit ? total() : null;
  if (length === null || offset <= length / 2) return walk({ ...(reverse ? backwards : forwards), offset, limit });
  const fewer = Math.min(limit, length - offset);
  if (fewer <= 0) return [];
  const left = length - offset - fewer;
  return walk({ ...(reverse ? forwards : backwards), offset: left, limit: fewer }).reverse();
}

/** The index that has exactly the fields of `where`, in any order, and then the sort field. */
function orderedBy(collection: LmdbCollection, where: Where, sort: Sort): Ordered | null {
  const fields = Object.keys(where);
  const last = sort.field === 'id' || fields.includes(sort.field) ? [] : [sort.field];
  return ordering(collection, where, (index) => sameFields(index.slice(fields.length), last));
}

/** An index whose first fields are those of `where`, in any order. */
function covering(collection: LmdbCollection, where: Where): Ordered | null {
  return ordering(collection, where, () => true);
}

function ordering(collection: LmdbCollection, where: Where, suits: (index: Index) => boolean): Ordered | null {
  const fields = Object.keys(where);
  const all = fields.length === 0;
  if (all && suits([])) return byId(collection);
  const index = collection.indexes.find((each) => startsWithAll(each.fields, fields) && suits(each.fields));
  if (index === undefined) return null;
  const range = rangeOf(index.fields.slice(0, fields.length).map((field) => where[field] ?? null));
  if (range === null) return null;
  return {
    ...range,
    walk: (walk) => [...index.entries.getKeys({ ...walk })].map(Number),
    total: () => (all ? collection.count() : null),
    count: () => index.entries.getKeysCount({ start: range.from, end: range.to }),
  };
}

function byId(collection: LmdbCollection): Ordered {
  const count = (): number => collection.count();
  return { from: Buffer.of(0), to: Buffer.of(0xff), walk: (walk) => collection.byId(walk), total: count, count };
}

function startsWithAll(index: readonly string[], fields: readonly string[]): boolean {
  const first = index.slice(0, fields.length);
  return first.length === fields.length && fields.every((field) => first.includes(field));
}

function matches(document: Document, where: Where): boolean {
  return Object.entries(where).every(([field, value]) => (document[field] ?? null) === value);
}

/** Lets other work of the process go on. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
