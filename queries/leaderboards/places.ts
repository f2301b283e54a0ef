import type { Board, Ranked } from './boards.ts';

/** The place of a row on a board. */
export interface Place {
  /** From 1; equal times share it. */
  readonly position: number;
  /** ms; null for the leader. */
  readonly gapToLeader: number | null;
  readonly gapToNext: number | null;
}

/** A row of a board with its place. */
export interface Placed extends Place {
  readonly ranked: Ranked;
}

/** A row that another one comes after. */
interface Before extends Pick<Place, 'position'> {
  /** ms, like all times. */
  readonly totalTime: number;
}

/** Places consecutive rows: from an index on, after another row (null: they are the first), behind the time of the leader. */
export function placeRows(
  rows: readonly Ranked[],
  {
    offset,
    leader,
    before: last,
  }: { readonly offset: number; readonly leader: number | undefined; readonly before: Before | null },
): Placed[] {
  let before = last;
  return rows.map((ranked, n) => {
    const { totalTime } = ranked.lap;
    const place = placeOf(totalTime, { index: offset + n, leader: leader ?? totalTime, before });
    before = { totalTime, position: place.position };
    return { ranked, ...place };
  });
}

function placeOf(
  totalTime: number,
  { index, leader, before }: { readonly index: number; readonly leader: number; readonly before: Before | null },
): Place {
  if (before === null) return { position: 1, gapToLeader: null, gapToNext: null };
  const position = before.totalTime === totalTime ? before.position : index + 1;
  return { position, gapToLeader: totalTime - leader, gapToNext: totalTime - before.totalTime };
}

/** A page of a board. */
export interface PageRequest {
  /** Index of the page. */
  readonly page: number;
  /** Rows of a page. */
  readonly size: number;
}

/** The rows of a page with their places. The row before the page is read, too. */
export async function placedRows(board: Board, { page, size }: PageRequest): Promise<Placed[]> {
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
  return placeRows(read.slice(offset - from), { offset, leader: leader?.lap.totalTime, before });
}

/** Rows that are read at a time to find where a tie begins. */
const TIES = 100;

/** The position of a time that the row before an index has, too: that of the first row with it. */
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
