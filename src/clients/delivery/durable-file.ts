import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { moveBlocking, syncBlocking } from '../../../infra/system/disk.ts';
import { Failure } from '../connection.ts';

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

/**
 * What a file of JSON holds; null: it is not there, or cannot be read. `replaceFile` leaves no part of a file, but disks that
 * report as written what is not, as some do on a power cut, leave zeros in it.
 */
export function readJson(path: string): unknown {
  const text = readIfThere(path);
  return text === null ? null : parsed(text);
}

/**
 * What the lines of a file hold, each a JSON value; none if it is not there. What a crash has left of the last one is cut off: a
 * part of it or, after a power cut on Windows, zeros in its place or at its beginning.
 * @throws {Failure} when another line is damaged.
 */
export function readJsonLines(path: string): readonly unknown[] {
  const text = readIfThere(path) ?? '';
  const lines = text.split('\n').slice(0, -1);
  const values = lines.map(parsed);
  if (values.at(-1) === null) {
    values.pop();
    lines.pop();
  }
  const damaged = values.indexOf(null);
  if (damaged >= 0) {
    throw new Failure(`${path} is damaged in line ${damaged + 1}: move it aside, and what waited in it is lost`);
  }
  const whole = lines.map((line) => `${line}\n`).join('');
  if (whole !== text) replaceFile(path, whole);
  return values;
}

/** The value of a text of JSON, which is an object; null: it is damaged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
