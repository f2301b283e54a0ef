import type { Row } from '../live/messages.ts';
import type { BoardState } from '../live/state.ts';

/** A lap that is better than all before. */
export interface NewBest {
  readonly row: Row;
  /** By how much, in ms; null: it is the first. */
  readonly by: number | null;
}

/** The best lap of a board when it is a new one; null: it is that of before, or of another board. */
export function newBest(before: BoardState, now: BoardState): NewBest | null {
  const [old, row] = [before.rows[0], now.rows[0]];
  if (row === undefined || before.head === null || before.boards !== now.boards) return null;
  if (old === undefined) return { row, by: null };
  const by = old.bestLap.totalTime - row.bestLap.totalTime;
  return by > 0 ? { row, by } : null;
}
