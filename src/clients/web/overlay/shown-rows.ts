import type { Row } from '../live/messages.ts';
import { firstOf, type Paging } from '../live/paging.ts';

/** Rows of a board in the order in which an overlay shows them. */
export interface ShownRows {
  readonly rows: readonly Row[];
  /** The index on the board of the first row that others may take the place of. */
  readonly first: number;
}

/** The rows of a page. */
export function rowsOfPage(rows: readonly Row[], paging: Paging, page: number): ShownRows {
  const first = firstOf(paging, page, rows.length);
  return { rows: [...rows.slice(0, paging.pinned), ...rows.slice(first, first + paging.turning)], first };
}

/** The rows around a driver; the first ones if the driver is not on the board. */
export function rowsAround(rows: readonly Row[], driver: string, count: number): ShownRows {
  const at = rows.findIndex(({ participantId }) => participantId === driver);
  const last = Math.max(0, rows.length - count);
  const first = at < 0 ? 0 : Math.min(Math.max(0, at - Math.floor((count - 1) / 2)), last);
  return { rows: rows.slice(first, first + count), first };
}
