import { createAwaitedYielder, giveWay } from '../../src/runtime/give-way.ts';
import { roughBytesOf } from '../../src/kernel/json.ts';
import { areColumns, foundParts } from '../../src/kernel/index-planner.ts';
import { OverBudget } from '../../src/kernel/ports/errors.ts';
import {
  CREATED,
  ENTRIES_PER_DOCUMENT,
  MAX_DOCUMENTS_BYTES,
  type Document,
  type FindOptions,
  type QueryBounds,
  type StreamOptions,
  type Where,
} from '../../src/kernel/ports/read-store.ts';
import { isRange, matches } from '../../src/kernel/where.ts';
import type { LmdbCollection } from './collection.ts';
import { ColumnScan, MAX_SKIPPED_ROWS } from './column-scan.ts';
import type { Columns, Groups } from './columns.ts';
import { keyOf, sequenceOf, type StoredDocument } from './keys.ts';
import { coveringScan, indexScan, type IndexScan, orderedScan } from './scans.ts';

/** Documents read in one batch, of MAX_DOCUMENTS_BYTES; other work of the event loop runs between batches. */
const BATCH = 50;

/** Number of documents whose reading costs as much as a look through one chunk of columns. */
const DOCUMENTS_PER_CHUNK = 3;

/**
 * The documents of one page. Without a promise where an index or the cache has the page: the index and the documents are
 * then of one moment, and a page that is kept costs no turn of the microtasks.
 * @throws {OverBudget}
 */
export function findPage(collection: LmdbCollection, query: FindOptions): Document[] | Promise<Document[]> {
  const found =
    query.isKept === true ? collection.cache.page(query, () => pageOf(collection, query)) : pageOf(collection, query);
  if (!(found instanceof Promise)) return collection.read(found, query);
  return found.then((sequences) => collection.read(sequences, query));
}

/** The sequence numbers of a page, by the index that has their order, by columns, or by a scan. @throws {OverBudget} */
function pageOf(collection: LmdbCollection, query: FindOptions): number[] | Promise<number[]> {
  const { where, sort, offset, limit, budget = Infinity, visits } = query;
  const ordered = orderedScan(collection, where, sort);
  const columns =
    ordered === null || offset > MAX_SKIPPED_ROWS ? columnsFor(collection, [...Object.keys(where), sort.field]) : null;
  if (limit <= 0) return [];
  if (columns !== null) return pageByColumns(collection, columns, query);
  if (ordered === null || limit > budget)
    return sortedSequences(collection, query, offset + limit).then((all) => all.slice(offset));
  const sequences = ordered.page({ reverse: sort.direction === 'desc', offset, limit });
  if (visits) visits.documents += sequences.length + offset / ENTRIES_PER_DOCUMENT;
  return sequences;
}

async function pageByColumns(collection: LmdbCollection, columns: Columns, query: FindOptions): Promise<number[]> {
  const { where, offset, limit, signal, visits } = query;
  const scan = new ColumnScan(columns, where, signal);
  if (visits) visits.documents += scan.chunks * DOCUMENTS_PER_CHUNK + limit;
  const { field, direction } = query.sort;
  // Of one value, they are in the order of creation.
  const isTie = field in where && !isRange(where[field]);
  const sort = { field: isTie ? CREATED : field, direction };
  // One event may have created more.
  const isFar = offset > MAX_SKIPPED_ROWS && !(isTie && field === CREATED);
  const found = isFar ? await deepPage(collection, await scan.groups(sort.field), { ...query, sort }) : null;
  return found ?? (await scan.first(sort, offset + limit)).slice(offset);
}

/** A page after many documents: of the groups that it is in. Null where one has values that no filter finds. */
async function deepPage(collection: LmdbCollection, groups: Groups, query: FindOptions): Promise<number[] | null> {
  const { where, sort, limit } = query;
  let { offset } = query;
  const found: number[] = [];
  for (const { condition, count } of sort.direction === 'asc' ? groups : groups.toReversed()) {
    if (found.length >= limit) break;
    if (offset >= count) {
      offset -= count;
      continue;
    }
    if (condition === undefined) return null;
    const part = { ...where, [sort.field]: condition };
    found.push(...(await pageOf(collection, { ...query, where: part, offset, limit: limit - found.length })));
    offset = 0;
  }
  return found;
}

/** The columns of a collection if it has these fields among them. */
function columnsFor({ columns }: LmdbCollection, fields: readonly string[]): Columns | null {
  return columns !== null && fields.length > 0 && areColumns({ columns: columns.fields }, fields) ? columns : null;
}

/** The index that finds exactly the documents that match a filter, or columns if they are many; null: neither does. */
function finderOf(collection: LmdbCollection, where: Where, signal?: AbortSignal): IndexScan | ColumnScan | null {
  const fields = Object.keys(where);
  const index = fields.length > 0 ? coveringScan(collection, where) : null;
  const columns = columnsFor(collection, fields);
  return columns === null || index?.hasMoreThan(MAX_SKIPPED_ROWS) === false
    ? index
    : new ColumnScan(columns, where, signal);
}

/**
 * The number of matching documents, by an index, the size of the collection, columns, or a scan.
 * @throws {OverBudget} before the first document is read
 */
export async function count(collection: LmdbCollection, where: Where, bounds: QueryBounds): Promise<number> {
  if (Object.keys(where).length === 0) return collection.count();
  const finder = finderOf(collection, where, bounds.signal);
  if (finder !== null) return finder.count();
  let found = 0;
  for await (const batch of streamOf(collection, { where, ...bounds })) found += batch.length;
  return found;
}

/**
 * Every matching document once, in batches, each read when it is due. If an index or columns find the documents, their
 * sequence numbers (eight bytes each) are collected at the start, so that none is missed or repeated when it moves
 * meanwhile.
 * @throws {OverBudget} before the first document is read
 */
export async function* streamOf(collection: LmdbCollection, query: StreamOptions): AsyncGenerator<Document[]> {
  const step = createAwaitedYielder();
  for await (const batch of batches(collection, query)) {
    if (batch.length > 0) yield batch.map(({ document }) => document);
    if (query.isAwaitedByAll === true) await step();
    else await giveWay(query.signal);
  }
}

/** The sequence numbers of all matching documents, eight bytes each: by an index, columns or a scan, at once. */
export function sequencesOf(collection: LmdbCollection, where: Where): number[] {
  const finder = finderOf(collection, where);
  if (finder !== null) return finder.sequences();
  const found: number[] = [];
  for (const batch of batchesAt(collection, null, { where })) for (const { sequence } of batch) found.push(sequence);
  return found;
}

/**
 * All matching documents once, in batches: in order of id, or of the fewest that an index or columns find by a part of
 * the filter (`foundParts`), or of all.
 * @throws {OverBudget} before the first batch when more documents would be visited, and the signal's reason
 */
async function* batches(collection: LmdbCollection, query: StreamOptions): AsyncGenerator<Batch> {
  const { where, isById = false, budget = Infinity, signal } = query;
  const indexes = collection.indexes.map(({ fields }) => fields);
  const columns = collection.columns?.fields ?? [];
  const finders = isById
    ? [indexScan(collection, null)]
    : foundParts({ indexes, columns }, where).flatMap((part) => finderOf(collection, part, signal) ?? []);
  let sequences: number[] | null = null;
  let most = budget;
  for (const finder of finders) {
    const found = await finder.collect(most, signal);
    if (found === null) continue;
    sequences = found;
    most = found.length;
  }
  if (sequences === null && (finders.length > 0 || collection.count() > budget)) throw new OverBudget(budget);
  yield* batchesAt(collection, sequences, query);
}

type Batch = readonly StoredDocument[];

/** The matching ones of some or all documents, in batches of BATCH visited ones at most, and of MAX_DOCUMENTS_BYTES. */
function* batchesAt(
  collection: LmdbCollection,
  sequences: readonly number[] | null,
  { where, visits }: StreamOptions,
): Generator<Batch> {
  const count = sequences?.length ?? collection.count();
  let next = 0;
  while (next < count) {
    const found: StoredDocument[] = [];
    const end = Math.min(next + BATCH, count);
    let bytes = 0;
    while (next < end && bytes < MAX_DOCUMENTS_BYTES) {
      const sequence = sequences?.[next] ?? next + 1;
      next += 1;
      const document = collection.at(sequence);
      if (document === null) continue;
      bytes += roughBytesOf(document);
      if (visits) visits.documents += 1;
      if (matches(document, where)) found.push({ sequence, document });
    }
    yield found;
  }
}

/** The sequence numbers of the first matching documents in order; at most twice as many keys are in memory. */
async function sortedSequences(collection: LmdbCollection, query: FindOptions, most: number): Promise<number[]> {
  const { field, direction } = query.sort;
  const sign = direction === 'asc' ? 1 : -1;
  let keys: Buffer[] = [];
  const first = (): Buffer[] => keys.sort((a, b) => sign * a.compare(b)).slice(0, most);
  for await (const batch of batches(collection, query)) {
    for (const stored of batch) keys.push(Buffer.from(keyOf([field], stored.document, stored)));
    if (keys.length > 2 * most + BATCH) keys = first();
    await giveWay(query.signal);
  }
  return first().map((key) => sequenceOf(key, 0, key.length));
}
