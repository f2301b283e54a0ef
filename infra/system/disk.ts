import { closeSync, constants, fsyncSync, openSync, renameSync, statSync } from 'node:fs';
import { lstat, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Whether this is Windows. There no directory can be synced (NTFS journals names by itself), a file only through a handle
 * that may write, and a name cannot be given to another file while somebody has its file open.
 */
export const IS_WINDOWS = process.platform === 'win32';

/** How a file is opened to be synced. */
const SYNC_FLAGS = IS_WINDOWS ? 'r+' : 'r';

/** Waits until a file, or the names in a directory, are on disk. */
export async function sync(path: string): Promise<void> {
  if (IS_WINDOWS && (await stat(path)).isDirectory()) return;
  const handle = await open(path, SYNC_FLAGS);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** `sync` for code that blocks: commands and the rig. */
export function syncBlocking(path: string): void {
  if (IS_WINDOWS && statSync(path).isDirectory()) return;
  const handle = openSync(path, SYNC_FLAGS);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Errors of Windows about a name that somebody has open: often a virus scanner or an indexer, for a moment. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY'];

/** Whether Windows reports by an error that a process has a file open. */
export function isInUse(error: unknown): boolean {
  return hasCode(error, ...IN_USE);
}

/** Pauses, in ms, before a file that is in use on Windows is renamed again. */
const IN_USE_PAUSES_MS = IS_WINDOWS ? [5, 10, 20, 40, 80, 160, 320] : [];

/** Renames a file or a directory; on Windows, again for a moment while it is in use. */
export async function move(from: string, to: string): Promise<void> {
  for (const ms of IN_USE_PAUSES_MS) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (!isInUse(error)) throw error;
      await pause(ms);
    }
  }
  await rename(from, to);
}

/** `move` for code that blocks: commands and the rig. */
export function moveBlocking(from: string, to: string): void {
  for (const ms of IN_USE_PAUSES_MS) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (!isInUse(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms);
    }
  }
  renameSync(from, to);
}

/** Ending of the name of a file that was replaced on Windows while somebody read it. */
const REPLACED_ENDING = '.replaced';

/**
 * Gives a file the name of another one, which processes that have it open can still read. On Windows, the other one gets a name
 * with the ending `.replaced` first, and disappears with its last reader. Several may replace the same file at once.
 */
export async function replaceOpenFile(from: string, to: string): Promise<void> {
  const replaced: string[] = [];
  for (const ms of [...IN_USE_PAUSES_MS, null]) {
    try {
      await rename(from, to);
      break;
    } catch (error) {
      if (ms === null || !isInUse(error)) throw error;
    }
    const aside = `${to}.${randomUUID()}${REPLACED_ENDING}`;
    try {
      await rename(to, aside);
      replaced.push(aside);
    } catch (error) {
      // Another process has just done the same, or has it open without sharing it.
      if (!isInUse(error) && !hasCode(error, 'ENOENT')) throw error;
      await pause(ms);
    }
  }
  for (const aside of replaced) await rm(aside, { force: true });
}

/** Thrown in place of opening a link, a directory, a pipe or a device. */
export class NoPlainFile extends Error {
  constructor(path: string) {
    super(`${path} is no plain file`);
  }
}

/**
 * How a file is opened that somebody else may have replaced: a link at its end is not followed, and a pipe waits for
 * nobody. Windows has no such flags.
 */
const CAREFULLY = IS_WINDOWS ? 'r' : constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a plain file for reading. @throws {NoPlainFile} for anything else in its place */
export async function openPlainFile(path: string): Promise<FileHandle> {
  if (IS_WINDOWS && !(await lstat(path)).isFile()) throw new NoPlainFile(path);
  let handle: FileHandle;
  try {
    handle = await open(path, CAREFULLY);
  } catch (error) {
    // Of a link, of a socket.
    if (hasCode(error, 'ELOOP', 'ENXIO')) throw new NoPlainFile(path);
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new NoPlainFile(path);
}

/** Whether an error of the operating system has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
