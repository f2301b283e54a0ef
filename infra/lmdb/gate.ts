import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { preflight } from './preflight.ts';

const DIRECTORY = 'gate';

/**
 * Lets one process at a time open, close or write an LMDB environment. LMDB itself keeps writers apart, but lmdb 3.5.6
 * opens an environment without its write lock: `mdb_env_open2` reads the number of the newest transaction from the
 * file and some time later stores it in the lock file. What another process has committed in between is forgotten: the
 * next transaction starts from the older snapshot and overwrites it, though it was acknowledged, and pages used twice
 * have crashed processes. One that opens while the last other one closes finds destroyed locks.
 *
 * The gate is the write lock of an environment of its own, to which nothing is ever committed, so that opening it
 * takes nothing back. The system releases it when the process that holds it dies.
 */
export class Gate {
  readonly #root: RootDatabase<Buffer, string>;

  /** @throws {Error} when the gate of the environment in `directory` cannot be opened. */
  constructor(directory: string) {
    const path = join(directory, DIRECTORY);
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

  /** Runs `work` with no other process inside. The event loop goes on while it waits. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    return await this.#root.transaction(work);
  }

  /**
   * The same for synchronous work, which the event loop waits for: short work only, and never while this process has a
   * `pass` under way, which would need the event loop to end.
   */
  passSync<T>(work: () => T): T {
    return this.#root.transactionSync(work);
  }

  close(): Promise<void> {
    return this.#root.close();
  }
}

/**
 * Opens an environment in a directory, inside its gate, which is closed again when that fails: it must not be opened
 * twice in one process (see lmdb-shared.ts).
 */
export function openGated<T>(directory: string, openInside: (gate: Gate) => T): T {
  const gate = new Gate(directory);
  try {
    return gate.passSync(() => openInside(gate));
  } catch (error) {
    void gate.close();
    throw error;
  }
}
