import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, move, sync } from '../system/disk.ts';
import { bootId, isRunning } from '../system/processes.ts';
import { DATA_FILE } from './preflight.ts';

const PREFIX = 'boot-';
/** Name of a process's mark file: its process id, then a random id. */
const OPEN_MARK = /^open-(\d+)-/;
/**
 * Files of release 0.1.0, which had all namespaces in one environment. They are deleted; the namespaces are rebuilt.
 */
const OF_RELEASE_0_1_0 = ['data.mdb', 'lock.mdb', 'gate'];

/**
 * The directory that holds the database until the machine restarts. `noSync`: commits may leave writing to disk to the
 * operating system. `release` is to be called after the database is closed: then it can be used after such a restart.
 */
export type StoreDirectory = Awaited<ReturnType<typeof prepareDirectory>>;

/**
 * Prepares the database's directory. Writes that do not wait for the disk survive the end of the process, since the
 * page cache does, but not a crash of the machine: LMDB's pages reach the disk in any order, and a half-written store
 * would look intact. So the name of the directory contains the boot id, and every process that opens it creates a mark
 * file in it, on disk, and deletes it after a last sync. A directory of an earlier boot without marks is taken over,
 * any other is deleted, to be rebuilt from the events. A killed process leaves its mark, which the next process to
 * close deletes after its sync. Where there is no boot id (anything but Linux), LMDB waits for the disk.
 */
export async function prepareDirectory(path: string) {
  const boot = bootId();
  const current = join(path, `${PREFIX}${boot ?? 'unknown'}`);
  await mkdir(path, { recursive: true });
  await takeOverPrevious(path, current);
  await mkdir(current, { recursive: true });
  for (const name of OF_RELEASE_0_1_0) await rm(join(current, name), { recursive: true, force: true });
  if (boot === null) return { path: current, noSync: false, release: async () => undefined };
  const mark = join(current, `open-${process.pid}-${randomUUID()}`);
  await (await open(mark, 'wx')).close();
  await sync(current);
  return {
    path: current,
    noSync: true,
    release: async (): Promise<void> => {
      const entries = await entriesOf(current);
      const marksOfEnded = entries.filter((name) => !isRunning(Number(OPEN_MARK.exec(name)?.[1] ?? process.pid)));
      for (const name of entries) {
        await sync(join(current, name, DATA_FILE)).catch((error: unknown) => {
          // A mark is not a directory, and a namespace may just have been dropped.
          if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error;
        });
      }
      await rm(mark, { force: true });
      for (const name of marksOfEnded) await rm(join(current, name), { force: true });
    },
  };
}

/** Other processes may do the same at once: only one rename succeeds, and deletions may be repeated. */
async function takeOverPrevious(path: string, current: string): Promise<void> {
  const names = (await readdir(path)).filter((name) => name.startsWith(PREFIX));
  for (const old of names.map((name) => join(path, name)).filter((name) => name !== current)) {
    const marks = (await entriesOf(old)).filter((name) => OPEN_MARK.test(name));
    const renamed =
      marks.length === 0 &&
      (await move(old, current).then(
        () => true,
        () => false,
      ));
    if (!renamed) await rm(old, { recursive: true, force: true });
  }
}

async function entriesOf(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
