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

/** The lines of a file, none if it is not there. If a crash has left only a part of the last one, that is cut off. */
export function readWholeLines(path: string): readonly string[] {
  const text = readIfThere(path);
  const whole = text?.slice(0, text.lastIndexOf('\n') + 1) ?? '';
  if (whole !== text) replaceFile(path, whole);
  return whole.split('\n').slice(0, -1);
}
