import { open } from 'lmdb';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { claimDirectory, type StoreDirectory } from './directory.ts';
import { openGated, preflight, Shared } from './environment.ts';
import { guarded, LmdbReadModels, type Environment } from './read-models.ts';

/** A dozen catalogues with eight indexes each, in dozens of generations. */
const MAX_DATABASES = 4096;
/** Read transactions at once, over all processes. */
const MAX_READERS = 512;

/** The read stores that this process has open. */
const opened = new Shared<Environment>();

/**
 * The embedded read store: documents and indexes in one LMDB environment under `path`, which several processes may
 * open. Reads and writes are synchronous calls into mapped memory. Commits do not wait for the disk (see
 * lmdb-directory.ts).
 * @throws {StoreUnavailable} when the files cannot be opened.
 */
export async function openLmdbReadStore({ path }: { readonly path: string }): Promise<ReadStore> {
  const directory = await guarded(() => claimDirectory(path));
  const env = await guarded(() => opened.take(directory.path, () => openEnvironment(directory)));
  const namespaces = new Map<string, LmdbReadModels>();
  let closing: Promise<void> | null = null;
  return {
    namespace: (name, collections) =>
      guarded(async () => {
        const models = namespaces.get(name) ?? new LmdbReadModels(env, name);
        namespaces.set(name, models);
        env.gate.passSync(() => models.declare(collections));
        return models;
      }),
    drop: (name) =>
      guarded(() => {
        env.gate.passSync(() => (namespaces.get(name) ?? new LmdbReadModels(env, name)).drop());
        namespaces.delete(name);
      }),
    readRegister: (name) =>
      guarded(() => {
        // Another process may have written it within this turn of the event loop, for which lmdb would keep its snapshot.
        env.root.resetReadTxn();
        return env.registers.get(name) ?? null;
      }),
    writeRegister: (name, value, expected) =>
      guarded(() =>
        env.gate.passSync(() =>
          env.root.transactionSync(() => {
            if ((env.registers.get(name)?.version ?? 0) !== expected) return false;
            env.registers.putSync(name, { version: expected + 1, value });
            return true;
          }),
        ),
      ),
    close: () =>
      (closing ??= guarded(async () => {
        await opened.leave(env, () => closeEnvironment(env));
        await directory.release();
      })),
  };
}

function openEnvironment({ path, lazy }: StoreDirectory): Environment {
  return openGated(path, (gate) => {
    preflight(path);
    const root = open({ path, maxDbs: MAX_DATABASES, maxReaders: MAX_READERS, ...(lazy ? { noSync: true } : {}) });
    return {
      gate,
      root,
      progress: root.openDB('progress', { encoding: 'json' }),
      declarations: root.openDB('declarations', { encoding: 'json' }),
      shapes: root.openDB('shapes', { encoding: 'json' }),
      registers: root.openDB('registers', { encoding: 'json' }),
    };
  });
}

async function closeEnvironment({ gate, root }: Environment): Promise<void> {
  await gate.pass(() => root.close());
  await gate.close();
}
