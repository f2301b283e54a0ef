import { open, type Database, type Key, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { DocumentTooLarge, OverBudget, StoreFull, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { preflight } from './preflight.ts';
import { ProcessLock, type LockOptions } from './process-lock.ts';

/**
 * Interval, in ms, at which the slots of dead readers are freed: each keeps all pages of its snapshot from being used again.
 */
const READER_CHECK_MS = 1_000;

/** Messages of a defect of lmdb 3.5.6 (README.md, "The list of free pages"). */
const FREE_LIST_DEFECT = /MDB_BAD_TXN|reserved freelist/;

/**
 * The transactions of an environment. Between them, slots of readers that have died are freed: lmdb itself looks every
 * ten minutes, and a killed command would make the file grow all that time. A transaction that fails by the known
 * defect was rolled back before anything was written; it is repeated once.
 */
export class Transactions {
  readonly #root: Pick<RootDatabase, 'readerCheck'>;
  #checkedAt = 0;

  constructor(root: Pick<RootDatabase, 'readerCheck'>) {
    this.#root = root;
  }

  /** Runs a transaction, whose work may be repeated. */
  async run<T>(transaction: () => T | Promise<T>, onRollback?: () => void): Promise<T> {
    const now = performance.now();
    if (now - this.#checkedAt >= READER_CHECK_MS) {
      this.#checkedAt = now;
      this.#root.readerCheck();
    }
    let isRepeated = false;
    while (true) {
      try {
        return await transaction();
      } catch (error) {
        onRollback?.();
        const cause = await causeOf(error);
        const isDefect = cause instanceof Error && FREE_LIST_DEFECT.test(cause.message);
        if (isRepeated || !isDefect) throw cause;
        isRepeated = true;
      }
    }
  }
}

export interface EnvironmentOptions<N extends string> extends LockOptions {
  readonly directory: string;
  readonly lmdb: RootDatabaseOptionsWithPath;
  /** The databases that it always has, and how their values are encoded; by default as JSON. */
  readonly databases: readonly N[];
  readonly encoding?: 'binary' | 'json';
}

/**
 * An environment that is written under its lock. Reads are synchronous, of the snapshot of this turn of the event loop.
 */
export class LockedEnvironment<N extends string = string> {
  readonly root: RootDatabase;
  readonly #databases: ReadonlyMap<string, Database>;
  readonly #lock: ProcessLock;
  readonly #transactions: Transactions;
  readonly #snapshots = new Set<Promise<unknown>>();

  private constructor(lock: ProcessLock, { directory, lmdb, databases, encoding = 'json' }: EnvironmentOptions<N>) {
    preflight(directory);
    this.#lock = lock;
    this.root = open(lmdb);
    this.#databases = new Map(databases.map((name) => [name, this.root.openDB(name, { encoding })]));
    this.#transactions = new Transactions(this.root);
  }

  /** @throws {Error} when the files cannot be opened; the lock is closed again then (see `SharedInstances`). */
  static async open<N extends string>(options: EnvironmentOptions<N>): Promise<LockedEnvironment<N>> {
    const lock = await ProcessLock.open(options.directory, options);
    try {
      return await lock.run(() => new LockedEnvironment(lock, options));
    } catch (error) {
      await lock.close();
      throw error;
    }
  }

  /** One of the databases; only the caller writes keys and values there. */
  database<V, K extends Key = string>(name: N): Database<V, K> {
    return this.#databases.get(name) as Database<V, K>;
  }

  /** Makes the next read see what any process has committed. */
  refresh(): void {
    this.root.resetReadTxn();
  }

  /**
   * Runs `work` in a write transaction, which is rolled back when it throws; it may be run twice (see `Transactions`). With
   * `childTransaction` it runs in a later turn of the event loop, and the promise resolves once it is on disk.
   * @param onRollback is called when it was rolled back; by `transactionSync` at once, before anyone else reads
   */
  write<T>(
    work: () => T,
    begin: 'transactionSync' | 'childTransaction' = 'transactionSync',
    onRollback?: () => void,
  ): Promise<T> {
    return this.#lock.run(() => this.#transactions.run(() => this.root[begin](work), onRollback));
  }

  /** Holds the lock during `work`, which may call `transact` to run a transaction. */
  exclusive<T>(work: (transact: <R>(inside: () => R) => Promise<R>) => T | Promise<T>): Promise<T> {
    return this.#lock.run(() => work((inside) => this.#transactions.run(() => this.root.transactionSync(inside))));
  }

  /**
   * Runs reads of an iterator that spans several turns of the event loop. `close` waits for them: an iterator keeps its
   * snapshot, and one that continues in a closed environment would crash the process.
   */
  readonly reading = async <T>(read: () => Promise<T>): Promise<T> => {
    const snapshot = read();
    this.#snapshots.add(snapshot);
    try {
      return await snapshot;
    } finally {
      this.#snapshots.delete(snapshot);
    }
  };

  close(): Promise<void> {
    return this.#lock.close(async () => {
      while (this.#snapshots.size > 0) await Promise.allSettled(this.#snapshots);
      await this.root.close();
    });
  }
}

/** Whether bytes are the value in a buffer that lmdb uses again; its end is that of the value. */
export function areBytesOf(value: Buffer, bytes: Buffer): boolean {
  return bytes.length === value.length && bytes.compare(value, 0, value.length) === 0;
}

/** The reason of a failed commit: lmdb-js puts it into a promise, whose rejection must be handled. */
export async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error && 'commitError' in error)) return error;
  try {
    return await error.commitError;
  } catch (reason) {
    return reason;
  }
}

/**
 * Reference-counted instances by directory: an environment must not be opened twice in one process. lmdb 3.5.6 returns
 * the same one to the second user, but opens and closes the lock file once more and thereby loses this process's lock
 * on it (POSIX drops all locks of a process when it closes any descriptor of the file). The next process to open the
 * environment would take itself for the only one, and clear the table of readers and the write lock.
 */
export class SharedInstances<T extends { close(): Promise<void> }> {
  readonly #instances = new Map<string, { readonly opening: Promise<T>; users: number }>();

  /**
   * The instance of an existing directory; if there is none, `open` opens it. Its last user's `release` closes it.
   * @throws {Error} while it is being closed, or what `open` throws.
   */
  async acquire(directory: string, open: () => Promise<T>) {
    const key = realpathSync(directory);
    const entry = this.#instances.get(key) ?? { opening: open(), users: 0 };
    if (entry.users === 0 && this.#instances.has(key)) throw new Error(`${directory} is being closed`);
    entry.users += 1;
    this.#instances.set(key, entry);
    const leave = async (close: () => Promise<void>): Promise<void> => {
      entry.users -= 1;
      if (entry.users === 0) await close().finally(() => this.#instances.delete(key));
    };
    try {
      const value = await entry.opening;
      return { value, release: () => leave(() => value.close()) };
    } catch (error) {
      await leave(() => Promise.resolve());
      throw error;
    }
  }
}

/**
 * Runs work on the store.
 * @throws {StoreUnavailable} with the cause when the work fails, unless a retry cannot help; the reason of an aborted
 * signal.
 */
export async function orUnavailable<T>(
  work: () => T | Promise<T>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    signal?.throwIfAborted();
    throw storeErrorOf(cause);
  }
}

const FINAL_ERRORS = [DocumentTooLarge, OverBudget, RangeError, StoreUnavailable];

/**
 * The error that the store throws when its work fails. An error that a retry would only meet again stays as it is; a
 * RangeError is about an id that is too long for a key.
 */
export function storeErrorOf(cause: unknown): unknown {
  if (FINAL_ERRORS.some((final) => cause instanceof final)) return cause;
  if (isFull(cause)) return new StoreFull('the disk of the embedded read store is full, or fails', { cause });
  return new StoreUnavailable('the embedded read store failed', { cause });
}

/**
 * Whether the system has no room for a file: the disk is full, or a quota or the limit on file sizes is reached. lmdb
 * reports EIO when only a part of the pages could be written.
 */
function isFull(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && FULL.has(Number(cause.code));
}

const { ENOSPC, EDQUOT, EFBIG, EIO } = constants.errno;
const FULL = new Set([ENOSPC, EDQUOT, EFBIG, EIO]);
