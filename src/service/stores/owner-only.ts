import { IS_WINDOWS } from '../../../infra/system/disk.ts';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';

/** The rights of group and others. Stores, and files that commands write, give them none. */
const OF_OTHERS = 0o077;

/**
 * Whether group or others have any right to a file or directory of this mode. Modes say nothing on Windows, where a file
 * has the rights of its folder.
 */
export function isOpenToOthers(mode: number): boolean {
  return !IS_WINDOWS && (mode & OF_OTHERS) !== 0;
}

/**
 * The path of a part of a data directory: a file, or a directory. If group or others have any right to it, it is narrowed
 * to its owner, with all that is in it, and the process warns: stores hold people's data, hashes and keys.
 */
export function partOf(dataDir: string, name: string): string {
  makeDirectory(resolve(dataDir));
  const path = join(dataDir, name);
  // The store itself reports why it cannot be reached.
  const mode = existsSync(path) ? statSync(path).mode : 0;
  if (isOpenToOthers(mode)) narrowWithWarning(path, mode);
  return path;
}

/** Creates a directory and those above it, one by one: Node's own `recursive` never returns in /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (cause) {
    if (!existsSync(path)) throw new StoreUnavailable(`the data directory ${path} cannot be made`, { cause });
  }
}

function narrowWithWarning(path: string, mode: number): void {
  const found = `${path} was open to others on this machine (mode ${(mode & 0o777).toString(8)})`;
  try {
    narrow(path);
    process.emitWarning(`${found}; now only its owner may use it`);
  } catch (error) {
    process.emitWarning(
      `${found}, and could not be narrowed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Takes the rights of group and others from a file, or from a directory and all that is in it. */
export function narrow(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  // Another process may have deleted it meanwhile.
  if (stats === undefined) return;
  if (isOpenToOthers(stats.mode)) chmodSync(path, stats.mode & 0o700);
  if (!stats.isDirectory()) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    // What a link points to is not part of the store.
    if (!entry.isSymbolicLink()) narrow(join(path, entry.name));
  }
}
