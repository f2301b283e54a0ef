import type { AbstractCursor, Filter, WithId } from 'mongodb';
import { giveWay } from '../../src/runtime/give-way.ts';
import { OverBudget, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { roughBytesOf } from '../../src/kernel/json.ts';
import { MAX_DOCUMENTS_BYTES } from '../../src/kernel/ports/read-store.ts';
import type { Document, FindOptions, Where } from '../../src/kernel/ports/read-store.ts';
import { filterOf, fromStored } from './documents.ts';
import type { Documents, StoredDocument } from './documents.ts';
import type { MongoServer } from './server.ts';

/** Most documents in one response of the server. */
export const BATCH = 500;

/** Most documents that are decoded before other requests are served. */
const STEP = 50;

/**
 * Every matching document once, in order of id, in batches. A cursor that is lost (the server was restarted, or dropped
 * it because the consumer took more than ten minutes for a batch) is replaced by one that continues after the last
 * document; if that one is lost before its first batch, it is an error.
 */
export async function* streamOf(
  server: MongoServer,
  documents: Documents,
  where: Where,
): AsyncGenerator<readonly Document[]> {
  const filter = filterOf(where);
  let rest = filter;
  while (true) {
    let hasProgressed = false;
    try {
      for await (const batch of batchesOf(server, documents, rest)) {
        rest = { $and: [filter, { _id: { $gt: batch.at(-1)?._id ?? '' } }] };
        hasProgressed = true;
        yield batch.map(fromStored);
      }
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || !hasProgressed) throw error;
    }
  }
}

async function* batchesOf(
  server: MongoServer,
  documents: Documents,
  filter: Filter<StoredDocument>,
): AsyncGenerator<readonly StoredDocument[]> {
  const cursor = documents.find(filter, {
    sort: { _id: 1 },
    batchSize: BATCH,
    maxTimeMS: server.maxTimeMS,
    allowDiskUse: true,
  });
  let lost = false;
  try {
    while (true) {
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
  let bytes = 0;
  while (found.length < STEP && bytes < MAX_DOCUMENTS_BYTES) {
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
    while (true) {
      const some = await next(cursor);
      if (some.length === 0) break;
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
