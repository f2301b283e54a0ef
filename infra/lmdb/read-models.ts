import type { Database, RootDatabase } from 'lmdb';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { Position } from '../../src/kernel/ports/event-store.ts';
import type {
  Change,
  Collection,
  Document,
  FindOptions,
  Index,
  ReadModels,
  Register,
  Sort,
  Where,
} from '../../src/kernel/ports/read-store.ts';
import { proceed, type Progress } from './apply.ts';
import { LmdbCollection, type Shapes } from './collection.ts';
import type { Gate } from './environment.ts';
import { countByIndex, countByScan, findByIndex, findByScan, streamOf, turn } from './query.ts';

/**
 * Every collection of a namespace with every index that any process has declared for it: all of them are kept by all.
 */
type Declarations = Readonly<Record<string, readonly Index[]>>;

/** What a namespace notes besides its documents. */
interface NamespaceNote {
  readonly checkpoint: Position | null;
  /** Counts the changes of its declarations. */
  readonly declared: number;
}

const NEW_NAMESPACE: NamespaceNote = { checkpoint: null, declared: 0 };

export interface Environment {
  /** Every write goes through it. */
  readonly gate: Gate;
  readonly root: RootDatabase;
  readonly progress: Database<NamespaceNote, string>;
  readonly declarations: Database<Declarations, string>;
  readonly shapes: Database<Shapes, string>;
  readonly registers: Database<Register, string>;
}

/** Runs work on the store. @throws {StoreUnavailable} with the cause when it fails. */
export async function guarded<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new StoreUnavailable('the embedded read store failed', { cause });
  }
}

/** One namespace of the embedded read store; see the port for what its methods promise. */
export class LmdbReadModels implements ReadModels {
  readonly #env: Environment;
  readonly #name: string;
  readonly #collections = new Map<string, LmdbCollection>();
  /** The declarations that this process has opened. */
  #declared = 0;

  constructor(env: Environment, name: string) {
    this.#env = env;
    this.#name = name;
  }

  /** Opens the collections and their indexes, and fills indexes that are new to the namespace. Inside the gate. */
  declare(wanted: readonly Collection[]): void {
    const { root, progress, declarations } = this.#env;
    for (const { name, indexes } of wanted) this.#open(name, indexes);
    this.#openDeclared();
    root.transactionSync(() => {
      const known = declarations.get(this.#name) ?? {};
      const all = merged(known, wanted, (collection, fields) => {
        const opened = this.#collection(collection);
        opened.fill(opened.openIndex(fields));
      });
      if (all === known) return;
      const note = this.#note();
      declarations.putSync(this.#name, all);
      progress.putSync(this.#name, { ...note, declared: note.declared + 1 });
    });
    this.#openDeclared();
  }

  /** Deletes all that any process has declared and written here. Inside the gate. */
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
    return attempt(() => opened.get(id));
  }

  async find(collection: string, query: FindOptions): Promise<readonly Document[]> {
    const opened = this.#collection(collection);
    return attempt(() => findByIndex(opened, query)) ?? guarded(() => findByScan(opened, query));
  }

  async count(collection: string, where: Where): Promise<number> {
    const opened = this.#collection(collection);
    return attempt(() => countByIndex(opened, where)) ?? guarded(() => countByScan(opened, where));
  }

  async *stream(collection: string, query: { where: Where; sort?: Sort }): AsyncGenerator<readonly Document[]> {
    const batches = streamOf(this.#collection(collection), query.where, query.sort);
    for (;;) {
      const next = await guarded(() => batches.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  async apply(changes: readonly Change[], checkpoint: Position): Promise<void> {
    const progress: Progress = { changes, next: 0, waiting: [] };
    for (const { collection } of changes) this.#collection(collection);
    while (!attempt(() => this.#commit(progress, checkpoint))) await turn();
  }

  async checkpoint(): Promise<Position | null> {
    return attempt(() => {
      // Another process may have moved it within this turn of the event loop, for which lmdb would keep its snapshot.
      this.#env.root.resetReadTxn();
      return this.#note().checkpoint;
    });
  }

  /**
   * One transaction of an apply; true when it was the last one. Synchronous, since nothing waits for the disk: one
   * document with eight entries took 55 µs of CPU so, 126 µs by lmdb's writer thread, and 117 and 192 with syncs.
   */
  #commit(progress: Progress, checkpoint: Position): boolean {
    try {
      const outcome = this.#write(() => {
        const note = this.#note();
        if (note.declared !== this.#declared) return 'declared anew';
        for (const collection of this.#collections.values()) collection.begin();
        const done = proceed(progress, (name) => this.#collection(name));
        const moves = done && (note.checkpoint ?? -1) < checkpoint;
        if (moves) this.#env.progress.putSync(this.#name, { ...note, checkpoint });
        return done;
      });
      if (outcome === 'declared anew') this.#openDeclared();
      return outcome === true;
    } catch (error) {
      for (const collection of this.#collections.values()) collection.rolledBack();
      throw error;
    }
  }

  #write<T>(work: () => T): T {
    const { gate, root } = this.#env;
    return gate.passSync(() => root.transactionSync(work));
  }

  #note(): NamespaceNote {
    return this.#env.progress.get(this.#name) ?? NEW_NAMESPACE;
  }

  /** Opens what this or another process has declared since. */
  #openDeclared(): void {
    this.#env.root.resetReadTxn();
    const { declared } = this.#note();
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

/** Like `guarded`, without a promise: reads of a mapped file are done at once. */
function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new StoreUnavailable('the embedded read store failed', { cause });
  }
}

/**
 * The declarations with the wanted ones added, calling `added` for each new index; the same object when there is
 * nothing new.
 */
function merged(
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
