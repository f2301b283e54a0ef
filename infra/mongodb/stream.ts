import type { AbstractCursor, Filter, WithId } from 'mongodb';
import { giveWay } from '../../src/service/domain/give-way.ts';
import { OverBudget, StoreUnavailable } from '../../src/service/kernel/ports/errors.ts';
import { roughBytesOf } from '../../src/service/kernel/json.ts';
import { CREATED, MAX_DOCUMENTS_BYTES } from '../../src/service/kernel/ports/read-store.ts';
import type { Document, FindOptions, Sort, Where } from '../../src/service/kernel/ports/read-store.ts';
import { filterOf, fromStored, orderedBy, sortOf } from './documents.ts';
import type { Documents, StoredDocument, StoredValue } from './documents.ts';
import type { MongoServer } from './server.ts';

/** Most documents in one response of the server. */
export const BATCH = 500;

/** Most documents that are decoded before other requests are served. */
const STEP = 50;

/**
 * The smallest value of each type: a range from it contains only values of that type. KINDS is MongoDB's order of types,
 * by the names that `typeof` gives.
 * https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/
 */
const LEAST = { number: -Number.MAX_VALUE, string: '', object: { json: '' }, boolean: false } as const;
const KINDS = ['number', 'string', 'object', 'boolean'] as const;

/**
 * Every matching document once, in batches. A cursor that is lost (the server was restarted, or dropped it because the
 * consumer took more than ten minutes for a batch) is replaced by one that continues after the last document; if that one
 * is lost before its first batch, it is an error. Documents whose sort value changes meanwhile may be missed or returned twice.
 */
export async function* streamOf(
  server: MongoServer,
  documents: Documents,
  { where, sort }: { readonly where: Where; readonly sort: Sort },
): AsyncGenerator<readonly Document[]> {
  const filter = filterOf(where);
  for (let last: StoredDocument | null = null; ;) {
    const rest: Filter<StoredDocument> = last === null ? filter : { $and: [filter, following(last, sort)] };
    let came = false;
    try {
      for await (const batch of batchesOf(server, documents, { filter: rest, sort })) {
        last = batch.at(-1) ?? last;
        came = true;
        yield batch.map(fromStored);
      }
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || !came) throw error;
    }
  }
}

async function* batchesOf(
  server: MongoServer,
  documents: Documents,
  { filter, sort }: { filter: Filter<StoredDocument>; sort: Sort },
): AsyncGenerator<readonly StoredDocument[]> {
  const cursor = documents.find(filter, {
    sort: sortOf(sort),
    batchSize: BATCH,
    maxTimeMS: server.maxTimeMS,
    allowDiskUse: true,
  });
  let lost = false;
  try {
    for (;;) {
      const batch = await server.run(`read ${documents.collectionName}`, () => next(cursor));
      if (batch.length === 0) return;
      yield batch;
    }
  } catch (error) {
    lost = true;
    throw error;
  } finally {
    const released = release(server, cursor);
    // A server that did not respond would only exceed the time limit again.
    if (!lost) await released;
  }
}

/** The next documents that have come, of MAX_DOCUMENTS_BYTES at most: each is decoded when it is taken. */
async function next(cursor: AbstractCursor<WithId<StoredDocument>>): Promise<WithId<StoredDocument>[]> {
  const found: WithId<StoredDocument>[] = [];
  if (!(await cursor.hasNext())) return found;
  for (let bytes = 0; found.length < STEP && bytes < MAX_DOCUMENTS_BYTES;) {
    const [document] = cursor.readBufferedDocuments(1);
    if (document === undefined) break;
    found.push(document);
    bytes += roughBytesOf(document);
  }
  return found;
}

/** The documents of a page, in order. @throws {OverBudget} when they take too many bytes. */
export async function pageOf(
  cursor: AbstractCursor<WithId<StoredDocument>>,
  { maxBytes = Infinity, signal, visits }: Pick<FindOptions, 'maxBytes' | 'signal' | 'visits'>,
): Promise<readonly Document[]> {
  const found: Document[] = [];
  let bytes = 0;
  try {
    for (let some = await next(cursor); some.length > 0; some = await next(cursor)) {
      const documents = some.map(fromStored);
      for (const document of documents) bytes += roughBytesOf(document);
      if (bytes > maxBytes) throw new OverBudget(maxBytes, 'bytes');
      found.push(...documents);
      if (visits) visits.documents += documents.length;
      if (some.length === STEP) await giveWay(signal);
    }
  } finally {
    await cursor.close();
  }
  return found;
}

/** Closes a cursor on the server. If that fails, the server closes it after ten minutes. */
async function release(server: MongoServer, cursor: AbstractCursor<WithId<StoredDocument>>): Promise<void> {
  try {
    await server.run('close a cursor', () => cursor.close());
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

/** A filter for the documents after one in the order: those that are equal to it in some fields and past it in the next. */
function following(last: StoredDocument, { field, direction }: Sort): Filter<StoredDocument> {
  const names = orderedBy([field]);
  return {
    $or: names.flatMap((name, at) => {
      const equal = Object.fromEntries(names.slice(0, at).map((before) => [before, last[before] ?? null]));
      return past(name, last[name] ?? null, direction).map((filter) => ({ ...equal, ...filter }));
    }),
  };
}

/** The kinds of values that a field of every document has. */
const OWN_KINDS: { readonly [name: string]: typeof KINDS | readonly ['number'] | readonly ['string'] } = {
  [CREATED]: ['number'],
  _id: ['string'],
};

/** Filters for the values of a field that are past one. A range covers one kind only, so there is one for each. */
function past(name: string, value: StoredValue, direction: Sort['direction']): Filter<StoredDocument>[] {
  const all = OWN_KINDS[name] ?? KINDS;
  const place = value === null ? -1 : all.findIndex((kind) => kind === typeof value);
  const kinds = direction === 'asc' ? all.slice(place + 1) : all.slice(0, Math.max(place, 0));
  return [
    ...(value === null ? [] : [{ [name]: { [direction === 'asc' ? '$gt' : '$lt']: value } }]),
    ...kinds.map((kind) => ({ [name]: { $gte: LEAST[kind] } })),
    // Also matches where the field is missing.
    ...(value === null || direction === 'asc' ? [] : [{ [name]: null }]),
  ];
}
