import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a whole file: after a power failure there is the old one or the new one, never a part. */
export function replaceFile(path: string, text: string): void {
  const part = `${path}.part`;
  const file = openSync(part, 'w', 0o600);
  try {
    writeSync(file, text);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
  syncDirectory(dirname(path));
}

/** Makes the names in a directory safe from a power failure. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** The content of a file; null when there is none. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
