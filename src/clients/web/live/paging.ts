/** Rows that stay on every page of a wall. */
const PINNED = 5;

/** A screen with fewer places has no pinned rows. */
const LEAST_PLACES = 2 * PINNED;

/** All rows are seen within this time, in s, unless a page would be shown for less than `LEAST_SECONDS`. */
const ALL_WITHIN_SECONDS = 28;
const LEAST_SECONDS = 4;
const MOST_SECONDS = 10;

/** How long, in s, a board of one page is shown before the next layout. */
const SINGLE_PAGE_SECONDS = 20;

/** How the rows of a board are spread over pages. */
export interface Paging {
  /** Number of the first rows, which are on every page. */
  readonly pinned: number;
  /** Number of rows of a page besides these. */
  readonly turning: number;
  readonly pages: number;
  /** How long a page is shown. */
  readonly seconds: number;
}

/**
 * Spreads rows over pages.
 * @param total number of rows
 * @param places number of rows that the screen shows at a time, 1 or more
 */
export function pagingOf(total: number, places: number): Paging {
  if (total <= places) return { pinned: 0, turning: places, pages: 1, seconds: SINGLE_PAGE_SECONDS };
  const pinned = places >= LEAST_PLACES ? PINNED : 0;
  const turning = places - pinned;
  const pages = Math.ceil((total - pinned) / turning);
  const seconds = Math.min(Math.max(ALL_WITHIN_SECONDS / pages, LEAST_SECONDS), MOST_SECONDS);
  return { pinned, turning, pages, seconds };
}

/** The first row, from 0, of those that turn on a page. The last page is as full as the others. */
export function firstOf({ pinned, turning, pages }: Paging, page: number, total: number): number {
  if (pages === 1) return 0;
  return Math.min(pinned + page * turning, total - turning);
}

/** The place on the screen, from 0, of a row on a page; null: it is on another page. */
export function placeOn(paging: Paging, page: number, total: number, row: number): number | null {
  if (row < paging.pinned) return row;
  const place = row - firstOf(paging, page, total);
  return place >= 0 && place < paging.turning ? paging.pinned + place : null;
}
