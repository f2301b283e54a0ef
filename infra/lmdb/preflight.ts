import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DATA_FILE = 'data.mdb';

/** What a new store needs for its first pages and its lock file, in bytes. */
const FIRST_BYTES = 65_536;

/** Where the first page names the file format, and the name (`MDB_MAGIC`). */
const MAGIC_OFFSET = 24;
const MAGIC = 0xbeefc0de;

/**
 * To be called before a directory is opened as an LMDB environment: a file that is no database, and a new one that the
 * disk has no room for, end the process with a segmentation fault (lmdb 3.5.6 closes twice what it could not open).
 * @throws {Error} that says what is wrong.
 */
export function preflight(directory: string): void {
  const path = join(directory, DATA_FILE);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) probeRoom(directory);
  else if (magicOf(path) !== MAGIC) throw new Error(`${path} is damaged, or no LMDB database`);
}

function probeRoom(directory: string): void {
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
