import { open } from 'lmdb';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { prepareDirectory, type StoreDirectory } from './directory.ts';
import { openLocked, preflight, SharedInstances } from './environment.ts';
import { enterDirectory } from './process-table.ts';
import { orUnavailable, LmdbReadModels, type Environment } from './read-models.ts';

/**
 * Most LMDB databases that one process may have open: those of almost 400 generations. What a process has opened stays
 * open until it ends: lmdb 3.5.6 ends the process with a segmentation fault when a database that was closed or dropped is
 * read once more. The number costs addresses only; each transaction costs 25 ns per database that is open.
 */
const MAX_DATABASES = 32_768;
/** Most simultaneous read transactions of all processes. */
const MAX_READERS = 512;

/** The read stores that this process has open. */
const openEnvironments = new SharedInstances<Environment>();

/**
 * Opens the embedded read store: documents and indexes in one LMDB environment under `path`, which several processes may
 * open. Reads and writes are synchronous calls into mapped memory. Commits do not wait for the disk (see directory.ts).
 * @throws {StoreUnavailable} when the files cannot be opened, or a process of another container has them open.
 */
export async function openLmdbReadStore({ path }: { readonly path: string }): Promise<ReadStore> {
  const leave = await orUnavailable(() => enterDirectory(path));
  const [directory, env] = await orUnavailable(() => prepareAndOpen(path)).catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  const namespaces = new Map<string, LmdbReadModels>();
  let closing: Promise<void> | null = null;
  return {
    namespace: (name, collections) =>
      orUnavailable(async () => {
        const models = namespaces.get(name) ?? new LmdbReadModels(env, name);
        namespaces.set(name, models);
        env.lock.runSync(() => models.declare(collections));
        return models;
      }),
    drop: (name) =>
      orUnavailable(() => {
        env.lock.runSync(() => (namespaces.get(name) ?? new LmdbReadModels(env, name)).drop());
        namespaces.delete(name);
      }),
    readRegister: (name) =>
      orUnavailable(() => {
        // lmdb keeps one snapshot per turn of the event loop, in which another process may have written.
        env.root.resetReadTxn();
        return env.registers.get(name) ?? null;
      }),
    writeRegister: (name, value, expected) =>
      orUnavailable(() =>
        env.lock.runSync(() =>
          env.root.transactionSync(() => {
            if ((env.registers.get(name)?.version ?? 0) !== expected) return false;
            env.registers.putSync(name, { version: expected + 1, value });
            return true;
          }),
        ),
      ),
    close: () =>
      (closing ??= orUnavailable(async () => {
        await openEnvironments.release(env, () => closeEnvironment(env));
        await directory.release();
        await leave();
      })),
  };
}

async function prepareAndOpen(path: string): Promise<readonly [StoreDirectory, Environment]> {
  const directory = await prepareDirectory(path);
  return [directory, openEnvironments.acquire(directory.path, () => openEnvironment(directory))];
}

function openEnvironment({ path, noSync }: StoreDirectory): Environment {
  return openLocked(path, (lock) => {
    preflight(path);
    const root = open({ path, maxDbs: MAX_DATABASES, maxReaders: MAX_READERS, noSync });
    return {
      lock,
      root,
      progress: root.openDB('progress', { encoding: 'json' }),
      declarations: root.openDB('declarations', { encoding: 'json' }),
      shapes: root.openDB('shapes', { encoding: 'json' }),
      registers: root.openDB('registers', { encoding: 'json' }),
    };
  });
}

async function closeEnvironment({ lock, root }: Environment): Promise<void> {
  await lock.run(() => root.close());
  await lock.close();
}
