import type { Board, Ranked } from './boards.ts';

export interface RowPosition {
  /** From 1; equal times share it. */
  readonly position: number;
  /** ms; null for the leader. */
  readonly gapToLeader: number | null;
  readonly gapToNext: number | null;
}

export interface PositionedRow extends RowPosition {
  readonly ranked: Ranked;
}

interface Before extends Pick<RowPosition, 'position'> {
  /** ms, like all times. */
  readonly totalTime: number;
}

/** Positions consecutive rows from index `offset` on; `before` is the row before them, null when they are the first. */
export function positionRows(
  rows: readonly Ranked[],
  at: { readonly offset: number; readonly leader: number | undefined; readonly before: Before | null },
): PositionedRow[] {
  const { offset, leader } = at;
  let { before } = at;
  return rows.map((ranked, n) => {
    const { totalTime } = ranked.lap;
    const row = positionOf(totalTime, { index: offset + n, leader: leader ?? totalTime, before });
    before = { totalTime, position: row.position };
    return { ranked, ...row };
  });
}

function positionOf(
  totalTime: number,
  { index, leader, before }: { readonly index: number; readonly leader: number; readonly before: Before | null },
): RowPosition {
  if (before === null) return { position: 1, gapToLeader: null, gapToNext: null };
  const position = before.totalTime === totalTime ? before.position : index + 1;
  return { position, gapToLeader: totalTime - leader, gapToNext: totalTime - before.totalTime };
}

export interface PageRequest {
  readonly page: number;
  readonly size: number;
}

/** The rows of a page with their positions. The row before the page is read, too. */
export async function positionedRows(board: Board, { page, size }: PageRequest): Promise<PositionedRow[]> {
  const offset = page * size;
  const from = Math.max(0, offset - 1);
  const read = await board.at(from, size + offset - from);
  const [leader] = from === 0 ? read : await board.at(0, 1);
  const [last] = read;
  const [first] = read.slice(offset - from);
  let before: Before | null = null;
  if (offset > from && last !== undefined) {
    const { totalTime } = last.lap;
    const ties = first?.lap.totalTime === totalTime;
    before = { totalTime, position: ties ? await sharedPosition(board, offset, totalTime) : offset };
  }
  return positionRows(read.slice(offset - from), { offset, leader: leader?.lap.totalTime, before });
}

/** Rows that are read at a time to find where a tie begins. */
const TIES = 100;

/** The position shared by all rows with a time: the position of the first one. The row before `place` has that time. */
async function sharedPosition(board: Board, place: number, totalTime: number): Promise<number> {
  for (let first = place; first > 0;) {
    const from = Math.max(0, first - TIES);
    const rows = await board.at(from, first - from);
    const faster = rows.findLastIndex(({ lap }) => lap.totalTime < totalTime);
    if (faster >= 0) return from + faster + 2;
    first = from;
  }
  return 1;
}
