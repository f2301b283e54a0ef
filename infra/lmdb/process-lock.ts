import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open, type RootDatabase } from 'lmdb';
import { StoreLocked, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { preflight } from './preflight.ts';

const LOCK_DIRECTORY = 'gate';

/** Time, in ms, for which a lock is waited for by default. */
const LOCK_TIMEOUT_MS = 5_000;

/** Options of an embedded store: its directory, and how long, in ms, it waits for locks; 5 s by default. */
export interface EmbeddedStoreOptions {
  readonly path: string;
  readonly timeoutMs?: number | undefined;
}

export interface LockOptions {
  /** How long the lock is waited for, in ms; 5 s by default. */
  readonly timeoutMs?: number | undefined;
  /** Whether another process may hold it now; if so, a child process opens it first (`openElsewhere`). */
  readonly isShared?: () => Promise<boolean>;
}

/** Paths of the locks that this process could not close. */
const notClosed = new Set<string>();

function lockedFor(ms: number): StoreLocked {
  return new StoreLocked(`another process has held a lock on the embedded store for ${ms} ms`);
}

interface Job<T> {
  work(): T | Promise<T>;
  resolve(result: T): void;
  reject(error: unknown): void;
  /** Gives it up. */
  readonly timer: NodeJS.Timeout;
}

/**
 * A lock between processes: one at a time may open, close or write an LMDB environment. LMDB itself locks writers, but
 * lmdb 3.5.6 opens an environment without its write lock: `mdb_env_open2` reads the number of the newest transaction
 * from the file and some time later stores it in the lock file. What another process commits in between is lost: the
 * next transaction starts from the older snapshot and overwrites acknowledged data, and pages used twice have crashed
 * processes. A process that opens while the last other one closes finds destroyed locks.
 *
 * The lock is the write lock of a separate environment, to which nothing is ever committed, so that opening that one
 * loses nothing. The system releases it when the process that holds it dies. A process that is stopped while it holds
 * it keeps it: others then fail after their timeout, and read on.
 */
export class ProcessLock {
  readonly #root: RootDatabase<Buffer, string>;
  readonly #timeoutMs: number;
  /** The waiting calls, in their order. */
  readonly #jobs = new Set<Job<unknown>>();
  readonly #path: string;
  /** Set while a thread waits for the lock or holds it: at most one does. */
  #taking: Promise<void> | null = null;

  /**
   * The lock of the environment in `directory`, without blocking the event loop.
   * @throws {StoreUnavailable} when another process holds it for too long; {Error} when it cannot be opened.
   */
  static async open(directory: string, options: LockOptions = {}): Promise<ProcessLock> {
    const isNew = !existsSync(join(directory, LOCK_DIRECTORY));
    if (!isNew && (await options.isShared?.())) await openElsewhere(directory, options.timeoutMs ?? LOCK_TIMEOUT_MS);
    return new ProcessLock(directory, options);
  }

  /**
   * The same, blocking the event loop: lmdb opens an environment under its write lock, so it waits for this lock's
   * holder.
   * @throws {Error} when the lock cannot be opened; {StoreLocked} when this process could not close it before.
   */
  constructor(directory: string, { timeoutMs = LOCK_TIMEOUT_MS }: LockOptions = {}) {
    const path = join(directory, LOCK_DIRECTORY);
    if (notClosed.has(path)) throw lockedFor(timeoutMs);
    mkdirSync(path, { recursive: true });
    preflight(path);
    this.#path = path;
    this.#timeoutMs = timeoutMs;
    this.#root = open<Buffer, string>({
      path,
      noSubdir: false,
      overlappingSync: false,
      eventTurnBatching: false,
      encoding: 'binary',
    });
  }

  /**
   * Runs `work` while holding the lock. Waiting does not block the event loop. The result does not wait until the lock is
   * free again.
   * @throws {StoreLocked} when another process holds it for too long: `work` has not started and will not start.
   */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#jobs.delete(job);
        reject(lockedFor(this.#timeoutMs));
      }, this.#timeoutMs);
      const job: Job<T> = { work, resolve, reject, timer };
      this.#jobs.add(job);
      this.#taking ??= this.#take();
    });
  }

  /**
   * Runs `work`, which closes what the lock protects, and closes the lock.
   * @throws {StoreLocked} when another process holds it for too long. Then both stay open until this process ends,
   * which cannot open them again (see `SharedInstances`).
   */
  async close(work: () => void | Promise<void> = () => undefined): Promise<void> {
    try {
      await this.run(work);
    } catch (error) {
      notClosed.add(this.#path);
      throw error;
    }
    await this.#taking;
    await this.#root.close();
  }

  /** Takes the lock once for each job, in the order of the calls. */
  async #take(): Promise<void> {
    while (this.#jobs.size > 0) {
      if (freeThreads > 0) freeThreads -= 1;
      else await new Promise<void>((resolve) => waitingForThread.push(resolve));
      try {
        await this.#root.transaction(this.#runNext);
      } catch (error) {
        // The lock cannot be taken.
        for (const job of this.#jobs) job.reject(error);
        this.#jobs.clear();
      }
      const next = waitingForThread.shift();
      if (next === undefined) freeThreads += 1;
      else next();
    }
    this.#taking = null;
  }

  readonly #runNext = async (): Promise<void> => {
    const [job] = this.#jobs;
    if (job === undefined) return;
    this.#jobs.delete(job);
    clearTimeout(job.timer);
    try {
      job.resolve(await job.work());
    } catch (error) {
      job.reject(error);
    }
  };
}

/** Threads of libuv's pool, unless UV_THREADPOOL_SIZE says otherwise. */
const DEFAULT_THREADS = 4;

/**
 * Threads for further locks. Waiting for a lock takes a thread of libuv's pool, and a commit under the lock takes another
 * one: if all threads waited, nobody could commit.
 */
let freeThreads = Math.max(1, Math.floor(Number(process.env['UV_THREADPOOL_SIZE'] ?? DEFAULT_THREADS) / 2));

/** Locks that wait for such a thread, in the order in which they came. */
const waitingForThread: (() => void)[] = [];

/** Time, in ms, for which a child process without a lock to open is kept: a process opens its locks soon after each other. */
const KEPT_MS = 1_000;

/** Child processes that have opened a lock and closed it again, each with the timer that ends it. */
const idleProbes = new Map<ChildProcess, NodeJS.Timeout>();

/** Opens a lock in a child process, which can be killed while it waits, unlike a thread. */
async function openElsewhere(directory: string, timeoutMs: number): Promise<void> {
  const probe = idleProbe() ?? newProbe();
  let timer: NodeJS.Timeout | undefined;
  const hasOpened = await new Promise<boolean>((resolve) => {
    const fails = (): void => resolve(false);
    probe.once('exit', fails).once('error', fails);
    probe.on('message', (message) => {
      // The start of the child, which may take long on a busy machine, does not count.
      if (message === 'opening') timer = setTimeout(() => probe.kill('SIGKILL'), timeoutMs);
      else {
        probe.off('exit', fails).off('error', fails);
        resolve(true);
      }
    });
    probe.send(directory, (error) => error !== null && fails());
  });
  clearTimeout(timer);
  probe.removeAllListeners('message');
  if (hasOpened) keep(probe);
  else if (probe.signalCode === 'SIGKILL') {
    throw new StoreUnavailable(`another process has held the lock in ${directory} for ${timeoutMs} ms`);
  }
}

function newProbe(): ChildProcess {
  const script = new URL(`./lock-probe${extname(import.meta.url)}`, import.meta.url);
  const probe = fork(fileURLToPath(script), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  return probe.once('exit', () => forget(probe)).on('error', () => forget(probe));
}

/** A child process that waits, which keeps this process alive again. */
function idleProbe(): ChildProcess | undefined {
  const [probe] = idleProbes.keys();
  if (probe === undefined) return undefined;
  forget(probe);
  probe.ref();
  probe.channel?.ref();
  return probe;
}

/** Keeps a child process for the next lock; it ends with this process, which it does not keep alive. */
function keep(probe: ChildProcess): void {
  probe.unref();
  probe.channel?.unref();
  const timer = setTimeout(() => {
    forget(probe);
    probe.disconnect();
  }, KEPT_MS);
  idleProbes.set(probe, timer.unref());
}

function forget(probe: ChildProcess): void {
  clearTimeout(idleProbes.get(probe));
  idleProbes.delete(probe);
}
