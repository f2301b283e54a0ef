import { realpathSync } from 'node:fs';

interface Entry<T> {
  readonly value: T;
  users: number;
}

/**
 * What this process has open, by directory. An environment must not be opened twice in one process: lmdb 3.5.6 gives
 * the second user the same one, but on the way it opens and closes the lock file once more, and thereby loses this
 * process's lock on it (POSIX drops all locks of a process with any descriptor of the file). The next process that
 * opens the environment would believe itself alone and clear the table of readers and the write lock.
 */
export class Shared<T> {
  readonly #entries = new Map<string, Entry<T>>();

  /**
   * What is open in the directory, which exists; else what `make` opens.
   * @throws {Error} while it is being closed.
   */
  take(directory: string, make: () => T): T {
    const key = realpathSync(directory);
    const entry = this.#entries.get(key) ?? { value: make(), users: 0 };
    if (entry.users === 0 && this.#entries.has(key)) throw new Error(`${directory} is being closed`);
    entry.users += 1;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** To be called once for every `take`: the last one runs `close`. */
  async leave(value: T, close: () => Promise<void>): Promise<void> {
    for (const [key, entry] of this.#entries) {
      if (entry.value !== value) continue;
      entry.users -= 1;
      if (entry.users > 0) return;
      await close().finally(() => this.#entries.delete(key));
    }
  }
}
