import { mkdirSync } from 'node:fs';
import { SharedInstances } from './environment.ts';
import { ProcessLock, type EmbeddedStoreOptions } from './process-lock.ts';

/** The locks that this process has open: an environment must not be opened twice in one process. */
const openLocks = new SharedInstances<ProcessLock>();

/**
 * Opens the lock of a directory, which is created where missing, for what is no LMDB store itself. All who open it in this
 * process share it.
 * @throws {StoreUnavailable} when another process holds it for too long.
 */
export async function openSharedLock({ path, timeoutMs }: EmbeddedStoreOptions) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { value: lock, release } = await openLocks.acquire(path, () => ProcessLock.open(path, { timeoutMs }));
  return { run: <T>(work: () => Promise<T>): Promise<T> => lock.run(work), close: release };
}
