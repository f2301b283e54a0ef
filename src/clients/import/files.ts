import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Budget, filesOf, type FoundFile } from './found-file.ts';
import { UnreadableSource } from './unreadable-source.ts';

/** Deepest folder in a folder. */
const MAX_DEPTH = 16;

/**
 * Reads files, those in folders, and those in zip archives, one at a time, in the order of their paths. What an archive
 * says about sizes is not trusted: an entry that unpacks to more than it says, or than `maxFileBytes`, is refused.
 * Links are not followed inside folders.
 * @throws {UnreadableSource} for what cannot be read, and beyond the limits of an import.
 */
export async function* filesIn(paths: readonly string[], maxFileBytes: number): AsyncGenerator<FoundFile> {
  const budget = new Budget(maxFileBytes);
  for (const path of paths) yield* filesAt(path, budget, 0);
}

/** The bytes of one file, as they are. @throws {UnreadableSource} if it is larger than that, or no file. */
export async function fileAt(path: string, maxFileBytes: number): Promise<Uint8Array> {
  const stats = await readable(path, () => stat(path));
  if (!stats.isFile()) throw new UnreadableSource(path, 'it is no file');
  new Budget(maxFileBytes).spend(path, stats.size);
  return readable(path, () => readFile(path));
}

async function* filesAt(path: string, budget: Budget, depth: number): AsyncGenerator<FoundFile> {
  const stats = await readable(path, () => (depth === 0 ? stat(path) : lstat(path)));
  if (stats.isDirectory()) {
    if (depth >= MAX_DEPTH) throw new UnreadableSource(path, `it lies more than ${MAX_DEPTH} folders deep`);
    const names = await readable(path, () => readdir(path));
    for (const name of names.sort()) yield* filesAt(join(path, name), budget, depth + 1);
    return;
  }
  if (!stats.isFile()) {
    if (depth === 0) throw new UnreadableSource(path, 'it is neither a file nor a folder');
    return;
  }
  budget.spend(path, stats.size);
  const bytes = await readable(path, () => readFile(path));
  yield* filesOf({ path, bytes, changedAt: stats.mtimeMs, isNamed: depth === 0 }, budget);
}

/** Runs a step of reading; an error of the system becomes one that names the path. */
async function readable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UnreadableSource(path, error.message, { cause: error });
  }
}
