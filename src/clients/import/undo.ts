import type { Connection } from '../connection.ts';
import { undoReason, type ImportRig } from './import-rig.ts';

/** How many laps are struck at a time. */
const AT_ONCE = 8;

/** What an undo has done: the laps that the import had recorded, and those that were struck now. */
export interface Undone {
  readonly recorded: number;
  readonly struck: number;
}

/**
 * Strikes the laps that an import has recorded, its first lap last: while that counts, the undo is not complete, and
 * may be repeated. Laps that were struck before, or were invalid in the file, stay as they are.
 * @throws {Refused}
 */
export async function undoImport(
  venue: Connection,
  rig: ImportRig,
  importId: string,
  onProgress?: (struck: number, of: number) => void,
): Promise<Undone> {
  const laps = await rig.lapsOf(importId);
  const counting = laps.filter(({ valid }) => valid);
  const [first, ...others] = counting;
  const strike = async (lapId: string): Promise<void> => {
    const params = { path: { lapId } };
    const body = { valid: false, reason: undoReason(importId) };
    await venue.answered<object>(() => venue.PATCH('/api/v1/laps/{lapId}', { params, body }));
  };
  for (let start = 0; start < others.length; start += AT_ONCE) {
    await Promise.all(others.slice(start, start + AT_ONCE).map(({ id }) => strike(id)));
    onProgress?.(Math.min(start + AT_ONCE, others.length), counting.length);
  }
  if (first !== undefined) await strike(first.id);
  return { recorded: laps.length, struck: counting.length };
}
