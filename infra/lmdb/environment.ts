import { open, type Database, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  closeSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';

const LOCK_DIRECTORY = 'gate';

/**
 * A lock between processes: one at a time may open, close or write an LMDB environment. LMDB itself locks writers, but
 * lmdb 3.5.6 opens an environment without its write lock: `mdb_env_open2` reads the number of the newest transaction from
 * the file and some time later stores it in the lock file. What another process commits in between is lost: the next
 * transaction starts from the older snapshot and overwrites acknowledged data, and pages used twice have crashed
 * processes. A process that opens while the last other one closes finds destroyed locks.
 *
 * The lock is the write lock of a separate environment, to which nothing is ever committed, so that opening that one
 * loses nothing. The system releases it when the process that holds it dies.
 */
export class ProcessLock {
  readonly #root: RootDatabase<Buffer, string>;

  /** @throws {Error} when the lock of the environment in `directory` cannot be opened. */
  constructor(directory: string) {
    const path = join(directory, LOCK_DIRECTORY);
    mkdirSync(path, { recursive: true });
    preflight(path);
    this.#root = open<Buffer, string>({
      path,
      noSubdir: false,
      overlappingSync: false,
      eventTurnBatching: false,
      encoding: 'binary',
    });
  }

  /** Runs `work` while holding the lock. The event loop goes on while it waits, however long another process holds it. */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    return await waitingThreads.run(() => this.#root.transaction(async () => work()));
  }

  /**
   * The same for synchronous work, and a wait that blocks the event loop: only while a process starts, and never while a
   * `run` of this process holds the lock, as it needs the event loop to finish.
   */
  runSync<T>(work: () => T): T {
    return this.#root.transactionSync(work);
  }

  close(): Promise<void> {
    return this.#root.close();
  }
}

/** Threads of libuv's pool, unless UV_THREADPOOL_SIZE says otherwise. */
const DEFAULT_THREADS = 4;

/**
 * Runs so many at a time, in the order of their calls. Who waits for a lock takes a thread of libuv's pool, and whoever
 * holds one needs another to commit: were all threads waiting, nobody could.
 */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.#free = slots;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

const waitingThreads = new Slots(
  Math.max(1, Math.floor(Number(process.env['UV_THREADPOOL_SIZE'] ?? DEFAULT_THREADS) / 2)),
);

/** How often, in ms, the slots of dead readers are freed: each keeps all pages of its snapshot from being used again. */
const READER_CHECK_MS = 1_000;

/** What the defect of lmdb 3.5.6 is known by (docs/decisions/0032-a-transaction-is-repeated-once.md). */
const FREE_LIST_DEFECT = /MDB_BAD_TXN|reserved freelist/;

/**
 * The transactions of an environment. Between them, slots of readers that have died are freed: lmdb itself looks every
 * ten minutes, and a killed command would make the file grow all that time. A transaction that fails by the known defect
 * was rolled back before anything was written; it is repeated once.
 */
export class Transactions {
  readonly #root: Pick<RootDatabase, 'readerCheck'>;
  #checkedAt = 0;

  constructor(root: Pick<RootDatabase, 'readerCheck'>) {
    this.#root = root;
  }

  /** Runs a transaction, whose work may be repeated. */
  async run<T>(transaction: () => T | Promise<T>): Promise<T> {
    this.#freeDeadReaders();
    try {
      return await transaction();
    } catch (error) {
      if (!(error instanceof Error) || !FREE_LIST_DEFECT.test(error.message)) throw error;
      return await transaction();
    }
  }

  #freeDeadReaders(): void {
    const now = performance.now();
    if (now - this.#checkedAt < READER_CHECK_MS) return;
    this.#checkedAt = now;
    this.#root.readerCheck();
  }
}

/**
 * Opens an environment in a directory while holding its lock, which is closed again if that fails: it must not be opened
 * twice in one process (see `SharedInstances`).
 */
export function openLocked<T>(directory: string, openInside: (lock: ProcessLock) => T): T {
  const lock = new ProcessLock(directory);
  try {
    return lock.runSync(() => openInside(lock));
  } catch (error) {
    void lock.close();
    throw error;
  }
}

/** Options of an environment: its directory, those of lmdb, and the databases of JSON that it always has. */
export interface EnvironmentOptions<N extends string> {
  readonly directory: string;
  readonly lmdb: RootDatabaseOptionsWithPath;
  readonly databases: readonly N[];
}

/** An environment that is written under its lock. Reads are synchronous, of the snapshot of this turn of the event loop. */
export class LockedEnvironment<N extends string = string> {
  readonly root: RootDatabase;
  readonly #databases: ReadonlyMap<string, Database<unknown, string>>;
  readonly #lock: ProcessLock;
  readonly #transactions: Transactions;

  private constructor(lock: ProcessLock, { directory, lmdb, databases }: EnvironmentOptions<N>) {
    preflight(directory);
    this.#lock = lock;
    this.root = open(lmdb);
    this.#databases = new Map(databases.map((name) => [name, this.root.openDB(name, { encoding: 'json' })]));
    this.#transactions = new Transactions(this.root);
  }

  /** @throws {Error} when the files cannot be opened; the lock is closed again then (see `SharedInstances`). */
  static async open<N extends string>(options: EnvironmentOptions<N>): Promise<LockedEnvironment<N>> {
    const lock = new ProcessLock(options.directory);
    try {
      return await lock.run(() => new LockedEnvironment(lock, options));
    } catch (error) {
      await lock.close();
      throw error;
    }
  }

  /** One of the databases of JSON; its values are what the caller alone puts there. */
  database<V>(name: N): Database<V, string> {
    return this.#databases.get(name) as Database<V, string>;
  }

  /** Makes the next read see what any process has committed. */
  refresh(): void {
    this.root.resetReadTxn();
  }

  /** Runs a synchronous transaction, which may be run twice (see `Transactions`). */
  write<T>(work: () => T): Promise<T> {
    return this.exclusive(() => this.#transactions.run(() => this.root.transactionSync(work)));
  }

  /** Runs work under the lock, but in no transaction. */
  exclusive<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#lock.run(work);
  }

  async close(): Promise<void> {
    await this.#lock.run(() => this.root.close());
    await this.#lock.close();
  }
}

const DATA_FILE = 'data.mdb';

/** Space that a new store needs for its first pages and its lock file, in bytes. */
const FIRST_BYTES = 65_536;

/** Offset of the magic number in the first page, and its value (`MDB_MAGIC`). */
const MAGIC_OFFSET = 24;
const MAGIC = 0xbeefc0de;

/**
 * Checks a directory before it is opened as an LMDB environment: with a file that is no database, or without space for a
 * new one, opening would end the process with a segmentation fault (lmdb 3.5.6 closes twice what it could not open).
 * @throws {Error} that says what is wrong.
 */
export function preflight(directory: string): void {
  const path = join(directory, DATA_FILE);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) checkFreeSpace(directory);
  else if (magicOf(path) !== MAGIC) throw new Error(`${path} is damaged, or no LMDB database`);
}

function checkFreeSpace(directory: string): void {
  const path = join(directory, `.room-${process.pid}-${randomUUID()}`);
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, Buffer.alloc(FIRST_BYTES));
    fsyncSync(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

function magicOf(path: string): number {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(MAGIC_OFFSET + Uint32Array.BYTES_PER_ELEMENT);
    readSync(file, head, 0, head.length, 0);
    return head.readUInt32LE(MAGIC_OFFSET);
  } finally {
    closeSync(file);
  }
}

interface SharedInstance<T> {
  readonly value: T;
  users: number;
}

/**
 * Reference-counted instances by directory: an environment must not be opened twice in one process. lmdb 3.5.6 returns
 * the same one to the second user, but opens and closes the lock file once more and thereby loses this process's lock on
 * it (POSIX drops all locks of a process when it closes any descriptor of the file). The next process to open the
 * environment would take itself for the only one, and clear the table of readers and the write lock.
 */
export class SharedInstances<T> {
  readonly #instances = new Map<string, SharedInstance<T>>();

  /**
   * The instance of an existing directory; if there is none, it is created by `make`.
   * @throws {Error} while it is being closed.
   */
  acquire(directory: string, make: () => T): T {
    const key = realpathSync(directory);
    const entry = this.#instances.get(key) ?? { value: make(), users: 0 };
    if (entry.users === 0 && this.#instances.has(key)) throw new Error(`${directory} is being closed`);
    entry.users += 1;
    this.#instances.set(key, entry);
    return entry.value;
  }

  /** To be called once per `acquire`; the last one runs `close`. */
  async release(value: T, close: () => Promise<void>): Promise<void> {
    for (const [key, entry] of this.#instances) {
      if (entry.value !== value) continue;
      entry.users -= 1;
      if (entry.users > 0) return;
      await close().finally(() => this.#instances.delete(key));
    }
  }
}
