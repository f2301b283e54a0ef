import { MongoBulkWriteError } from 'mongodb';
import type { AnyBulkWriteOperation, Filter } from 'mongodb';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { Change } from '../../src/kernel/ports/read-store.ts';
import { filterOf, toStored, updateOf } from './documents.ts';
import type { Documents, StoredDocument } from './documents.ts';
import type { MongoServer } from './server.ts';

/** Most documents inserted by one command if the server is quick enough. */
const INSERTS_PER_COMMAND = 1000;
/** Most documents changed by one command for `setWhere`. */
const FAN_OUT_BATCH = 250;

const DUPLICATE_KEY = 11000;

type SetWhere = Extract<Change, { kind: 'setWhere' }>;
type SingleChange = Extract<Change, { kind: 'set' | 'unset' }>;

/** A collection to write to. */
interface Target {
  readonly server: MongoServer;
  readonly documents: Documents;
  /** The lists whose items are indexed. */
  readonly lists: ReadonlySet<string>;
  /** Most documents changed by one command. */
  readonly updatesPerCommand: number;
}

/**
 * Applies changes of one collection in order, in few steps, each written together; may be repeated after a failure at any
 * point. An insert may move before changes of other documents, never before one of its own or a fan-out; of two inserts
 * of an id the first counts.
 */
export async function applyTo(target: Target, changes: readonly Change[]): Promise<void> {
  const inserts = new Map<string, StoredDocument>();
  const updates = new Map<string, Update[]>();

  async function flush(): Promise<void> {
    await insertAll(target, [...inserts.values()]);
    await updateMerged(target, [...updates.values()]);
    inserts.clear();
    updates.clear();
  }
  for (const change of changes) {
    if (change.kind === 'setWhere') {
      await flush();
      await fanOut(target, change);
    } else if (change.kind === 'insert') {
      const { id } = change.document;
      if (updates.has(id)) await flush();
      if (!inserts.has(id)) inserts.set(id, toStored(change.document, target.lists));
    } else {
      const ofDocument = updates.get(change.id) ?? [];
      ofDocument.push(updateFor(change));
      updates.set(change.id, ofDocument);
    }
  }
  await flush();
}

/** Inserts documents that do not exist yet. Unordered, so that one that exists does not stop the others. */
async function insertAll({ server, documents }: Target, all: readonly StoredDocument[]): Promise<void> {
  for (const some of chunks(all, () => server.batches.sizeOf(INSERTS_PER_COMMAND))) {
    await server.write(`write ${documents.collectionName}`, async () => {
      try {
        await documents.insertMany(some, { ordered: false, maxTimeMS: server.maxTimeMS });
      } catch (error) {
        if (!onlyDuplicates(error)) throw error;
      }
    });
  }
}

function onlyDuplicates(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) return false;
  const errors = [error.writeErrors].flat();
  return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
}

/**
 * Changes each document once, by all of its changes merged: a backlog of laps changes the same few documents many
 * times. That is correct only for documents that have none of the changes yet: if one is ahead, or missing, all changes
 * are made one by one, and none takes effect twice.
 */
async function updateMerged(target: Target, byId: readonly (readonly Update[])[]): Promise<void> {
  const all = byId.flat();
  if (all.length > byId.length && (await updateAll(target, byId.map(merged))) === byId.length) return;
  await updateAll(target, all);
}

/** An update of a document whose position is less than `below`; a field that is undefined is removed. */
interface Update {
  readonly id: string;
  readonly below: number;
  readonly fields: JsonObject;
  readonly bookkeeping: Readonly<Record<string, number>>;
}

function updateFor(change: SingleChange): Update {
  const { id, position, revision } = change;
  const bookkeeping: Record<string, number> = { _position: position };
  if (revision !== undefined) bookkeeping['_revision'] = revision;
  const fields =
    change.kind === 'set' ? change.fields : Object.fromEntries(change.fields.map((name) => [name, undefined]));
  return { id, below: position, fields, bookkeeping };
}

function merged(updates: readonly Update[]): Update {
  return updates.reduce((before, { fields, bookkeeping }) => ({
    ...before,
    fields: { ...before.fields, ...fields },
    bookkeeping: { ...before.bookkeeping, ...bookkeeping },
  }));
}

/** Writes updates; returns how many documents had a position that allowed it. */
async function updateAll(target: Target, updates: readonly Update[]): Promise<number> {
  const { server, documents, lists, updatesPerCommand } = target;
  let matched = 0;
  for (const some of chunks(updates, () => server.batches.sizeOf(updatesPerCommand))) {
    const operations = some.map(({ id, below, fields, bookkeeping }): AnyBulkWriteOperation<StoredDocument> => ({
      updateOne: { filter: { _id: id, _position: { $lt: below } }, update: updateOf(fields, bookkeeping, lists) },
    }));
    const { matchedCount } = await server.write(`write ${documents.collectionName}`, () =>
      documents.bulkWrite(operations, { ordered: true, maxTimeMS: server.maxTimeMS }),
    );
    matched += matchedCount;
  }
  return matched;
}

/**
 * Changes all documents that have the value, in batches by id. A changed document gets the position of the change, so
 * it is not found again.
 */
async function fanOut({ server, documents, lists }: Target, change: SetWhere): Promise<void> {
  const { maxTimeMS } = server;
  const update = updateOf(change.fields, { _position: change.position }, lists);
  const concerned: Filter<StoredDocument> = {
    ...filterOf({ [change.field]: change.value }),
    _position: { $lt: change.position },
  };
  const what = `write ${documents.collectionName}`;
  let after: { readonly $gt?: string } = {};
  while (true) {
    const rest = Object.keys(after).length === 0 ? concerned : { ...concerned, _id: after };
    const skip = server.batches.sizeOf(FAN_OUT_BATCH) - 1;
    const last = await server.run(what, () =>
      documents.findOne(rest, { sort: { _id: 1 }, skip, projection: { _id: 1 }, maxTimeMS }),
    );
    const batch = last === null ? rest : { ...concerned, _id: { ...after, $lte: last._id } };
    await server.write(what, () => documents.updateMany(batch, update, { maxTimeMS }));
    if (last === null) return;
    after = { $gt: last._id };
  }
}

/** Splits a list into parts; `size` is called for each, and returns the largest number of its items. */
function* chunks<T>(all: readonly T[], size: () => number): Generator<T[], void> {
  let from = 0;
  while (from < all.length) {
    const part = all.slice(from, from + size());
    from += part.length;
    yield part;
  }
}
