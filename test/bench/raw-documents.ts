import { open } from 'lmdb';
import type { Database, Key, RootDatabaseOptions } from 'lmdb';
import type { Document, Index } from '../../src/kernel/ports/read-store.ts';
import type { ReadModel } from '../../src/kernel/projection/projection.ts';
import type { LapWrites } from './lap-writes.ts';

/** Baseline of the read store: lmdb used directly, in the fastest layout that was measured. */
export type RawDocuments = ReturnType<typeof openRawDocuments>;

interface RawCollection {
  readonly documents: Database<Document, number>;
  readonly ids: Database<number, string>;
  readonly indexes: readonly { readonly fields: Index; readonly entries: Database<number> }[];
  /** The number of the newest document. */
  last: number;
}

const COUNTER: RootDatabaseOptions = { encoding: 'ordered-binary' };

/**
 * Opens the databases. Each collection has documents by number (msgpack with shared structures), numbers by id, and one
 * dupSort database per index.
 * @param path an unused directory.
 */
export function openRawDocuments(path: string, models: readonly ReadModel[]) {
  const root = open({ path, maxDbs: 100, noSync: true });
  const collections = models.map(({ collection, indexes }): [string, RawCollection] => [
    collection,
    {
      documents: root.openDB(`${collection}/documents`, { keyEncoding: 'uint32', sharedStructuresKey: 0 }),
      ids: root.openDB(`${collection}/ids`, COUNTER),
      indexes: indexes.map((fields) => ({
        fields,
        entries: root.openDB<number>(`${collection}/${JSON.stringify(fields)}`, { ...COUNTER, dupSort: true }),
      })),
      last: 0,
    },
  ]);
  return { root, collections: new Map(collections) };
}

/** Writes documents and their index entries in one transaction, without waiting for the disk. */
export function writeRawDocuments({ root, collections }: RawDocuments, batch: LapWrites): void {
  root.transactionSync(() => {
    for (const { change, before, after } of batch) {
      const collection = collections.get(change.collection);
      if (collection === undefined) throw new Error(`laps are projected into ${change.collection} too`);
      writeRaw(collection, before, after);
    }
    root.putSync('checkpoint', batch.at(-1)?.after._position);
  });
}

function writeRaw(collection: RawCollection, before: Document | null, after: Document): void {
  const { documents, ids, indexes } = collection;
  const known = ids.get(after.id);
  const number = known ?? (collection.last += 1);
  if (known === undefined) ids.putSync(after.id, number);
  documents.putSync(number, after);
  for (const { fields, entries } of indexes) {
    if (before !== null && fields.every((field) => before[field] === after[field])) continue;
    if (before !== null) entries.removeSync(rawKey(fields, before), number);
    entries.putSync(rawKey(fields, after), number);
  }
}

function rawKey(fields: Index, document: Document): Key {
  const values = fields.map((field) => orderable(document[field]));
  return values.length === 1 ? (values[0] ?? false) : values;
}

/** lmdb's types do not allow null in keys. */
function orderable(value: unknown): string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : false;
}
