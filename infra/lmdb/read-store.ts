import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'lmdb';
import type { Collection, ReadModels, ReadStore, Register } from '../../src/kernel/ports/read-store.ts';
import { prepareDirectory, type StoreDirectory } from './directory.ts';
import { LockedEnvironment, SharedInstances } from './environment.ts';
import { enterDirectory } from './process-table.ts';
import { LmdbReadModels, NAMESPACE_DATABASES, orUnavailable } from './read-models.ts';

/** Most LMDB databases of an environment: enough for some dozen collections with eight indexes each. */
const MAX_DATABASES = 1024;
/** Most simultaneous read transactions of all processes. */
const MAX_READERS = 512;

/** Directory of the environment that knows the others, and its databases. */
const ROOT = 'root';
const ROOT_DATABASES = ['registers', 'namespaces'] as const;

/** An open environment; the last one of this process that releases it closes it. */
interface SharedEnvironment<N extends string> {
  readonly environment: LockedEnvironment<N>;
  readonly release: () => Promise<void>;
}

/** The environments that this process has open. */
const openEnvironments = new SharedInstances<Promise<LockedEnvironment>>();

/**
 * Opens the embedded read store under `path`, which several processes may open. Each namespace is an LMDB environment in a
 * directory of its own, and is dropped with it. Reads are synchronous calls into mapped memory; commits do not wait for
 * the disk (see directory.ts).
 * @throws {StoreUnavailable} when the files cannot be opened, or a process of another container has them open.
 */
export async function openLmdbReadStore({ path }: { readonly path: string }): Promise<ReadStore> {
  return orUnavailable(async () => {
    const leave = await enterDirectory(path);
    try {
      const directory = await prepareDirectory(path);
      const store = new LmdbReadStore({ directory, leave }, await acquire(directory, ROOT, ROOT_DATABASES));
      await store.sweep();
      return store;
    } catch (error) {
      await leave();
      throw error;
    }
  });
}

/** A namespace that this process has open. */
interface OpenNamespace {
  /** Name of its directory. */
  readonly id: string;
  readonly models: LmdbReadModels;
  readonly close: () => Promise<void>;
}

class LmdbReadStore implements ReadStore {
  readonly #directory: StoreDirectory;
  readonly #leave: () => Promise<void>;
  readonly #root: LockedEnvironment<(typeof ROOT_DATABASES)[number]>;
  readonly #releaseRoot: () => Promise<void>;
  readonly #registers: Database<Register, string>;
  /** Directories of the namespaces that were not dropped. */
  readonly #ids: Database<string, string>;
  readonly #open = new Map<string, Promise<OpenNamespace>>();
  #closing: Promise<void> | null = null;

  constructor(
    { directory, leave }: { readonly directory: StoreDirectory; readonly leave: () => Promise<void> },
    root: SharedEnvironment<(typeof ROOT_DATABASES)[number]>,
  ) {
    this.#directory = directory;
    this.#leave = leave;
    this.#root = root.environment;
    this.#releaseRoot = root.release;
    this.#registers = this.#root.database('registers');
    this.#ids = this.#root.database('namespaces');
  }

  namespace(name: string, collections: readonly Collection[]): Promise<ReadModels> {
    return orUnavailable(async () => {
      const { models } = await this.#opened(name);
      await models.declare(collections);
      return models;
    });
  }

  drop(name: string): Promise<void> {
    return orUnavailable(async () => {
      const id = await this.#root.write(() => {
        const known = this.#ids.get(name);
        if (known !== undefined) this.#ids.removeSync(name);
        return known;
      });
      await this.#closeDropped();
      if (id !== undefined) await this.#remove(id);
    });
  }

  async readRegister(name: string): Promise<Register | null> {
    return orUnavailable(async () => {
      await this.#closeDropped();
      return this.#registers.get(name) ?? null;
    });
  }

  writeRegister(name: string, value: Register['value'], expected: number): Promise<boolean> {
    return orUnavailable(() =>
      this.#root.write(() => {
        if ((this.#registers.get(name)?.version ?? 0) !== expected) return false;
        this.#registers.putSync(name, { version: expected + 1, value });
        return true;
      }),
    );
  }

  close(): Promise<void> {
    return (this.#closing ??= orUnavailable(async () => {
      for (const opened of this.#open.values()) await (await opened).close();
      await this.#releaseRoot();
      await this.#directory.release();
      await this.#leave();
    }));
  }

  /** Removes the directories of namespaces that were dropped by a process that did not live to do so. */
  async sweep(): Promise<void> {
    const present = await readdir(this.#directory.path, { withFileTypes: true });
    this.#root.refresh();
    const known = new Set([ROOT, ...[...this.#ids.getRange()].map(({ value }) => value)]);
    for (const entry of present) if (entry.isDirectory() && !known.has(entry.name)) await this.#remove(entry.name);
  }

  async #opened(name: string): Promise<OpenNamespace> {
    await this.#closeDropped();
    const opening = this.#open.get(name) ?? this.#openNew(name);
    this.#open.set(name, opening);
    try {
      return await opening;
    } catch (error) {
      this.#open.delete(name);
      throw error;
    }
  }

  async #openNew(name: string): Promise<OpenNamespace> {
    const id = this.#ids.get(name) ?? (await this.#newId(name));
    const { environment, release } = await acquire(this.#directory, id, NAMESPACE_DATABASES);
    return { id, models: new LmdbReadModels(name, environment), close: release };
  }

  /** Its name is known before there is a directory, so that `sweep` leaves it alone. */
  #newId(name: string): Promise<string> {
    return this.#root.write(() => {
      const known = this.#ids.get(name);
      if (known !== undefined) return known;
      const id = `${name}-${randomUUID()}`;
      this.#ids.putSync(name, id);
      return id;
    });
  }

  /** Closes what was dropped, here or by another process: the system keeps the files until then. */
  async #closeDropped(): Promise<void> {
    this.#root.refresh();
    for (const [name, opening] of this.#open) {
      const { id, close } = await opening;
      if (this.#ids.get(name) === id || this.#open.get(name) !== opening) continue;
      this.#open.delete(name);
      await close();
    }
  }

  #remove(id: string): Promise<void> {
    return rm(join(this.#directory.path, id), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The environment in a directory of the store's. */
async function acquire<const N extends string>(
  { path, noSync }: StoreDirectory,
  name: string,
  databases: readonly N[],
): Promise<SharedEnvironment<N>> {
  const directory = join(path, name);
  await mkdir(directory, { recursive: true });
  const lmdb = { path: directory, noSubdir: false, maxDbs: MAX_DATABASES, maxReaders: MAX_READERS, noSync };
  const opening = openEnvironments.acquire(directory, () => LockedEnvironment.open({ directory, lmdb, databases }));
  try {
    const environment = await opening;
    return { environment, release: () => openEnvironments.release(opening, () => environment.close()) };
  } catch (error) {
    await openEnvironments.release(opening, () => Promise.resolve());
    throw error;
  }
}
