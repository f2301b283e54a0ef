import { isMeasured } from '../shared/times.ts';
import type { Row } from './messages.ts';

/** A time (ms) of each width: what is at most as long is at most as wide, because all digits are equally wide. */
const WIDTHS_MS: readonly number[] = [9_999, 59_999, 599_999, 3_599_999, 35_999_999, 359_999_999, 2_147_483_646];

/** The widest texts that a board has in each column. Times are in ms, of the same width as the longest one. */
export interface Widest {
  /** Number of digits. */
  readonly position: number;
  readonly best: number;
  readonly gap: number;
  readonly last: number;
  readonly sector: number;
  /** The highest number of a best lap with as many digits. */
  readonly lapNumber: number;
  /** As `laps` is shown: `00/00`. */
  readonly laps: string;
}

/** The widest texts of rows; `gapOf` tells which gap of a row is shown. */
export function widestOf(rows: readonly Row[], gapOf: (row: Row) => number | null): Widest {
  let best = 0;
  let gap = 0;
  let last = 0;
  let sector = 0;
  let laps = 0;
  let lapNumber = 0;
  for (const row of rows) {
    best = Math.max(best, row.bestLap.totalTime);
    gap = Math.max(gap, gapOf(row) ?? 0);
    last = Math.max(last, timeIn(row.lastLap.totalTime));
    for (const time of row.bestLap.sectors) sector = Math.max(sector, timeIn(time));
    laps = Math.max(laps, row.laps);
    lapNumber = Math.max(lapNumber, row.bestLapNumber ?? 0);
  }
  const areAllValid = rows.every((row) => row.laps === row.validLaps);
  const digits = '0'.repeat(String(laps).length);
  return {
    position: String(rows.length).length,
    best: asWideAs(best),
    gap: asWideAs(gap),
    last: asWideAs(last),
    sector: asWideAs(sector),
    lapNumber: Number('9'.repeat(String(lapNumber).length)),
    laps: areAllValid ? digits : `${digits}/${digits}`,
  };
}

/** A time that is shown; 0 for one that is not. */
function timeIn(ms: number): number {
  return isMeasured(ms) ? ms : 0;
}

function asWideAs(ms: number): number {
  return WIDTHS_MS.find((width) => ms <= width) ?? ms;
}

/** The widths of what an element shows by the names in `data-column`, in em of the element: the widest of each name. */
export function widthsIn(element: HTMLElement): ReadonlyMap<string, number> {
  const em = emOf(element);
  const widths = new Map<string, number>();
  for (const child of element.querySelectorAll<HTMLElement>('[data-column]')) {
    const name = child.dataset['column'] ?? '';
    const width = child.getBoundingClientRect().width / em;
    // A tenth more, because browsers round.
    widths.set(name, Math.max(widths.get(name) ?? 0, Math.ceil(width * 10 + 1) / 10));
  }
  return widths;
}

/** The size of the type of an element, in px. */
export function emOf(element: Element): number {
  return Number.parseFloat(getComputedStyle(element).fontSize);
}
