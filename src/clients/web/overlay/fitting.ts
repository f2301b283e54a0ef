import { emOf } from '../live/widest.ts';

/** Widths of the column of names, in em: the most, where long names have room, and the least. */
const MOST_NAME = 21;
const LEAST_NAME = 5;

/** How often the type is made smaller: at some sizes letters are a little wider than at others. */
const TRIES = 5;

/** A little smaller than what would just fit, because browsers round the widths of letters. */
const SAFETY = 0.985;

/**
 * Makes a ranking as narrow as its window: first the column of names, which is at most as wide as the longest name, then
 * the type of all. And as low: rows of which only a part would be seen are not shown.
 * @param frame holds the table
 * @param bottom up to where rows may reach, in px
 * @returns how many rows have room
 */
export function fitRanking(frame: HTMLElement, bottom: number): number {
  const table = frame.querySelector('table');
  if (table === null) return 0;
  const widest = widestName(frame);
  setSize(frame, 1, widest);
  const room = frame.getBoundingClientRect().width;
  const excess = (): number => table.getBoundingClientRect().width - room;
  if (excess() > 0) {
    const em = emOf(frame);
    const name = Math.max(Math.min(LEAST_NAME, widest), widest - Math.ceil((excess() / em) * 10) / 10);
    let size = 1;
    setSize(frame, size, name);
    for (let tries = 0; tries < TRIES && excess() > 0; tries += 1) {
      size *= (room / (room + excess())) * SAFETY;
      setSize(frame, size, name);
    }
  }
  // The headline is as wide as the rows.
  const header = frame.querySelector('header');
  if (header !== null) header.style.width = `${table.getBoundingClientRect().width}px`;
  return cutRows(frame, table, bottom);
}

/** The width of the longest name, in em, up to a limit. */
function widestName(frame: HTMLElement): number {
  frame.style.fontSize = '1em';
  frame.style.setProperty('--name', 'max-content');
  const em = emOf(frame);
  let widest = 0;
  for (const name of frame.querySelectorAll('.ranking .name .who')) {
    widest = Math.max(widest, name.getBoundingClientRect().width / em);
  }
  // A tenth more, because browsers round.
  return Math.min(MOST_NAME, Math.ceil(widest * 10 + 1) / 10);
}

function setSize(frame: HTMLElement, size: number, name: number): void {
  frame.style.fontSize = `${size}em`;
  frame.style.setProperty('--name', `${name}em`);
}

function cutRows(frame: HTMLElement, table: HTMLTableElement, bottom: number): number {
  const { top } = frame.getBoundingClientRect();
  let height = 0;
  let rowHeight = 0;
  for (const row of table.tBodies[0]?.rows ?? []) {
    const { bottom: end, height: ofRow } = row.getBoundingClientRect();
    rowHeight = ofRow;
    if (end > bottom) break;
    height = end - top;
  }
  frame.style.maxHeight = `${height}px`;
  const start = table.tBodies[0]?.getBoundingClientRect().top ?? top;
  return Math.max(1, Math.floor((bottom - start) / Math.max(rowHeight, 1)));
}

/** Makes the type of an announcement so small that all of it is in the window. */
export function fitAnnouncement(element: HTMLElement): void {
  element.style.fontSize = '';
  let size = 1;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { clientWidth, scrollWidth } = element;
    const { top, height } = element.getBoundingClientRect();
    const isFitting = scrollWidth <= clientWidth && top >= 0;
    if (isFitting) return;
    const fits = Math.min(clientWidth / scrollWidth, top >= 0 ? 1 : (height + top) / height);
    size *= Math.max(fits, 0.1) * SAFETY;
    element.style.fontSize = `${size}em`;
  }
}
