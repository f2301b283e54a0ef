import { MongoServerError } from 'mongodb';
import type { Position } from '../../src/kernel/ports/event-store.ts';
import type {
  Change,
  Collection,
  Document,
  FindOptions,
  Index,
  ReadModels,
  Sort,
  Where,
} from '../../src/kernel/ports/read-store.ts';
import { applyTo } from './apply.ts';
import { filterOf, nameOf, restored, sortOf } from './documents.ts';
import type { Documents, Stored } from './documents.ts';
import type { MongoServer } from './server.ts';
import { BATCH, streamOf } from './stream.ts';

/** Holds one document per namespace. Collections of documents have a dot in their name, so none has this one. */
const CHECKPOINTS = 'checkpoints';
/**
 * Longest build, in ms, of indexes on documents that exist already; a server that goes away meanwhile is noticed by the
 * driver's heartbeat.
 */
const INDEX_BUILD_MS = 3_600_000;

/** What the server says of a collection that does not exist yet. */
const NAMESPACE_NOT_FOUND = 26;

/** Changes of single documents in one command at most. */
const UPDATES_PER_COMMAND = 250;
/** FerretDB keeps a database connection for each until the command ends, and has a hundred for all commands. */
export const UPDATES_PER_FERRETDB_COMMAND = 16;

interface Checkpoint {
  readonly _id: string;
  readonly position: Position;
}

/** One namespace of a MongoDB read store; see the port for what its methods promise. */
export class MongoReadModels implements ReadModels {
  readonly #server: MongoServer;
  readonly #namespace: string;
  readonly #collections: readonly Collection[];
  #updatesPerCommand = UPDATES_PER_COMMAND;
  /** The making of the indexes, once it has begun. */
  #prepared: Promise<void> | null = null;

  constructor(server: MongoServer, namespace: string, collections: readonly Collection[]) {
    this.#server = server;
    this.#namespace = namespace;
    this.#collections = collections;
  }

  async get(collection: string, id: string): Promise<Document | null> {
    const documents = this.#documents(collection);
    const { maxTimeMS } = this.#server;
    const found = await this.#read(documents, () => documents.findOne({ _id: id }, { maxTimeMS }));
    return found === null ? null : restored(found);
  }

  async find(collection: string, { where, sort, offset, limit }: FindOptions): Promise<readonly Document[]> {
    const documents = this.#documents(collection);
    // For MongoDB, no limit.
    if (limit <= 0) return [];
    const options = {
      sort: sortOf(sort),
      skip: offset,
      limit,
      maxTimeMS: this.#server.maxTimeMS,
      allowDiskUse: true,
      // One more than is asked for: the whole page comes in one answer, which ends the cursor.
      batchSize: Math.min(limit, 2 * BATCH) + 1,
    };
    const found = await this.#read(documents, () => documents.find(filterOf(where), options).toArray());
    return found.map(restored);
  }

  /**
   * Counts along an index. MongoDB's estimate would cost nothing, but stays wrong after the server was killed, so all
   * documents are counted by their ids.
   */
  async count(collection: string, where: Where): Promise<number> {
    const documents = this.#documents(collection);
    const filter = Object.keys(where).length === 0 ? { _id: { $gte: '' } } : filterOf(where);
    const { maxTimeMS } = this.#server;
    return this.#read(documents, () => documents.countDocuments(filter, { maxTimeMS }));
  }

  stream(
    collection: string,
    { where, sort = { field: 'id', direction: 'asc' } }: { where: Where; sort?: Sort },
  ): AsyncIterable<readonly Document[]> {
    return streamOf(this.#server, this.#documents(collection), { where, sort });
  }

  async apply(changes: readonly Change[], checkpoint: Position): Promise<void> {
    const written = [...byCollection(changes)].map(([name, own]) => ({ documents: this.#documents(name), own }));
    await this.#ready();
    // All are awaited: nothing of a failed apply may still be under way when it is repeated.
    const outcomes = await Promise.allSettled(
      written.map(({ documents, own }) =>
        applyTo({ server: this.#server, documents, updatesPerCommand: this.#updatesPerCommand }, own),
      ),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    const { maxTimeMS } = this.#server;
    await this.#server.run('write a checkpoint', () =>
      this.#checkpoints().updateOne(
        { _id: this.#namespace },
        { $max: { position: checkpoint } },
        { upsert: true, maxTimeMS },
      ),
    );
  }

  async checkpoint(): Promise<Position | null> {
    const { maxTimeMS } = this.#server;
    const found = await this.#server.run('read a checkpoint', () =>
      this.#checkpoints().findOne({ _id: this.#namespace }, { maxTimeMS }),
    );
    return found?.position ?? null;
  }

  /** Deletes the collections of the namespace, declared or not. */
  async drop(): Promise<void> {
    const { maxTimeMS } = this.#server;
    // First: documents that are missing must not count as projected, should this end half-way.
    await this.#server.run('drop a checkpoint', () =>
      this.#checkpoints().deleteOne({ _id: this.#namespace }, { maxTimeMS }),
    );
    const all = await this.#server.run('list collections', (db) =>
      db.listCollections({}, { nameOnly: true }).toArray(),
    );
    const own = all.map(({ name }) => name).filter((name) => name.startsWith(this.#prefix()));
    for (const name of own) await this.#server.run(`drop ${name}`, (db) => db.dropCollection(name));
  }

  #ready(): Promise<void> {
    this.#prepared ??= this.#prepare().catch((error: unknown) => {
      this.#prepared = null;
      throw error;
    });
    return this.#prepared;
  }

  async #prepare(): Promise<void> {
    // Building may take long; whether the server is there at all is known within the usual limit.
    const build = await this.#server.run('answer', (db) => db.command({ buildInfo: 1 }));
    if ('ferretdbVersion' in build) this.#updatesPerCommand = UPDATES_PER_FERRETDB_COMMAND;
    for (const { name, indexes } of this.#collections) {
      if (indexes.length === 0) continue;
      const documents = this.#documents(name);
      const present = await this.#server.run(`list indexes of ${documents.collectionName}`, () => indexesOf(documents));
      // Only what is missing: FerretDB breaks the connection when some of the indexes are there already.
      const missing = indexes.map(keyOf).filter((key) => !present.has(JSON.stringify(key)));
      if (missing.length === 0) continue;
      const what = `create indexes of ${documents.collectionName}`;
      await this.#server.run(what, () => documents.createIndexes(missing.map((key) => ({ key }))), INDEX_BUILD_MS);
    }
  }

  #read<T>(documents: Documents, call: () => Promise<T>): Promise<T> {
    return this.#server.run(`read ${documents.collectionName}`, call);
  }

  #documents(name: string): Documents {
    if (!this.#collections.some((collection) => collection.name === name)) {
      throw new TypeError(`collection ${name} was not declared for ${this.#namespace}`);
    }
    return this.#server.db.collection<Stored>(`${this.#prefix()}${name}`);
  }

  #checkpoints() {
    return this.#server.db.collection<Checkpoint>(CHECKPOINTS);
  }

  /** Starts the names of the namespace's collections: its own name without dots, so that no other one starts so. */
  #prefix(): string {
    return `${encodeURIComponent(this.#namespace).replaceAll('.', '%2E')}.`;
  }
}

/** The fields, then the id. */
function keyOf(fields: Index): Readonly<Record<string, 1>> {
  return Object.fromEntries([...fields.map(nameOf), '_id'].map((name) => [name, 1] as const));
}

/** The keys of the indexes that are there, as JSON. */
async function indexesOf(documents: Documents): Promise<ReadonlySet<string>> {
  try {
    const present = await documents.listIndexes().toArray();
    return new Set(present.map(({ key }) => JSON.stringify(key)));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return new Set();
    throw error;
  }
}

function byCollection(changes: readonly Change[]): Map<string, Change[]> {
  const all = new Map<string, Change[]>();
  for (const change of changes) {
    const own = all.get(change.collection);
    if (own === undefined) all.set(change.collection, [change]);
    else own.push(change);
  }
  return all;
}
