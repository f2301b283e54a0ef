import { open } from 'lmdb';
import type { ReadStore } from '../../src/kernel/read-store.ts';
import { preflight } from '../lmdb-preflight.ts';
import { claimDirectory } from './lmdb-directory.ts';
import { guarded, LmdbReadModels } from './lmdb-models.ts';
import type { Environment } from './lmdb-models.ts';

/** A dozen catalogues with eight indexes each, in dozens of generations. */
const MAX_DATABASES = 4096;
/** Read transactions at once, over all processes. */
const MAX_READERS = 512;

/**
 * The embedded read store: documents and indexes in one LMDB environment under `path`, which several processes may
 * open. Reads and writes are synchronous calls into mapped memory. Commits do not wait for the disk (see
 * lmdb-directory.ts).
 * @throws {StoreUnavailable} when the files cannot be opened.
 */
export async function openLmdbReadStore({ path }: { readonly path: string }): Promise<ReadStore> {
  const directory = await guarded(() => claimDirectory(path));
  const env = await guarded(async () => openEnvironment(directory.path, directory.lazy));
  const namespaces = new Map<string, LmdbReadModels>();
  let closing: Promise<void> | null = null;
  return {
    namespace: (name, collections) => guarded(async () => {
      const models = namespaces.get(name) ?? new LmdbReadModels(env, name);
      namespaces.set(name, models);
      models.declare(collections);
      return models;
    }),
    close: () => closing ??= guarded(async () => {
      await env.root.close();
      await directory.release();
    }),
  };
}

function openEnvironment(path: string, lazy: boolean): Environment {
  preflight(path);
  const root = open({ path, maxDbs: MAX_DATABASES, maxReaders: MAX_READERS, ...(lazy ? { noSync: true } : {}) });
  return {
    root,
    progress: root.openDB('progress', { encoding: 'json' }),
    declarations: root.openDB('declarations', { encoding: 'json' }),
    shapes: root.openDB('shapes', { encoding: 'json' }),
  };
}
