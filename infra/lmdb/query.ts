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
import { coveringScan, fewestBy, orderedScan } from './scans.ts';

/** Documents read in one batch, of MAX_DOCUMENTS_BYTES; other work of the event loop runs between batches. */
const BATCH = 50;
/** Entries of an index that are passed over faster than columns are searched. */
const FEW_ENTRIES = 1_000;
/** Most entries that are collected from an index in one turn of the event loop, however few the documents are. */
const MANY_ENTRIES = 50_000;

/** The documents of one page, by the index that has their order, by columns, or by a scan. @throws {OverBudget} */
export function findPage(collection: LmdbCollection, query: FindOptions): Document[] | Promise<Document[]> {
  const { where, sort, offset, limit, budget = Infinity, visits } = query;
  const ordered = orderedScan(collection, where, sort);
  const columns =
    ordered === null || offset > FEW_ENTRIES ? columnsFor(collection, [...Object.keys(where), sort.field]) : null;
  if (ordered === null || columns !== null) return findWithoutIndex(collection, query, columns);
  const entries = budget * ENTRIES_PER_DOCUMENT;
  if (limit > budget || (offset > entries && ordered.hasMoreThan(entries))) throw new OverBudget(budget);
  const sequences = ordered.sequences({ reverse: sort.direction === 'desc', offset, limit });
  if (visits) visits.documents += sequences.length;
  return collection.read(sequences, query);
}

async function findWithoutIndex(
  collection: LmdbCollection,
  query: FindOptions,
  columns: Columns | null,
): Promise<Document[]> {
  const { where, sort, offset, limit, signal, visits } = query;
  if (limit <= 0) return [];
  if (columns === null) {
    const sequences = await sortedSequences(collection, query, { sort, most: offset + limit });
    return collection.read(sequences.slice(offset), query);
  }
  const scan = new ColumnScan(columns, where, signal);
  if (visits) visits.documents += scan.chunks;
  return collection.read(await scan.page(query, walkOf(collection, query)), query);
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
    return orderedScan(collection, near, sort)?.sequences({ reverse, offset, limit }) ?? [];
  };
}

/** The columns of a collection if it has these fields among them. */
function columnsFor({ columns }: LmdbCollection, fields: readonly string[]): Columns | null {
  return columns !== null && fields.length > 0 && areColumns({ columns: columns.fields }, fields) ? columns : null;
}

/**
 * The number of matching documents, by an index, the size of the collection, columns, or a scan.
 * @throws {OverBudget} before the first document is read
 */
export function count(collection: LmdbCollection, where: Where, bounds: QueryBounds): number | Promise<number> {
  const covering = coveringScan(collection, where);
  const columns = columnsFor(collection, Object.keys(where));
  if (covering !== null && (columns === null || !covering.hasMoreThan(FEW_ENTRIES))) return covering.count();
  return columns === null
    ? countByScan(collection, { where, ...bounds })
    : new ColumnScan(columns, where, bounds.signal).count();
}

async function countByScan(collection: LmdbCollection, selection: Selection): Promise<number> {
  let found = 0;
  for await (const batch of batches(collection, selection)) {
    found += batch.length;
    await giveWay(selection.signal);
  }
  return found;
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
  const reverse = sort.direction === 'desc';
  const sequences = await (orderedScan(collection, where, sort)?.collect({ most: budget, reverse, signal }) ??
    sortedSequences(collection, query, { sort, most: Infinity }));
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
 * All matching documents once, in batches, in no particular order: by the index that finds the fewest, by columns, or by
 * a scan of all documents if that is as quick.
 * @throws {OverBudget} before the first batch when more documents would be visited, and the signal's reason
 */
async function* batches(collection: LmdbCollection, selection: Selection): AsyncGenerator<Batch> {
  const { where, budget = Infinity, signal } = selection;
  const all = collection.count();
  const columns = columnsFor(collection, Object.keys(where));
  const few = columns === null ? Math.max(MANY_ENTRIES, all / 2) : FEW_ENTRIES;
  const most = columns === null && all > budget ? budget : Math.min(few, budget);
  const sequences =
    (await fewestBy(collection, where, { most, signal })) ??
    (columns && (await new ColumnScan(columns, where, signal).collect(budget)));
  if (sequences !== null) yield* batchesAt(collection, sequences, selection);
  else if (columns !== null || all > budget) throw new OverBudget(budget);
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

/** The sequence numbers of the first matching documents in order; at most twice as many keys are in memory. */
async function sortedSequences(
  collection: LmdbCollection,
  selection: Selection,
  { sort, most }: { readonly sort: Sort; readonly most: number },
): Promise<number[]> {
  const sign = sort.direction === 'asc' ? 1 : -1;
  let keys: Buffer[] = [];
  const first = (): Buffer[] => keys.sort((a, b) => sign * a.compare(b)).slice(0, most);
  for await (const batch of batches(collection, selection)) {
    for (const stored of batch) keys.push(Buffer.from(collection.keys.key([sort.field], stored.document, stored)));
    if (keys.length > 2 * most + BATCH) keys = first();
    await giveWay(selection.signal);
  }
  return first().map((key) => sequenceOf(key, 0, key.length));
}
