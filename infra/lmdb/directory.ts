import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'boot-';
const OPEN_MARK = 'open-';
const DATA_FILE = 'data.mdb';

/** The directory that holds the database until the next start of the machine. */
export interface StoreDirectory {
  readonly path: string;
  /** Whether commits may leave the disk to the operating system. */
  readonly noSync: boolean;
  /** To be called when the database is closed: from then on it may be trusted after a restart of the machine. */
  release(): Promise<void>;
}

/**
 * Chooses the database's directory. Writes that do not wait for the disk survive the end of the process, since the page
 * cache does, but not that of the machine: LMDB's pages reach the disk in any order, and a half-written store would
 * look sound. So the directory bears the boot's id, and every process that opens it leaves a mark in it, on disk, which
 * it takes away after a last sync. What an earlier boot left without marks is taken over, all else is dropped, to be
 * rebuilt from the events. Where the system tells no boot id (anything but Linux), LMDB waits for the disk.
 */
export async function prepareDirectory(path: string): Promise<StoreDirectory> {
  const boot = await bootId();
  const current = join(path, `${PREFIX}${boot ?? 'unknown'}`);
  await mkdir(path, { recursive: true });
  await takeOverPrevious(path, current);
  await mkdir(current, { recursive: true });
  if (boot === null) return { path: current, noSync: false, release: async () => undefined };
  const mark = join(current, `${OPEN_MARK}${process.pid}-${randomUUID()}`);
  await (await open(mark, 'wx')).close();
  await sync(current);
  return {
    path: current,
    noSync: true,
    release: async () => {
      await sync(join(current, DATA_FILE));
      await rm(mark, { force: true });
    },
  };
}

/** Others may do the same at this moment: a rename has one winner, and dropping is dropping. */
async function takeOverPrevious(path: string, current: string): Promise<void> {
  const names = (await readdir(path)).filter((name) => name.startsWith(PREFIX));
  for (const old of names.map((name) => join(path, name)).filter((name) => name !== current)) {
    const marks = (await entriesOf(old)).filter((name) => name.startsWith(OPEN_MARK));
    const renamed =
      marks.length === 0 &&
      (await rename(old, current).then(
        () => true,
        () => false,
      ));
    if (!renamed) await rm(old, { recursive: true, force: true });
  }
}

async function entriesOf(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

async function bootId(): Promise<string | null> {
  const text = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null);
  return text?.trim() ?? null;
}

/** fsync of a file or directory: of the file as a whole, whoever wrote to it. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
