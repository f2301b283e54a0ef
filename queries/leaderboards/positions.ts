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

/** The place of some consecutive rows on a board. */
interface Beginning {
  /** Index of the first of them. */
  readonly offset: number;
  /** The best time of the board, in ms; undefined: the board has no rows. */
  readonly leader: number | undefined;
  /** The row before them; null: they are the first. */
  readonly before: Before | null;
}

/** Gives consecutive rows their positions; by default they are the first of a board. */
export function positionRows(
  rows: readonly Ranked[],
  { offset, leader, before }: Beginning = { offset: 0, leader: rows[0]?.lap.totalTime, before: null },
): PositionedRow[] {
  let last = before;
  return rows.map((ranked, n) => {
    const { totalTime } = ranked.lap;
    const position = last?.totalTime === totalTime ? last.position : offset + n + 1;
    const gapToLeader = last && totalTime - (leader ?? totalTime);
    const gapToNext = last && totalTime - last.totalTime;
    last = { totalTime, position };
    return { ranked, position, gapToLeader, gapToNext };
  });
}

export interface PageRequest {
  readonly page: number;
  readonly size: number;
}

/** The rows of a page with their positions. The row before the page is read, too. */
export async function positionedRows(board: Board, { page, size }: PageRequest): Promise<PositionedRow[]> {
  if (page === 0) return positionRows(await board.at(0, size));
  const offset = page * size;
  const [last, ...rows] = await board.at(offset - 1, size + 1);
  if (last === undefined) return [];
  const { totalTime } = last.lap;
  const ties = rows[0]?.lap.totalTime === totalTime;
  const position = ties ? await sharedPosition(board, offset, totalTime) : offset;
  const [leader] = await board.at(0, 1);
  return positionRows(rows, { offset, leader: leader?.lap.totalTime, before: { totalTime, position } });
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
