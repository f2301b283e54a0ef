import { constants } from 'node:os';
import type { Database } from 'lmdb';
import { DocumentTooLarge, OverBudget, StoreFull, StoreUnavailable } from '../../src/service/kernel/ports/errors.ts';
import type { Position } from '../../src/service/kernel/ports/event-store.ts';
import type {
  Change,
  Collection,
  Document,
  FindOptions,
  Index,
  QueryBounds,
  ReadModels,
  StreamOptions,
  Where,
} from '../../src/service/kernel/ports/read-store.ts';
import { applyChanges, type ApplyState } from './apply-changes.ts';
import { LmdbCollection, type Shapes } from './collection.ts';
import type { LockedEnvironment } from './environment.ts';
import type { KeyFormat } from './keys.ts';
import { countByIndex, countByScan, findByIndex, findWithoutIndex, streamOf } from './query.ts';

/**
 * The collections and indexes of a namespace that any process has declared; every process maintains all of them.
 */
type Declarations = Readonly<Record<string, readonly Index[]>>;

/** State of a namespace besides its documents. */
interface NamespaceState {
  readonly checkpoint: Position | null;
  /** Number of changes of its declarations so far. */
  readonly declared: number;
  /** Number of transactions so far that have changed documents, by collection. */
  readonly versions?: Readonly<Record<string, number>>;
  /** The format of its keys; without it: `text`. */
  readonly keys?: KeyFormat;
}

const NEW_NAMESPACE: NamespaceState = { checkpoint: null, declared: 0 };

/** The databases of JSON that each namespace has. */
export const NAMESPACE_DATABASES = ['progress', 'declarations', 'shapes'] as const;

type NamespaceEnvironment = LockedEnvironment<(typeof NAMESPACE_DATABASES)[number]>;

/** Key of what there is once in a namespace. */
const ONLY = 'only';

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

/** Errors that stay as they are. */
const FINAL_ERRORS = [DocumentTooLarge, OverBudget, RangeError, StoreUnavailable];

/** Errors that would come again and again are left as they are; a RangeError is about an id that is too long for a key. */
function unavailableUnlessFinal(cause: unknown): unknown {
  if (FINAL_ERRORS.some((final) => cause instanceof final)) return cause;
  if (isFull(cause)) return new StoreFull('the disk of the embedded read store is full, or fails', { cause });
  return new StoreUnavailable('the embedded read store failed', { cause });
}

/**
 * Whether the system has no room for a file: its disk, a quota, or the limit on the size of files. lmdb says EIO when only a
 * part of the pages could be written.
 */
function isFull(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && FULL.has(Number(cause.code));
}

const { ENOSPC, EDQUOT, EFBIG, EIO } = constants.errno;
const FULL = new Set([ENOSPC, EDQUOT, EFBIG, EIO]);

/** A namespace of the embedded read store, in an environment of its own; the port describes its methods. */
export class LmdbReadModels implements ReadModels {
  readonly #env: NamespaceEnvironment;
  readonly #name: string;
  readonly #id: string;
  readonly #progress: Database<NamespaceState, string>;
  readonly #declarations: Database<Declarations, string>;
  readonly #shapes: Database<Shapes, string>;
  readonly #collections = new Map<string, LmdbCollection>();
  /** The value of `declared` for which this process has opened collections and indexes. */
  #declared = 0;

  /** @param id unique over all namespaces that there are and were */
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
      for (const { name, indexes } of wanted) this.#open(name, indexes);
      this.#openDeclared();
      await transact(() => {
        const known = this.#declarations.get(ONLY) ?? {};
        const all = withDeclared(known, wanted, (collection, fields) => {
          const opened = this.#collection(collection);
          opened.fill(opened.openIndex(fields));
        });
        if (all === known) return;
        const [state, keys] = [this.#state(), this.#keyFormat()];
        this.#declarations.putSync(ONLY, all);
        this.#progress.putSync(ONLY, { ...state, keys, declared: state.declared + 1 });
      });
      this.#openDeclared();
    });
  }

  async get(collection: string, id: string): Promise<Document | null> {
    const opened = this.#collection(collection);
    return orUnavailableSync(() => opened.get(id));
  }

  async find(collection: string, query: FindOptions): Promise<readonly Document[]> {
    const opened = this.#collection(collection);
    query.signal?.throwIfAborted();
    return (
      orUnavailableSync(() => findByIndex(opened, query)) ?? orUnavailable(() => findWithoutIndex(opened, query), query)
    );
  }

  async count(collection: string, where: Where, bounds: QueryBounds = {}): Promise<number> {
    const opened = this.#collection(collection);
    const counted = orUnavailableSync(() => countByIndex(opened, where));
    return counted ?? orUnavailable(() => countByScan(opened, where, bounds), bounds);
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
    while (!(await orUnavailable(() => this.#commit(state, checkpoint))));
  }

  async version(collections: readonly string[]): Promise<string> {
    const { versions = {} } = orUnavailableSync(() => this.#state());
    return [this.#id, ...collections.map((name) => versions[name] ?? 0)].join('.');
  }

  async checkpoint(): Promise<Position | null> {
    return orUnavailableSync(() => {
      // lmdb keeps one snapshot per turn of the event loop, in which another process may have written.
      this.#env.refresh();
      return this.#state().checkpoint;
    });
  }

  /**
   * One transaction of an `apply`; true when it was the last one. Synchronous, since nothing waits for the disk: a document
   * with eight index entries took 55 µs of CPU this way, 126 µs by lmdb's writer thread, and 117 and 192 µs with syncs.
   */
  async #commit(state: ApplyState, checkpoint: Position | null): Promise<boolean> {
    let attempts = 0;
    try {
      const outcome = await this.#env.write(() => {
        if (attempts++ > 0) this.#startAgain(state);
        const stored = this.#state();
        if (stored.declared !== this.#declared) return 'declarations changed';
        for (const collection of this.#collections.values()) collection.onTransactionStart();
        const done = applyChanges(state, (name) => this.#collection(name));
        const moves = done && checkpoint !== null && (stored.checkpoint ?? -1) < checkpoint;
        const next = moves ? { ...stored, checkpoint } : stored;
        const changed = state.changes.length === 0 ? next : { ...next, versions: nextVersions(stored, state) };
        if (changed !== stored) this.#progress.putSync(ONLY, changed);
        for (const collection of this.#collections.values()) collection.onTransactionDone();
        return done;
      });
      if (outcome === 'declarations changed') await this.#env.exclusive(() => this.#openDeclared());
      return outcome === true;
    } catch (error) {
      this.#startAgain(state);
      throw error;
    }
  }

  /** After a transaction that was rolled back: what earlier ones have written is found there (see `applyChanges`). */
  #startAgain(state: ApplyState): void {
    state.next = 0;
    state.fanOutLeft = [];
    for (const collection of this.#collections.values()) collection.onTransactionFailed();
  }

  #state(): NamespaceState {
    return this.#progress.get(ONLY) ?? NEW_NAMESPACE;
  }

  /** The format of the keys here: the one that was new when the first collection was declared. */
  #keyFormat(): KeyFormat {
    return this.#declarations.get(ONLY) === undefined ? 'packed' : (this.#state().keys ?? 'text');
  }

  /** Opens collections and indexes that were declared since, by this or another process. To be called under the lock. */
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
      new LmdbCollection(this.#env.root, name, {
        format: this.#keyFormat(),
        shapes: {
          load: () => this.#shapes.get(name) ?? null,
          save: (all) => {
            this.#shapes.putSync(name, all);
          },
        },
        version: () => this.#state().versions?.[name] ?? 0,
      });
    this.#collections.set(name, collection);
    for (const fields of indexes) collection.openIndex(fields);
  }

  #collection(name: string): LmdbCollection {
    const collection = this.#collections.get(name);
    if (collection === undefined) throw new TypeError(`collection ${name} was not declared for ${this.#name}`);
    return collection;
  }
}

/** The versions of a namespace after a transaction of an `apply`. */
function nextVersions({ versions = {} }: NamespaceState, { changes }: ApplyState): Readonly<Record<string, number>> {
  const names = new Set(changes.map(({ collection }) => collection));
  return { ...versions, ...Object.fromEntries([...names].map((name) => [name, (versions[name] ?? 0) + 1])) };
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
