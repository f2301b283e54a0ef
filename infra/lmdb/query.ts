import { giveWay } from '../../src/service/domain/give-way.ts';
import { roughBytesOf } from '../../src/service/kernel/json.ts';
import { areColumns, isRange } from '../../src/service/kernel/index-planner.ts';
import { OverBudget } from '../../src/service/kernel/ports/errors.ts';
import {
  ENTRIES_PER_DOCUMENT,
  MAX_DOCUMENTS_BYTES,
  type Document,
  type FindOptions,
  type QueryBounds,
  type Sort,
  type StreamOptions,
  type Where,
} from '../../src/service/kernel/ports/read-store.ts';
import { matches } from '../../src/service/kernel/where.ts';
import type { LmdbCollection } from './collection.ts';
import { below } from './column.ts';
import { ColumnScan, type Walk } from './column-scan.ts';
import type { Columns } from './columns.ts';
import { sequenceOf, type StoredDocument } from './keys.ts';
import { bestScan, coveringScan, orderedScan, scansFor, type IndexScan, type Page } from './scans.ts';

/** Documents read in one batch, of MAX_DOCUMENTS_BYTES; other work of the event loop runs between batches. */
const BATCH = 50;
/**
 * Most sort keys that a scan without an index holds in memory (briefly twice as many); for more it scans the documents
 * again.
 */
const MAX_SORT_KEYS = 20_000;
/** Entries of an index that are passed over faster than columns are searched. */
const FEW_ENTRIES = 1_000;
/** Most entries that are collected from an index in one turn of the event loop, however few the documents are. */
const MANY_ENTRIES = 50_000;

/** The documents of one page, read by an index; null when no index fits the query. */
export function findByIndex(collection: LmdbCollection, query: FindOptions): Document[] | null {
  const { where, sort, offset, limit, budget, visits } = query;
  const ordered = orderedScan(collection, where, sort);
  if (ordered === null) return null;
  if (offset > FEW_ENTRIES && columnsFor(collection, [...Object.keys(where), sort.field]) !== null) return null;
  if (budget !== undefined && !isNear(ordered, { offset, limit }, budget)) return [];
  const sequences = ordered.page({ reverse: sort.direction === 'desc', offset, limit });
  if (visits) visits.documents += sequences.length;
  return collection.read(sequences, query.maxBytes);
}

/** Whether a page is before the end. @throws {OverBudget} when it is too far from the start. */
function isNear(scan: IndexScan, { offset, limit }: Omit<Page, 'reverse'>, budget: number): boolean {
  const entries = budget * ENTRIES_PER_DOCUMENT;
  if (limit > budget) throw new OverBudget(budget);
  if (offset <= entries) return true;
  if (scan.hasMoreThan(entries)) throw new OverBudget(budget);
  return false;
}

/** How many documents a scan visits that columns or an index narrow by the filter; Infinity for more than `most`. */
async function visitedBy(collection: LmdbCollection, where: Where, most: number): Promise<number> {
  const columns = columnsFor(collection, Object.keys(where));
  if (columns !== null) return new ColumnScan(columns, where).count();
  const best = await bestScan(scansFor(collection, where), most);
  if (best !== null) return best.entries;
  const all = collection.count();
  return all > most ? Infinity : all;
}

/** The documents of a page that no index has: found by columns, or by scanning what an index finds by the filter. */
export async function findWithoutIndex(collection: LmdbCollection, query: FindOptions): Promise<Document[]> {
  const { where, sort, limit, budget = Infinity, signal, visits } = query;
  if (limit <= 0) return [];
  const columns = columnsFor(collection, [...Object.keys(where), sort.field]);
  if (columns !== null) {
    const scan = new ColumnScan(columns, where, signal);
    if (visits) visits.documents += scan.chunks;
    return collection.read(await scan.page(query, walkOf(collection, query)), query.maxBytes);
  }
  if ((await visitedBy(collection, where, budget)) > budget) throw new OverBudget(budget);
  return findByScan(collection, query);
}

/** How an index walks on to a page from a number of the sorted field; null: none has this order. */
function walkOf(collection: LmdbCollection, { where, sort, limit }: FindOptions): Walk | null {
  const { field } = sort;
  const reverse = sort.direction === 'desc';
  const range = where[field];
  if (orderedScan(collection, where, sort) === null || (range !== undefined && !isRange(range))) return null;
  return (from, offset) => {
    const rest = reverse ? { to: -below(-from) } : { from };
    const near = Number.isFinite(from) ? { ...where, [field]: { ...range, ...rest } } : where;
    return orderedScan(collection, near, sort)?.page({ reverse, offset, limit }) ?? [];
  };
}

/** The columns of a collection if it has these fields among them. */
function columnsFor({ columns }: LmdbCollection, fields: readonly string[]): Columns | null {
  return columns !== null && fields.length > 0 && areColumns({ columns: columns.fields }, fields) ? columns : null;
}

/** The documents of one page, read by scanning all that match, in passes of bounded memory. */
async function findByScan(collection: LmdbCollection, query: FindOptions): Promise<Document[]> {
  const { sort, offset, limit } = query;
  const found: number[] = [];
  let skip = offset;
  for await (const held of sortedScan(collection, query, { sort, wanted: offset + limit })) {
    found.push(...held.slice(skip, skip + limit - found.length));
    skip = Math.max(0, skip - held.length);
    if (found.length >= limit) break;
  }
  return collection.read(found, query.maxBytes);
}

/** The number of matching documents, by an index or the size of the collection; null when neither has it at once. */
export function countByIndex(collection: LmdbCollection, where: Where): number | null {
  const fields = Object.keys(where);
  const covering = coveringScan(collection, where);
  if (covering === null || fields.length === 0) return covering?.count() ?? null;
  const isLong = columnsFor(collection, fields) !== null && covering.hasMoreThan(FEW_ENTRIES);
  return isLong ? null : covering.count();
}

/** @throws {OverBudget} before the first document is read */
export async function countByScan(collection: LmdbCollection, where: Where, bounds: QueryBounds): Promise<number> {
  const columns = columnsFor(collection, Object.keys(where));
  if (columns !== null) return new ColumnScan(columns, where, bounds.signal).count();
  let count = 0;
  for await (const batch of batches(collection, { where, ...bounds })) {
    count += batch.length;
    await giveWay(bounds.signal);
  }
  return count;
}

/**
 * Every matching document once, in batches, each read when it is due. If an index selects or orders the documents,
 * their sequence numbers (eight bytes each) are collected at the start, so that none is missed or repeated when it
 * moves meanwhile.
 * @throws {OverBudget} before the first document is read
 */
export async function* streamOf(collection: LmdbCollection, query: StreamOptions): AsyncGenerator<Document[]> {
  const { sort, signal } = query;
  for await (const batch of sort === undefined ? batches(collection, query) : sortedBatches(collection, query, sort)) {
    if (batch.length > 0) yield batch.map(({ document }) => document);
    await giveWay(signal);
  }
}

async function* sortedBatches(collection: LmdbCollection, query: StreamOptions, sort: Sort): AsyncGenerator<Batch> {
  const { where, budget = Infinity, signal } = query;
  const ordered = orderedScan(collection, where, sort);
  if (ordered === null) {
    for await (const sequences of sortedScan(collection, query, { sort, wanted: Infinity })) {
      yield* batchesAt(collection, sequences, query);
    }
    return;
  }
  const sequences = await ordered.collect({ most: budget, reverse: sort.direction === 'desc', signal });
  if (sequences === null) throw new OverBudget(budget);
  yield* batchesAt(collection, sequences, query);
}

/**
 * The sequence numbers of all matching documents, eight bytes each: by an index or columns that cover `where`, else by
 * a scan of all documents.
 */
export function sequencesOf(collection: LmdbCollection, where: Where): number[] {
  const ordered = coveringScan(collection, where);
  if (ordered !== null) return ordered.sequences();
  const columns = columnsFor(collection, Object.keys(where));
  if (columns !== null) return new ColumnScan(columns, where).sequences();
  const found: number[] = [];
  for (const batch of scanBatches(collection, { where })) for (const { sequence } of batch) found.push(sequence);
  return found;
}

/**
 * All matching documents once, in batches, in no particular order: by the index that finds the fewest, or by a scan of
 * all documents if that is as quick.
 * @throws {OverBudget} before the first batch when more documents would be visited, and the signal's reason
 */
async function* batches(collection: LmdbCollection, selection: Selection): AsyncGenerator<Batch> {
  const { where, budget = Infinity, signal } = selection;
  const all = collection.count();
  const most = all > budget ? budget : Math.max(MANY_ENTRIES, all / 2);
  const scans = scansFor(collection, where);
  const columns = columnsFor(collection, Object.keys(where));
  if (columns !== null && (await bestScan(scans, FEW_ENTRIES, signal)) === null) {
    const sequences = await new ColumnScan(columns, where, signal).collect(budget);
    if (sequences === null) throw new OverBudget(budget);
    yield* batchesAt(collection, sequences, selection);
    return;
  }
  // One scan is collected without counting it first: that takes as long.
  const scan = scans.length > 1 ? (await bestScan(scans, most, signal))?.scan : scans[0];
  const sequences = (await scan?.collect({ most, signal })) ?? null;
  if (sequences !== null) yield* batchesAt(collection, sequences, selection);
  else if (all > budget) throw new OverBudget(budget);
  else yield* scanBatches(collection, selection);
}

type Batch = readonly StoredDocument[];

/** What is scanned for, how much of it may be visited, and where the visits are counted. */
interface Selection extends QueryBounds {
  readonly where: Where;
}

function* scanBatches(collection: LmdbCollection, { where, visits }: Selection): Generator<Batch> {
  for (let last = 0; ;) {
    const batch = collection.after(last, BATCH);
    const end = batch.at(-1);
    if (end === undefined) return;
    if (visits) visits.documents += batch.length;
    yield batch.filter(({ document }) => matches(document, where));
    last = end.sequence;
  }
}

/** The documents of some sequence numbers, in batches of BATCH numbers at most, and of MAX_DOCUMENTS_BYTES. */
function* batchesAt(
  collection: LmdbCollection,
  sequences: readonly number[],
  { where, visits }: Selection,
): Generator<Batch> {
  for (let next = 0; next < sequences.length;) {
    const found: StoredDocument[] = [];
    const end = Math.min(next + BATCH, sequences.length);
    for (let bytes = 0; next < end && bytes < MAX_DOCUMENTS_BYTES; next += 1) {
      const sequence = sequences[next] ?? 0;
      const document = collection.at(sequence);
      if (document === null) continue;
      bytes += roughBytesOf(document);
      if (visits) visits.documents += 1;
      if (matches(document, where)) found.push({ sequence, document });
    }
    yield found;
  }
}

/** The matching documents in order, by passes: each collects the next MAX_SORT_KEYS of them. */
async function* sortedScan(
  collection: LmdbCollection,
  selection: StreamOptions,
  { sort, wanted }: { readonly sort: Sort; readonly wanted: number },
): AsyncGenerator<number[]> {
  const sign = sort.direction === 'asc' ? 1 : -1;
  const compare = (a: Buffer, b: Buffer): number => sign * a.compare(b);
  const room = Math.min(MAX_SORT_KEYS, wanted);
  for (let last: Buffer | null = null, remaining = wanted; remaining > 0; remaining -= room) {
    let held: Buffer[] = [];
    for await (const batch of batches(collection, selection)) {
      const keys = batch.map((stored) => Buffer.from(collection.keys.key([sort.field], stored.document, stored)));
      held.push(...following(keys, last, compare));
      if (held.length > 2 * room) held = held.sort(compare).slice(0, room);
      await giveWay(selection.signal);
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
