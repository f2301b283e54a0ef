import { randomInt, randomUUID } from 'node:crypto';
import { MongoInvalidArgumentError, MongoServerError, type UpdateFilter } from 'mongodb';
import { giveWay } from '../../src/runtime/give-way.ts';
import { DocumentTooLarge, OverBudget, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { Position } from '../../src/kernel/ports/event-store.ts';
import { foundParts, hasPage, isFound } from '../../src/kernel/index-planner.ts';
import {
  type Change,
  type Collection,
  type Document,
  type FindOptions,
  type Index,
  type QueryBounds,
  type ReadModels,
  type StreamOptions,
  type Where,
} from '../../src/kernel/ports/read-store.ts';
import { applyTo } from './apply-changes.ts';
import { filterOf, fromStored, indexedListsOf, orderedBy, sortOf } from './documents.ts';
import type { Documents, StoredDocument } from './documents.ts';
import type { MongoServer } from './server.ts';
import { BATCH, pageOf, streamOf } from './stream.ts';

/** Name of the collection with one checkpoint per namespace. Other collections have a dot in their names. */
const CHECKPOINTS = 'checkpoints';
/**
 * Time limit, in ms, for building indexes on existing documents; a server that goes away meanwhile is noticed by the
 * driver's heartbeat.
 */
const INDEX_BUILD_MS = 3_600_000;

/** Error code of the server for a collection that does not exist yet. */
const NAMESPACE_NOT_FOUND = 26;

/** The largest step by which the version of a collection grows. */
const MOST_STEP = 2 ** 20;

/** Most changes of single documents in one command. */
const UPDATES_PER_COMMAND = 250;
/** Most for FerretDB, which uses one of its hundred database connections for each until the command ends. */
export const UPDATES_PER_FERRETDB_COMMAND = 16;

/** Progress of a namespace. */
interface Checkpoint {
  readonly _id: string;
  readonly position?: Position;
  /** Unique among all present and past namespaces. */
  readonly instance?: string;
  /** Number of times that documents were changed, by the plain name of the collection. */
  readonly versions?: Readonly<Record<string, number>>;
}

/** A name without dots and other characters that have a meaning in a path. */
function plain(name: string): string {
  return encodeURIComponent(name).replaceAll('.', '%2E');
}

/** Error codes of the server for a document that is too large, as sent or after an update. */
const TOO_LARGE: ReadonlySet<unknown> = new Set([10_334, 17_419, 17_420]);

/**
 * Whether an error is about a document that is too large. The driver, which checks first, has no code for it, and may
 * even run past the end of its buffer.
 */
function isTooLarge(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  if (error instanceof MongoServerError) return TOO_LARGE.has(error.code);
  return error instanceof MongoInvalidArgumentError && error.message.includes('larger than the maximum size');
}

/** A namespace of a MongoDB read store; the port describes its methods. */
export class MongoReadModels implements ReadModels {
  readonly #server: MongoServer;
  readonly #namespace: string;
  readonly #collections: readonly Collection[];
  #updatesPerCommand = UPDATES_PER_COMMAND;
  /** The creation of the indexes; null before it has started. */
  #indexesReady: Promise<void> | null = null;

  constructor(server: MongoServer, namespace: string, collections: readonly Collection[]) {
    this.#server = server;
    this.#namespace = namespace;
    this.#collections = collections;
  }

  async get(collection: string, id: string): Promise<Document | null> {
    const documents = this.#documents(collection);
    const { maxTimeMS } = this.#server;
    const found = await this.#read(documents, () => documents.findOne({ _id: id }, { maxTimeMS }));
    return found === null ? null : fromStored(found);
  }

  async find(collection: string, query: FindOptions): Promise<readonly Document[]> {
    const { where, sort, offset, limit, signal } = query;
    const documents = this.#documents(collection);
    // MongoDB takes 0 for no limit.
    if (limit <= 0) return [];
    signal?.throwIfAborted();
    if (!hasPage(this.#declaredOf(collection), query)) await this.#requireFew(collection, where, query.budget);
    const options = {
      sort: sortOf(sort),
      skip: offset,
      limit,
      maxTimeMS: this.#server.maxTimeMS,
      allowDiskUse: true,
      // One more than the limit, so that the first response holds the whole page and ends the cursor.
      batchSize: Math.min(limit, 2 * BATCH) + 1,
    };
    return this.#read(documents, () => pageOf(documents.find(filterOf(where), options), query));
  }

  /**
   * Counts along an index. MongoDB's estimate would cost nothing, but stays wrong after the server was killed, so
   * without a filter the ids are counted.
   */
  async count(collection: string, where: Where, { budget, signal }: QueryBounds = {}): Promise<number> {
    signal?.throwIfAborted();
    if (!isFound(this.#declaredOf(collection), where)) await this.#requireFew(collection, where, budget);
    return this.#countUpTo(collection, where, Infinity);
  }

  #countUpTo(collection: string, where: Where, most: number): Promise<number> {
    const documents = this.#documents(collection);
    const filter = Object.keys(where).length === 0 ? { _id: { $gte: '' } } : filterOf(where);
    const { maxTimeMS } = this.#server;
    const options = most < Infinity ? { maxTimeMS, limit: most } : { maxTimeMS };
    return this.#read(documents, () => documents.countDocuments(filter, options));
  }

  async *stream(
    collection: string,
    { where, budget, signal, visits }: StreamOptions,
  ): AsyncGenerator<readonly Document[]> {
    await this.#requireFew(collection, where, budget);
    for await (const batch of streamOf(this.#server, this.#documents(collection), where)) {
      if (visits) visits.documents += batch.length;
      yield batch;
      await giveWay(signal);
    }
  }

  /** @throws {OverBudget} when all parts of a filter that can be found have more documents, or there are more in all */
  async #requireFew(collection: string, where: Where, budget = Infinity): Promise<void> {
    if (budget === Infinity) return;
    for (const part of foundParts(this.#declaredOf(collection), where))
      if ((await this.#countUpTo(collection, part, budget + 1)) <= budget) return;
    throw new OverBudget(budget);
  }

  #declaredOf(name: string): Collection {
    const declared = this.#collections.find((collection) => collection.name === name);
    if (declared === undefined) throw new TypeError(`collection ${name} was not declared for ${this.#namespace}`);
    return declared;
  }

  async apply(changes: readonly Change[], checkpoint: Position | null): Promise<void> {
    const written = [...new Set(changes.map(({ collection }) => collection))].map((name) => ({
      name,
      own: changes.filter(({ collection }) => collection === name),
      lists: indexedListsOf(this.#declaredOf(name)),
      documents: this.#documents(name),
    }));
    await this.#ensureIndexes();
    // All are awaited: no write of a failed `apply` may still be in progress when it is repeated.
    const outcomes = await Promise.allSettled(
      written.map(({ name, lists, documents, own }) =>
        this.#fitting(name, () =>
          applyTo({ server: this.#server, documents, lists, updatesPerCommand: this.#updatesPerCommand }, own),
        ),
      ),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    if (checkpoint === null && written.length === 0) return;
    const { maxTimeMS } = this.#server;
    const update: UpdateFilter<Checkpoint> = { $setOnInsert: { instance: randomUUID() } };
    if (checkpoint !== null) update.$max = { position: checkpoint };
    // After the changes, so that readers of an older version read again. Where an older backup of the server was restored,
    // steps of one would lead to versions that clients know already.
    if (written.length > 0)
      update.$inc = Object.fromEntries(written.map(({ name }) => [`versions.${plain(name)}`, randomInt(1, MOST_STEP)]));
    await this.#server.write('write a checkpoint', () =>
      this.#checkpoints().updateOne({ _id: this.#namespace }, update, { upsert: true, maxTimeMS }),
    );
  }

  async version(collections: readonly string[]): Promise<string> {
    const { instance = '', versions = {} } = (await this.#progress()) ?? {};
    return [instance, ...collections.map((name) => versions[plain(name)] ?? 0)].join('.');
  }

  async checkpoint(): Promise<Position | null> {
    return (await this.#progress())?.position ?? null;
  }

  #progress(): Promise<Checkpoint | null> {
    const { maxTimeMS } = this.#server;
    return this.#server.run('read a checkpoint', () =>
      this.#checkpoints().findOne({ _id: this.#namespace }, { maxTimeMS }),
    );
  }

  /** Deletes the collections of the namespace, declared or not. */
  async drop(): Promise<void> {
    const { maxTimeMS } = this.#server;
    // First: if this stops half-way, the missing documents must not count as projected.
    await this.#server.run('drop a checkpoint', () =>
      this.#checkpoints().deleteOne({ _id: this.#namespace }, { maxTimeMS }),
    );
    const all = await this.#server.run('list collections', (db) =>
      db.listCollections({}, { nameOnly: true }).toArray(),
    );
    const own = all.map(({ name }) => name).filter((name) => name.startsWith(this.#prefix()));
    for (const name of own) await this.#server.run(`drop ${name}`, (db) => db.dropCollection(name));
  }

  #ensureIndexes(): Promise<void> {
    this.#indexesReady ??= this.#createIndexes().catch((error: unknown) => {
      this.#indexesReady = null;
      throw error;
    });
    return this.#indexesReady;
  }

  async #createIndexes(): Promise<void> {
    // Building may take long, so first make sure that the server answers within the usual limit.
    const build = await this.#server.run('answer', (db) => db.command({ buildInfo: 1 }));
    if ('ferretdbVersion' in build) this.#updatesPerCommand = UPDATES_PER_FERRETDB_COMMAND;
    for (const collection of this.#collections) {
      const { name } = collection;
      const indexes = indexesOf(collection);
      if (indexes.length === 0) continue;
      const documents = this.#documents(name);
      const present = await this.#server.run(`list indexes of ${documents.collectionName}`, () =>
        presentIndexesOf(documents),
      );
      // Only missing ones: FerretDB closes the connection if some of the indexes exist.
      const missing = indexes.map(keyOf).filter((key) => !present.has(JSON.stringify(key)));
      if (missing.length === 0) continue;
      const what = `create indexes of ${documents.collectionName}`;
      await this.#server.run(what, () => documents.createIndexes(missing.map((key) => ({ key }))), INDEX_BUILD_MS);
    }
  }

  /** @throws {DocumentTooLarge} when the server or the driver refuses a document as too large */
  async #fitting(collection: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (error instanceof StoreUnavailable && isTooLarge(error.cause))
        throw new DocumentTooLarge(collection, { cause: error });
      throw error;
    }
  }

  #read<T>(documents: Documents, call: () => Promise<T>): Promise<T> {
    return this.#server.run(`read ${documents.collectionName}`, call);
  }

  #documents(name: string): Documents {
    return this.#server.db.collection<StoredDocument>(`${this.#prefix()}${this.#declaredOf(name).name}`);
  }

  #checkpoints() {
    return this.#server.db.collection<Checkpoint>(CHECKPOINTS);
  }

  /** Prefix of the names of the namespace's collections: its name without dots, which makes it unique. */
  #prefix(): string {
    return `${plain(this.#namespace)}.`;
  }
}

/** The key of an index: the fields, then the order of creation. */
function keyOf(fields: Index): Readonly<Record<string, 1>> {
  return Object.fromEntries(orderedBy(fields).map((name) => [name, 1] as const));
}

/** The indexes of a collection, and one for each column that has none of its own. */
function indexesOf({ indexes, columns = [] }: Collection): readonly Index[] {
  const alone = new Set(indexes.filter((index) => index.length === 1).flat());
  return [...indexes, ...columns.filter((field) => !alone.has(field)).map((field) => [field])];
}

/** The keys of the existing indexes, as JSON. */
async function presentIndexesOf(documents: Documents): Promise<ReadonlySet<string>> {
  try {
    const present = await documents.listIndexes().toArray();
    return new Set(present.map(({ key }) => JSON.stringify(key)));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return new Set();
    throw error;
  }
}
