import type { Board, Ranked } from './leaderboard-boards.ts';

/** A row of a board with its place. */
export interface Placed {
  readonly standing: Ranked;
  /** From 1; equal times share it. */
  readonly position: number;
  /** ms; null for the leader. */
  readonly gapToLeader: number | null;
  readonly gapToNext: number | null;
}

/** A part of a board. */
export interface PlacesWanted {
  /** Index of the page. */
  readonly page: number;
  /** Rows of a page. */
  readonly size: number;
}

/** The rows of a page with their places; the row before the page is read as well. */
export async function placedRows(board: Board, { page, size }: PlacesWanted): Promise<Placed[]> {
  const offset = page * size;
  const from = Math.max(0, offset - 1);
  const read = await board.at(from, size + offset - from);
  const [leader] = from === 0 ? read : await board.at(0, 1);
  let before = offset === from ? undefined : read[0];
  let position = 0;
  const placed: Placed[] = [];
  for (const [n, standing] of read.slice(offset - from).entries()) {
    const { totalTime } = standing.lap;
    const ties = before?.lap.totalTime === totalTime;
    if (!ties) position = offset + n + 1;
    else if (n === 0) position = await sharedPosition(board, offset, totalTime);
    const gapTo = (other: Ranked | undefined) =>
      before === undefined || other === undefined ? null : totalTime - other.lap.totalTime;
    placed.push({ standing, position, gapToLeader: gapTo(leader), gapToNext: gapTo(before) });
    before = standing;
  }
  return placed;
}

/** Rows that are read at a time to find where a tie begins. */
const TIES = 100;

/** The position that a time shares which the row before this place has too. */
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
