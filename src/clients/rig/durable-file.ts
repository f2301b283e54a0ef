import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { moveBlocking, syncBlocking } from '../../../infra/system/disk.ts';

/** Replaces a file: after a power failure it is the old one or the new one, never a part. */
export function replaceFile(path: string, text: string): void {
  const part = `${path}.part`;
  writeFileSync(part, text, { mode: 0o600, flush: true });
  moveBlocking(part, path);
  syncBlocking(dirname(path));
}

export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
