/** Widths of the column of names, in em: where there is room, and where there is none. */
const NAME = 11;
const LEAST_NAME = 5;

/** How often the type is made smaller: at some sizes letters are a little wider than at others. */
const TRIES = 5;

/** A little smaller than what would just fit, because browsers round the widths of letters. */
const SAFETY = 0.985;

/**
 * Makes a ranking as narrow as its window: first the column of names, then the type of all. And as low: rows of which
 * only a part would be seen are not shown.
 * @param frame holds the table
 * @param bottom up to where rows may reach, in px
 */
export function fitRanking(frame: HTMLElement, bottom: number): void {
  const table = frame.querySelector('table');
  if (table === null) return;
  setSize(frame, 1, NAME);
  const room = frame.getBoundingClientRect().width;
  const excess = (): number => table.getBoundingClientRect().width - room;
  if (excess() > 0) {
    const em = Number.parseFloat(getComputedStyle(frame).fontSize);
    const name = Math.max(LEAST_NAME, NAME - Math.ceil((excess() / em) * 10) / 10);
    let size = 1;
    setSize(frame, size, name);
    for (let tries = 0; tries < TRIES && excess() > 0; tries += 1) {
      size *= (room / (room + excess())) * SAFETY;
      setSize(frame, size, name);
    }
  }
  cutRows(frame, table, bottom);
}

function setSize(frame: HTMLElement, size: number, name: number): void {
  frame.style.fontSize = `${size}em`;
  frame.style.setProperty('--name', `${name}em`);
}

function cutRows(frame: HTMLElement, table: HTMLTableElement, bottom: number): void {
  const { top } = frame.getBoundingClientRect();
  let height = 0;
  for (const row of table.tBodies[0]?.rows ?? []) {
    const end = row.getBoundingClientRect().bottom;
    if (end > bottom) break;
    height = end - top;
  }
  frame.style.maxHeight = `${height}px`;
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
