import { randomInt } from 'node:crypto';
import type { Database } from 'lmdb';
import { giveOneTurn, giveWay } from '../../src/runtime/give-way.ts';
import type { Position } from '../../src/kernel/ports/event-store.ts';
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
import { LmdbCollection, type Shapes } from './collection.ts';
import { areBytesOf, orUnavailable, storeErrorOf, type LockedEnvironment } from './environment.ts';
import { count, findPage, sequencesOf, streamOf } from './query.ts';

/**
 * The collections and indexes of a namespace that any process has declared; every process maintains all of them. A
 * column is like an index of COLUMN and its field.
 */
type Declarations = Readonly<Record<string, readonly Index[]>>;

const COLUMN = '';

/** State of a namespace besides its documents. */
interface NamespaceState {
  readonly checkpoint: Position | null;
  /** Number of changes of its declarations so far. */
  readonly declared: number;
  /** Version by collection, which grows with each transaction that changes its documents. */
  readonly versions?: Readonly<Record<string, number>>;
}

/** The largest step by which a version grows at the first write of a process: 2^53 is far away. */
const MOST_STEP = 2 ** 31;

const NEW_NAMESPACE: NamespaceState = { checkpoint: null, declared: 0 };

/** The databases of JSON that each namespace has. */
export const NAMESPACE_DATABASES = ['progress', 'declarations', 'shapes'] as const;

type NamespaceEnvironment = LockedEnvironment<(typeof NAMESPACE_DATABASES)[number]>;

/** Key of the only entry of a database. */
const ONLY = 'only';

/**
 * Most documents that one transaction changes for `setWhere`, which takes some 20 ms: a transaction blocks the event loop
 * and other writers. Laps wait until all of it is written, so it takes most of the time: in each turn of the loop between
 * two steps, other requests get 5 ms and more.
 */
const FAN_OUT_BATCH = 500;

/**
 * Applies changes inside write transactions: one step each, as a large fan-out may take several. Repeating committed
 * changes is harmless: an insert finds its id, all others find a position that is not smaller.
 */
function* stepsOf(changes: readonly Change[], collections: ReadonlyMap<string, LmdbCollection>): Generator<void> {
  const writePending = (): void => collections.forEach((collection) => collection.writePending());
  let budget = FAN_OUT_BATCH;
  for (const change of changes) {
    const collection = collections.get(change.collection);
    if (collection === undefined) continue;
    if (change.kind !== 'setWhere') {
      collection.change(change);
      continue;
    }
    collection.writePending();
    // Collected before anything is changed: the change may be of the field that the index is on.
    const concerned = sequencesOf(collection, { [change.field]: change.value });
    while (concerned.length > 0) {
      if (budget === 0) {
        writePending();
        yield;
        budget = FAN_OUT_BATCH;
      }
      const some = concerned.splice(-budget);
      collection.changeAll(some, change);
      budget -= some.length;
    }
  }
  writePending();
}

/** A namespace of the embedded read store, in an environment of its own; the port describes its methods. */
export class LmdbReadModels implements ReadModels {
  readonly #env: NamespaceEnvironment;
  readonly #name: string;
  readonly #id: string;
  readonly #progress: Database<NamespaceState, string>;
  readonly #declarations: Database<Declarations, string>;
  readonly #shapes: Database<Shapes, string>;
  readonly #collections = new Map<string, LmdbCollection>();
  /** Names of the collections that this process has written. */
  readonly #written = new Set<string>();
  /** The state that was read last, and its bytes: to compare them takes a fifth of parsing them. */
  #lastRead: { readonly bytes: Buffer; readonly state: NamespaceState } | null = null;
  /** The value of `declared` for which this process has opened collections and indexes. */
  #declared = 0;

  /** @param id unique among all present and past namespaces */
  constructor({ name, id }: { readonly name: string; readonly id: string }, env: NamespaceEnvironment) {
    this.#env = env;
    this.#name = name;
    this.#id = id;
    this.#progress = env.database('progress');
    this.#declarations = env.database('declarations');
    this.#shapes = env.database('shapes');
  }

  /** Opens the collections and their indexes, and fills indexes new to the namespace. */
  async declare(wanted: readonly Collection[]): Promise<void> {
    await this.#env.exclusive(async (transact) => {
      this.#env.refresh();
      const declared = wanted.map(({ name, indexes, columns = [] }) => {
        return { name, indexes: [...indexes, ...columns.map((field) => [COLUMN, field])] };
      });
      for (const { name, indexes } of declared) this.#open(name, indexes);
      this.#openDeclared();
      const known = this.#declarations.get(ONLY) ?? {};
      const all = { ...known };
      for (const { name, indexes } of declared) {
        const present = new Set(known[name]?.map((fields) => JSON.stringify(fields)));
        const missing = indexes.filter((fields) => !present.has(JSON.stringify(fields)));
        all[name] = [...(known[name] ?? []), ...missing];
        const opened = this.#collection(name);
        for (const fields of missing) {
          if (fields[0] === COLUMN) continue;
          const index = opened.openIndex(fields);
          // Under the lock, so that nobody changes documents meanwhile; the index is declared when it has all of them.
          let next = opened.count() === 0 ? null : 1;
          while (next !== null) {
            const start: number = next;
            next = await transact(() => opened.fill(index, start));
            await giveWay();
          }
        }
      }
      await transact(() => {
        if (JSON.stringify(all) === JSON.stringify(known)) return;
        const state = this.#state();
        this.#declarations.putSync(ONLY, all);
        this.#progress.putSync(ONLY, { ...state, declared: state.declared + 1 });
      });
      this.#openDeclared();
      // The last chunk is read here, not by the first request.
      for (const { name } of wanted) this.#collection(name).columns?.sync();
    });
  }

  async get(collection: string, id: string): Promise<Document | null> {
    const opened = this.#collection(collection);
    try {
      return opened.get(id)?.document ?? null;
    } catch (cause) {
      throw storeErrorOf(cause);
    }
  }

  async find(collection: string, query: FindOptions): Promise<readonly Document[]> {
    const opened = this.#collection(collection);
    query.signal?.throwIfAborted();
    return orUnavailable(() => findPage(opened, query), query);
  }

  async count(collection: string, where: Where, bounds: QueryBounds = {}): Promise<number> {
    const opened = this.#collection(collection);
    return orUnavailable(() => count(opened, where, bounds), bounds);
  }

  async *stream(collection: string, query: StreamOptions): AsyncGenerator<readonly Document[]> {
    const batches = streamOf(this.#collection(collection), query);
    while (true) {
      const next = await orUnavailable(() => batches.next(), query);
      if (next.done === true) return;
      yield next.value;
    }
  }

  async apply(changes: readonly Change[], checkpoint: Position | null): Promise<void> {
    const collections = new Map<string, LmdbCollection>();
    for (const { collection } of changes) {
      if (!collections.has(collection)) collections.set(collection, this.#collection(collection));
    }
    let steps = stepsOf(changes, collections);
    const startAgain = (): void => {
      steps = stepsOf(changes, collections);
      for (const collection of collections.values()) collection.onTransactionFailed();
    };
    /** One transaction: whether it is the last one; null where declarations have changed. */
    const write = (): boolean | null => {
      const stored = this.#state();
      if (stored.declared !== this.#declared) return null;
      const versions: Record<string, number> = { ...stored.versions };
      for (const [name, collection] of collections) {
        const version = (versions[name] ?? 0) + this.#stepOf(name);
        versions[name] = version;
        collection.begin(version);
      }
      const isLast = steps.next().done === true;
      for (const collection of collections.values()) collection.next = null;
      const moves = isLast && checkpoint !== null && (stored.checkpoint ?? -1) < checkpoint;
      const next = moves ? { ...stored, checkpoint } : stored;
      const changed = collections.size === 0 ? next : { ...next, versions };
      if (changed !== stored) this.#progress.putSync(ONLY, changed);
      return isLast;
    };
    try {
      // Synchronous, since nothing waits for the disk: a document with eight index entries took 55 µs of CPU this way,
      // 126 µs by lmdb's writer thread, and 117 and 192 µs with syncs.
      while (true) {
        const isLast = await this.#env.write(write, 'transactionSync', startAgain);
        if (isLast === true) break;
        // Laps wait until all of it is written: in a crowd of requests, ten turns after each step would take seconds.
        if (isLast === false) await giveOneTurn();
        else await this.#env.exclusive(() => this.#openDeclared());
      }
      for (const name of collections.keys()) this.#written.add(name);
    } catch (cause) {
      throw storeErrorOf(cause);
    }
  }

  /**
   * By how much the version of a collection grows. Where an older snapshot of this store was restored, it would come to the
   * versions that clients have seen already: at its first write, a process jumps to another number.
   */
  #stepOf(name: string): number {
    return this.#written.has(name) ? 1 : randomInt(1, MOST_STEP);
  }

  async version(collections: readonly string[]): Promise<string> {
    try {
      const { versions = {} } = this.#state();
      return [this.#id, ...collections.map((name) => versions[name] ?? 0)].join('.');
    } catch (cause) {
      throw storeErrorOf(cause);
    }
  }

  async checkpoint(): Promise<Position | null> {
    return orUnavailable(() => {
      // lmdb keeps one snapshot per turn of the event loop, in which another process may have written.
      this.#env.refresh();
      return this.#state().checkpoint;
    });
  }

  #state(): NamespaceState {
    const value = this.#progress.getBinaryFast(ONLY);
    if (value === undefined) return NEW_NAMESPACE;
    if (this.#lastRead !== null && areBytesOf(value, this.#lastRead.bytes)) return this.#lastRead.state;
    const bytes = Buffer.from(value.subarray(0, value.length));
    // Only this class writes it.
    const state = JSON.parse(bytes.toString()) as NamespaceState;
    this.#lastRead = { bytes, state };
    return state;
  }

  /** Opens collections and indexes that this or another process has declared since. Call it under the lock. */
  #openDeclared(): void {
    this.#env.refresh();
    const { declared } = this.#state();
    if (declared === this.#declared) return;
    const declarations = this.#declarations.get(ONLY) ?? {};
    for (const [name, indexes] of Object.entries(declarations)) this.#open(name, indexes);
    this.#declared = declared;
  }

  #open(name: string, indexes: readonly Index[]): void {
    const collection =
      this.#collections.get(name) ??
      new LmdbCollection(name, {
        env: this.#env,
        shapes: { load: () => this.#shapes.get(name) ?? null, save: (all) => this.#shapes.putSync(name, all) },
        version: () => this.#state().versions?.[name] ?? 0,
      });
    this.#collections.set(name, collection);
    for (const fields of indexes) {
      const [first, field = ''] = fields;
      if (first === COLUMN) collection.openColumn(field);
      else collection.openIndex(fields);
    }
  }

  #collection(name: string): LmdbCollection {
    const collection = this.#collections.get(name);
    if (collection === undefined) throw new TypeError(`collection ${name} was not declared for ${this.#name}`);
    return collection;
  }
}
