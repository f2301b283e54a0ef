import { MongoBulkWriteError } from 'mongodb';
import type { AnyBulkWriteOperation, Filter } from 'mongodb';
import type { Change } from '../../src/kernel/read-store.ts';
import { filterOf, stored, updateOf } from './mongodb-documents.ts';
import type { Documents, Stored } from './mongodb-documents.ts';
import type { MongoServer } from './mongodb-server.ts';

/** Documents that one command inserts at most. */
const INSERTS_PER_COMMAND = 1000;
/** Documents that one command changes at most on behalf of `setWhere`. */
const FAN_OUT_BATCH = 250;

const DUPLICATE_KEY = 11000;

type SetWhere = Extract<Change, { kind: 'setWhere' }>;
type OfOne = Extract<Change, { kind: 'set' | 'unset' }>;

/** What is done in one go, in the order of the changes that it holds. */
type Step =
  | { readonly kind: 'insert'; readonly documents: readonly Stored[] }
  | { readonly kind: 'update'; readonly changes: readonly OfOne[] }
  | { readonly kind: 'fanOut'; readonly change: SetWhere };

/**
 * The changes of one collection as few steps. An insert may overtake changes of other documents, never one of its own
 * nor a fan-out; of two inserts of an id the first counts.
 */
function stepsOf(changes: readonly Change[], updatesPerCommand: number): Step[] {
  const steps: Step[] = [];
  let inserts = new Map<string, Stored>();
  let updates: OfOne[] = [];
  let updated = new Set<string>();

  function flush(): void {
    for (const documents of chunks([...inserts.values()], INSERTS_PER_COMMAND)) {
      steps.push({ kind: 'insert', documents });
    }
    for (const some of chunks(updates, updatesPerCommand)) steps.push({ kind: 'update', changes: some });
    inserts = new Map();
    updates = [];
    updated = new Set();
  }
  for (const change of changes) {
    if (change.kind === 'setWhere') {
      flush();
      steps.push({ kind: 'fanOut', change });
    } else if (change.kind === 'insert') {
      const { id } = change.document;
      if (updated.has(id)) flush();
      if (!inserts.has(id)) inserts.set(id, stored(change.document));
    } else {
      updates.push(change);
      updated.add(change.id);
    }
  }
  flush();
  return steps;
}

/** Applies changes of one collection in order; safe to repeat from any point. */
export async function applyTo(
  target: { readonly server: MongoServer; readonly documents: Documents; readonly updatesPerCommand: number },
  changes: readonly Change[],
): Promise<void> {
  const { server, documents, updatesPerCommand } = target;
  for (const step of stepsOf(changes, updatesPerCommand)) {
    if (step.kind === 'fanOut') await fanOut(server, documents, step.change);
    else {
      const write = step.kind === 'insert' ? insertAll(step.documents) : updateAll(step.changes);
      await server.run(`write ${documents.collectionName}`, () => write(documents, server.maxTimeMS));
    }
  }
}

type Write = (documents: Documents, maxTimeMS: number) => Promise<unknown>;

/** Inserts what is not there yet. The order within does not matter, and so one that exists does not stop the others. */
function insertAll(all: readonly Stored[]): Write {
  return async (documents, maxTimeMS) => {
    try {
      await documents.insertMany([...all], { ordered: false, maxTimeMS });
    } catch (error) {
      if (!onlyDuplicates(error)) throw error;
    }
  };
}

function onlyDuplicates(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) return false;
  const errors = [error.writeErrors].flat();
  return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
}

function updateAll(changes: readonly OfOne[]): Write {
  const operations = changes.map((change): AnyBulkWriteOperation<Stored> => {
    const { id, position, revision } = change;
    const moved = { _position: position, ...(revision === undefined ? {} : { _revision: revision }) };
    const update = change.kind === 'set' ? updateOf(change.fields, moved) : updateOf({}, moved, change.fields);
    return { updateOne: { filter: { _id: id, _position: { $lt: position } }, update } };
  });
  return (documents, maxTimeMS) => documents.bulkWrite(operations, { ordered: true, maxTimeMS });
}

/**
 * Changes all documents with the value, in batches by id. Each document that is changed gets the change's position and
 * is not found again.
 */
async function fanOut(server: MongoServer, documents: Documents, change: SetWhere): Promise<void> {
  const { maxTimeMS } = server;
  const update = updateOf(change.fields, { _position: change.position });
  const concerned: Filter<Stored> = {
    ...filterOf({ [change.field]: change.value }), _position: { $lt: change.position },
  };
  const what = `write ${documents.collectionName}`;
  for (let after: { readonly $gt?: string } = {}; ;) {
    const rest = Object.keys(after).length === 0 ? concerned : { ...concerned, _id: after };
    const last = await server.run(what, () => documents.findOne(rest, {
      sort: { _id: 1 }, skip: FAN_OUT_BATCH - 1, projection: { _id: 1 }, maxTimeMS,
    }));
    const batch = last === null ? rest : { ...concerned, _id: { ...after, $lte: last._id } };
    await server.run(what, () => documents.updateMany(batch, update, { maxTimeMS }));
    if (last === null) return;
    after = { $gt: last._id };
  }
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  const found: T[][] = [];
  for (let from = 0; from < all.length; from += size) found.push(all.slice(from, from + size));
  return found;
}
