import { open } from 'lmdb';
import type { Database, Key, RootDatabase, RootDatabaseOptions } from 'lmdb';
import type { Document, Index } from '../../src/kernel/read-store.ts';

/** lmdb used directly, in the layout that was measured fastest: what the read store's own work is compared with. */
export interface RawDocuments {
  readonly root: RootDatabase;
  readonly documents: Database<Document, number>;
  readonly ids: Database<number, string>;
  readonly indexes: readonly { readonly fields: Index; readonly entries: Database<number> }[];
}

const COUNTER: RootDatabaseOptions = { encoding: 'ordered-binary' };

/**
 * Opens the databases: documents by number as msgpack with shared structures, numbers by id, and one dupSort database
 * per index.
 * @param path a directory of its own.
 */
export function openRawDocuments(path: string, indexes: readonly Index[]): RawDocuments {
  const root = open({ path, maxDbs: 100, noSync: true });
  return {
    root,
    documents: root.openDB<Document, number>('documents', { keyEncoding: 'uint32', sharedStructuresKey: 0 }),
    ids: root.openDB<number, string>('ids', COUNTER),
    indexes: indexes.map((fields) => ({
      fields,
      entries: root.openDB<number>(JSON.stringify(fields), { ...COUNTER, dupSort: true }),
    })),
  };
}

/**
 * Writes documents numbered from `first` on, with their index entries, in one transaction that does not wait for the
 * disk.
 */
export function writeRawDocuments(raw: RawDocuments, batch: readonly Document[], first: number): void {
  const { root, documents, ids, indexes } = raw;
  root.transactionSync(() => {
    for (const [place, document] of batch.entries()) {
      const number = first + place;
      if (ids.get(document.id) !== undefined) continue;
      ids.putSync(document.id, number);
      documents.putSync(number, document);
      for (const { fields, entries } of indexes) entries.putSync(rawKey(fields, document), number);
    }
    ids.putSync('checkpoint', first + batch.length);
  });
}

/** A document by id. */
export function getRawDocument({ documents, ids }: RawDocuments, id: string): Document | undefined {
  const number = ids.get(id);
  return number === undefined ? undefined : documents.get(number);
}

/** A page of documents in the order of the index at a place in the list. */
export function pageRawDocuments(
  { documents, indexes }: RawDocuments, place: number, page: { offset: number; limit: number },
): Document[] {
  const found: Document[] = [];
  for (const { value } of indexes[place]?.entries.getRange(page) ?? []) {
    const document = documents.get(value);
    if (document !== undefined) found.push(document);
  }
  return found;
}

function rawKey(fields: Index, document: Document): Key {
  const values = fields.map((field) => scalarOf(document[field]));
  const [first = null] = values;
  return values.length === 1 ? orderable(first) : values.map(orderable);
}

function scalarOf(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** lmdb's types leave null out of what its keys can be. */
function orderable(value: string | number | boolean | null): Key {
  return value ?? false;
}
