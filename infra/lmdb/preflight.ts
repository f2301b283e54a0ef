import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const DATA_FILE = 'data.mdb';

/** Space that a new store needs for its first pages and its lock file, in bytes. */
const FIRST_BYTES = 65_536;

/** Offset of the magic number in the first page, and its value (`MDB_MAGIC`). */
const MAGIC_OFFSET = 24;
const MAGIC = 0xbeefc0de;

/**
 * Checks a directory before it is opened as an LMDB environment: with a file that is no database, or without space for
 * a new one, opening would end the process with a segmentation fault (lmdb 3.5.6 closes twice what it could not open).
 * @throws {Error} with the reason.
 */
export function preflight(directory: string): void {
  const path = join(directory, DATA_FILE);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) checkFreeSpace(directory);
  else if (magicOf(path) !== MAGIC) throw new Error(`${path} is damaged, or no LMDB database`);
}

function checkFreeSpace(directory: string): void {
  const path = join(directory, `.room-${process.pid}-${randomUUID()}`);
  const file = openSync(path, 'wx');
  try {
    writeFileSync(file, Buffer.alloc(FIRST_BYTES));
    fsyncSync(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

function magicOf(path: string): number {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(MAGIC_OFFSET + Uint32Array.BYTES_PER_ELEMENT);
    readSync(file, head, 0, head.length, 0);
    return head.readUInt32LE(MAGIC_OFFSET);
  } finally {
    closeSync(file);
  }
}
