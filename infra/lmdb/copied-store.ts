import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { walkPages } from './page-walk.ts';
import { DATA_FILE } from './preflight.ts';

/** File that identifies the data file as of the last opening of the store. A copy of the data file differs from it. */
const PLACE_FILE = 'place';

/**
 * Checks every page of an event store whose data file is a copy: a copy that was made while a service was writing may
 * open, and fail or crash the process later.
 * @throws {DamagedPages}
 */
export async function expectWholeCopy(directory: string, isShared: () => Promise<boolean>): Promise<void> {
  const identity = await identityOf(directory);
  // Another process has checked it, and may be writing.
  if (identity === null || identity === (await rememberedIdentity(directory)) || (await isShared())) return;
  walkPages(join(directory, DATA_FILE));
}

/** Remembers the data file of an open store, so that it is not checked again. */
export async function rememberDataFile(directory: string): Promise<void> {
  const identity = await identityOf(directory);
  if (identity !== null && identity !== (await rememberedIdentity(directory)))
    await writeFile(join(directory, PLACE_FILE), identity);
}

/** Inode, which may be reused, and creation time of the data file; null if there is none yet. */
async function identityOf(directory: string): Promise<string | null> {
  const found = await stat(join(directory, DATA_FILE)).catch(() => null);
  return found === null || found.size === 0 ? null : `${found.ino} ${found.birthtimeMs}\n`;
}

async function rememberedIdentity(directory: string): Promise<string | null> {
  return readFile(join(directory, PLACE_FILE), 'utf8').catch(() => null);
}
