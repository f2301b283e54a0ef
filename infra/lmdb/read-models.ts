import type { Database, RootDatabase } from 'lmdb';
import { DocumentTooLarge, OverBudget, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { Position } from '../../src/kernel/ports/event-store.ts';
import type {
  Change,
  Collection,
  Document,
  FindOptions,
  Index,
  ReadModels,
  Register,
  StreamOptions,
  Where,
} from '../../src/kernel/ports/read-store.ts';
import { applyChanges, type ApplyState } from './apply-changes.ts';
import { LmdbCollection, type Shapes } from './collection.ts';
import type { ProcessLock } from './environment.ts';
import { countByIndex, countByScan, findByIndex, findByScan, streamOf, nextTurn } from './query.ts';

/**
 * The collections and indexes of a namespace that any process has declared; every process maintains all of them.
 */
type Declarations = Readonly<Record<string, readonly Index[]>>;

/** State of a namespace besides its documents. */
interface NamespaceState {
  readonly checkpoint: Position | null;
  /** Number of changes of its declarations so far. */
  readonly declared: number;
}

const NEW_NAMESPACE: NamespaceState = { checkpoint: null, declared: 0 };

/** An open LMDB environment with its databases. */
export interface Environment {
  /** Held during each write. */
  readonly lock: ProcessLock;
  readonly root: RootDatabase;
  readonly progress: Database<NamespaceState, string>;
  readonly declarations: Database<Declarations, string>;
  readonly shapes: Database<Shapes, string>;
  readonly registers: Database<Register, string>;
}

/**
 * Runs work on the store.
 * @throws {StoreUnavailable} with the cause when the work fails, unless trying again would be of no use; the reason of a
 * signal that has aborted.
 */
export async function orUnavailable<T>(
  work: () => T | Promise<T>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    signal?.throwIfAborted();
    throw unavailableUnlessFinal(cause);
  }
}

/** Errors that would come again and again are left as they are; a RangeError is about an id that is too long for a key. */
function unavailableUnlessFinal(cause: unknown): unknown {
  const isFinal = cause instanceof DocumentTooLarge || cause instanceof OverBudget || cause instanceof RangeError;
  return isFinal ? cause : new StoreUnavailable('the embedded read store failed', { cause });
}

/** A namespace of the embedded read store; the port describes its methods. */
export class LmdbReadModels implements ReadModels {
  readonly #env: Environment;
  readonly #name: string;
  readonly #collections = new Map<string, LmdbCollection>();
  /** The value of `declared` for which this process has opened collections and indexes. */
  #declared = 0;

  constructor(env: Environment, name: string) {
    this.#env = env;
    this.#name = name;
  }

  /** Opens the collections and their indexes, and fills indexes new to the namespace. The lock must be held. */
  declare(wanted: readonly Collection[]): void {
    const { root, progress, declarations } = this.#env;
    for (const { name, indexes } of wanted) this.#open(name, indexes);
    this.#openDeclared();
    root.transactionSync(() => {
      const known = declarations.get(this.#name) ?? {};
      const all = withDeclared(known, wanted, (collection, fields) => {
        const opened = this.#collection(collection);
        opened.fill(opened.openIndex(fields));
      });
      if (all === known) return;
      const state = this.#state();
      declarations.putSync(this.#name, all);
      progress.putSync(this.#name, { ...state, declared: state.declared + 1 });
    });
    this.#openDeclared();
  }

  /** Deletes all documents and declarations of the namespace. The lock must be held. */
  drop(): void {
    const { root, progress, declarations, shapes } = this.#env;
    this.#openDeclared();
    root.transactionSync(() => {
      for (const [name, collection] of this.#collections) {
        collection.clear();
        shapes.removeSync(this.#prefix(name));
      }
      declarations.removeSync(this.#name);
      progress.removeSync(this.#name);
    });
  }

  async get(collection: string, id: string): Promise<Document | null> {
    const opened = this.#collection(collection);
    return orUnavailableSync(() => opened.get(id));
  }

  async find(collection: string, query: FindOptions): Promise<readonly Document[]> {
    const opened = this.#collection(collection);
    query.signal?.throwIfAborted();
    return orUnavailableSync(() => findByIndex(opened, query)) ?? orUnavailable(() => findByScan(opened, query), query);
  }

  async count(collection: string, where: Where): Promise<number> {
    const opened = this.#collection(collection);
    return orUnavailableSync(() => countByIndex(opened, where)) ?? orUnavailable(() => countByScan(opened, where));
  }

  async *stream(collection: string, query: StreamOptions): AsyncGenerator<readonly Document[]> {
    const batches = streamOf(this.#collection(collection), query);
    for (;;) {
      const next = await orUnavailable(() => batches.next(), query);
      if (next.done === true) return;
      yield next.value;
    }
  }

  async apply(changes: readonly Change[], checkpoint: Position | null): Promise<void> {
    const state: ApplyState = { changes, next: 0, fanOutLeft: [] };
    for (const { collection } of changes) this.#collection(collection);
    while (!orUnavailableSync(() => this.#commit(state, checkpoint))) await nextTurn();
  }

  async checkpoint(): Promise<Position | null> {
    return orUnavailableSync(() => {
      // lmdb keeps one snapshot per turn of the event loop, in which another process may have written.
      this.#env.root.resetReadTxn();
      return this.#state().checkpoint;
    });
  }

  /**
   * One transaction of an `apply`; true when it was the last one. Synchronous, since nothing waits for the disk: a document
   * with eight index entries took 55 µs of CPU this way, 126 µs by lmdb's writer thread, and 117 and 192 µs with syncs.
   */
  #commit(state: ApplyState, checkpoint: Position | null): boolean {
    try {
      const outcome = this.#write(() => {
        const stored = this.#state();
        if (stored.declared !== this.#declared) return 'declarations changed';
        for (const collection of this.#collections.values()) collection.onTransactionStart();
        const done = applyChanges(state, (name) => this.#collection(name));
        if (done && checkpoint !== null && (stored.checkpoint ?? -1) < checkpoint)
          this.#env.progress.putSync(this.#name, { ...stored, checkpoint });
        return done;
      });
      if (outcome === 'declarations changed') this.#openDeclared();
      return outcome === true;
    } catch (error) {
      for (const collection of this.#collections.values()) collection.onTransactionFailed();
      throw error;
    }
  }

  #write<T>(work: () => T): T {
    const { lock, root } = this.#env;
    return lock.runSync(() => root.transactionSync(work));
  }

  #state(): NamespaceState {
    return this.#env.progress.get(this.#name) ?? NEW_NAMESPACE;
  }

  /** Opens collections and indexes that were declared since, by this or another process. */
  #openDeclared(): void {
    this.#env.root.resetReadTxn();
    const { declared } = this.#state();
    if (declared === this.#declared) return;
    const declarations = this.#env.declarations.get(this.#name) ?? {};
    for (const [name, indexes] of Object.entries(declarations)) this.#open(name, indexes);
    this.#declared = declared;
  }

  #open(name: string, indexes: readonly Index[]): void {
    const { root, shapes } = this.#env;
    const prefix = this.#prefix(name);
    const collection =
      this.#collections.get(name) ??
      new LmdbCollection(root, name, {
        prefix,
        shapes: {
          load: () => shapes.get(prefix) ?? null,
          save: (all) => {
            shapes.putSync(prefix, all);
          },
        },
      });
    this.#collections.set(name, collection);
    for (const fields of indexes) collection.openIndex(fields);
  }

  #prefix(collection: string): string {
    return JSON.stringify([this.#name, collection]);
  }

  #collection(name: string): LmdbCollection {
    const collection = this.#collections.get(name);
    if (collection === undefined) throw new TypeError(`collection ${name} was not declared for ${this.#name}`);
    return collection;
  }
}

/** The same for synchronous work: reads from mapped memory need no promise. */
function orUnavailableSync<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw unavailableUnlessFinal(cause);
  }
}

/**
 * The declarations with further ones added; the same object when nothing is new. Calls `added` for each new index.
 */
function withDeclared(
  known: Declarations,
  wanted: readonly Collection[],
  added: (collection: string, fields: Index) => void,
): Declarations {
  let all = known;
  for (const { name, indexes } of wanted) {
    const present = (all[name] ?? []).map((fields) => JSON.stringify(fields));
    const missing = indexes.filter((fields) => !present.includes(JSON.stringify(fields)));
    if (missing.length === 0 && name in all) continue;
    for (const fields of missing) added(name, fields);
    all = { ...all, [name]: [...(all[name] ?? []), ...missing] };
  }
  return all;
}
