import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'lmdb';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { Collection, ReadModels, ReadStore, Register, Space } from '../../src/kernel/ports/read-store.ts';
import { IS_WINDOWS, isInUse } from '../system/disk.ts';
import { prepareDirectory, type StoreDirectory } from './directory.ts';
import { LockedEnvironment, orUnavailable, SharedInstances } from './environment.ts';
import { enterDirectory, type EnteredDirectory } from './process-table.ts';
import type { EmbeddedStoreOptions, LockOptions } from './process-lock.ts';
import { DATA_FILE } from './preflight.ts';
import { LmdbReadModels, NAMESPACE_DATABASES } from './namespace.ts';

/** Most LMDB databases of an environment: enough for some dozen collections with eight indexes each. */
const MAX_DATABASES = 1024;
/** Most simultaneous read transactions of all processes. */
const MAX_READERS = 512;

/** Bytes of a block as `stat` counts them, on every file system. */
const BLOCK_BYTES = 512;

/** Directory and databases of the environment that lists all others. */
const ROOT = 'root';
const ROOT_DATABASES = ['registers', 'namespaces'] as const;
type RootDatabase = (typeof ROOT_DATABASES)[number];

/** The environments that this process has open. */
const openEnvironments = new SharedInstances<LockedEnvironment>();

/**
 * Opens the embedded read store under `path`, which several processes may open. Each namespace is an LMDB environment in a
 * directory of its own, and is dropped with it. Reads are synchronous calls into mapped memory; commits do not wait for
 * the disk (see directory.ts).
 * @throws {StoreUnavailable} when the files cannot be opened, another process holds a lock on them for too long, or a
 * process of another container has them open.
 */
export async function openLmdbReadStore({ path, timeoutMs }: EmbeddedStoreOptions): Promise<ReadStore> {
  return orUnavailable(async () => {
    const { isShared, leave } = await enterDirectory(path);
    try {
      const files = { directory: await prepareDirectory(path), lock: { isShared, timeoutMs }, leave };
      const store = new LmdbReadStore(files, await openEnvironment(files, ROOT, ROOT_DATABASES));
      await store.sweep();
      return store;
    } catch (error) {
      await leave();
      throw error;
    }
  });
}

/** An open directory, and how its environments are opened. */
interface DatabaseFiles extends Pick<EnteredDirectory, 'leave'> {
  readonly directory: StoreDirectory;
  readonly lock: LockOptions;
}

type OpenEnvironment<N extends string> = Awaited<ReturnType<SharedInstances<LockedEnvironment<N>>['acquire']>>;

/** @throws {StoreUnavailable} for a name in a damaged or foreign store that leads out of its directory */
function requireDirectoryName(name: string): void {
  const leadsOut = name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name);
  if (leadsOut) throw new StoreUnavailable('the read store names a namespace as no directory can be called');
}

/** Opens the environment of a name; the last one of this process that releases it closes it. */
async function openEnvironment<const N extends string>(
  { directory, lock }: DatabaseFiles,
  name: string,
  databases: readonly N[],
): Promise<OpenEnvironment<N>> {
  requireDirectoryName(name);
  const path = join(directory.path, name);
  await mkdir(path, { recursive: true });
  const { noSync } = directory;
  const lmdb = { path, noSubdir: false, maxDbs: MAX_DATABASES, maxReaders: MAX_READERS, noSync };
  return openEnvironments.acquire(path, () => LockedEnvironment.open({ ...lock, directory: path, lmdb, databases }));
}

/** A namespace that this process has open. */
interface OpenNamespace {
  /** Name of its directory. */
  readonly id: string;
  readonly models: LmdbReadModels;
  readonly close: () => Promise<void>;
}

class LmdbReadStore implements ReadStore {
  readonly #files: DatabaseFiles;
  readonly #root: LockedEnvironment<RootDatabase>;
  readonly #releaseRoot: () => Promise<void>;
  readonly #registers: Database<Register, string>;
  /** Directories of the namespaces that were not dropped. */
  readonly #ids: Database<string, string>;
  readonly #open = new Map<string, OpenNamespace>();
  readonly #opening = new Map<string, Promise<OpenNamespace>>();
  /** Namespaces that are being closed: `close` and `drop` wait for them, readers do not. */
  readonly #closings = new Set<Promise<void>>();
  #closing: Promise<void> | null = null;

  constructor(files: DatabaseFiles, { value, release }: OpenEnvironment<RootDatabase>) {
    this.#files = files;
    this.#root = value;
    this.#releaseRoot = release;
    this.#registers = value.database('registers');
    this.#ids = value.database('namespaces');
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
      this.#closeDropped();
      await Promise.all(this.#closings);
      if (id !== undefined) await this.#remove(id);
    });
  }

  space(name: string): Promise<Space> {
    return orUnavailable(async () => {
      this.#root.refresh();
      const id = this.#ids.get(name);
      const { path } = this.#files.directory;
      const data = id === undefined ? null : await stat(join(path, id, DATA_FILE)).catch(() => null);
      const { bavail, bsize } = await statfs(path);
      return { taken: (data?.blocks ?? 0) * BLOCK_BYTES, free: bavail * bsize };
    });
  }

  async readRegister(name: string): Promise<Register | null> {
    return orUnavailable(() => {
      this.#closeDropped();
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
      await Promise.allSettled(this.#opening.values());
      for (const { close } of this.#open.values()) await close();
      await Promise.all(this.#closings);
      await this.#releaseRoot();
      await this.#files.directory.release();
      await this.#files.leave();
    }));
  }

  /** Removes the directories of dropped namespaces whose process ended before it could do so. */
  async sweep(): Promise<void> {
    const present = await readdir(this.#files.directory.path, { withFileTypes: true });
    this.#root.refresh();
    const known = new Set([ROOT, ...[...this.#ids.getRange()].map(({ value }) => value)]);
    for (const entry of present) if (entry.isDirectory() && !known.has(entry.name)) await this.#remove(entry.name);
  }

  async #opened(name: string): Promise<OpenNamespace> {
    this.#closeDropped();
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const opening = this.#opening.get(name) ?? this.#openNew(name);
    this.#opening.set(name, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(name);
    }
  }

  async #openNew(name: string): Promise<OpenNamespace> {
    const id = this.#ids.get(name) ?? (await this.#newId(name));
    const { value, release } = await openEnvironment(this.#files, id, NAMESPACE_DATABASES);
    const opened = { id, models: new LmdbReadModels({ name, id }, value), close: release };
    this.#open.set(name, opened);
    return opened;
  }

  /** Registers the name before the directory exists, so that `sweep` leaves the directory alone. */
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
  #closeDropped(): void {
    this.#root.refresh();
    for (const [name, { id, close }] of this.#open) {
      if (this.#ids.get(name) === id) continue;
      this.#open.delete(name);
      const closing = close();
      this.#closings.add(closing);
      // A failed one stays, so that callers who wait for it get its error.
      closing.then(
        () => this.#closings.delete(closing),
        () => undefined,
      );
    }
  }

  async #remove(id: string): Promise<void> {
    requireDirectoryName(id);
    try {
      await rm(join(this.#files.directory.path, id), { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      // On Windows, another process that has not closed it yet keeps its files: `sweep` removes them at a later start.
      if (!IS_WINDOWS || !isInUse(error)) throw error;
    }
  }
}
