import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { walkPages } from './page-walk.ts';
import { DATA_FILE } from './preflight.ts';

/** File beside the pages that says which file they were in when the store was opened last. A copy of it is another one. */
const PLACE_FILE = 'place';

/**
 * Looks whether an event store is whole, page by page, where its file is a copy: one that was made while a service wrote
 * may open, and fail or crash the process later.
 * @throws {DamagedPages}
 */
export async function expectWholeCopy(directory: string, isShared: () => Promise<boolean>): Promise<void> {
  const place = await placeOf(directory);
  // Another process has looked, and may be writing.
  if (place === null || place === (await knownPlace(directory)) || (await isShared())) return;
  walkPages(join(directory, DATA_FILE));
}

/** Remembers an open store's file: it need not be looked at again. */
export async function rememberPlace(directory: string): Promise<void> {
  const place = await placeOf(directory);
  if (place !== null && place !== (await knownPlace(directory))) await writeFile(join(directory, PLACE_FILE), place);
}

/** Number and birth of the file with the pages; null where there is none yet. A number alone is used again. */
async function placeOf(directory: string): Promise<string | null> {
  const found = await stat(join(directory, DATA_FILE)).catch(() => null);
  return found === null || found.size === 0 ? null : `${found.ino} ${found.birthtimeMs}\n`;
}

async function knownPlace(directory: string): Promise<string | null> {
  return readFile(join(directory, PLACE_FILE), 'utf8').catch(() => null);
}
