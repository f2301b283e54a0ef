import { z } from 'zod';
import type { Page } from 'playwright-core';

const Faults = z.array(z.string());

/**
 * What is wrong with the names on a page: something cuts what letters have above or below their line, a last name is
 * shortened although the first could be shorter, a name of at most `whole` letters is shortened at all, a name begins
 * elsewhere than the others, or only a part of a row is seen.
 * @param rows selector of the rows
 */
export async function nameFaults(page: Page, rows: string, whole: number): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`(async () => {
    for (let n = 0; n < 3; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const faults = [];
    const pen = document.createElement('canvas').getContext('2d');
    const letters = (text) => [...new Intl.Segmenter().segment(text.trim())].length;
    const isShort = (element) => element.scrollWidth > element.clientWidth + 1;
    /** From where to where, in px from the top, something is seen of what is in an element. */
    const seenOf = (element, from = element) => {
      const seen = { top: -Infinity, bottom: Infinity };
      for (let at = from; at !== null && at !== document.documentElement; at = at.parentElement) {
        if (getComputedStyle(at).overflowY === 'visible' || at === document.body) continue;
        const { top, bottom } = at.getBoundingClientRect();
        seen.top = Math.max(seen.top, top);
        seen.bottom = Math.min(seen.bottom, bottom);
      }
      return seen;
    };
    const baselineOf = (element) => {
      const mark = document.createElement('span');
      mark.style.cssText = 'display: inline-block; width: 0; height: 0';
      element.prepend(mark);
      const { bottom } = mark.getBoundingClientRect();
      mark.remove();
      return bottom;
    };
    let lefts = new Set();
    for (const row of document.querySelectorAll(${JSON.stringify(rows)})) {
      const box = row.getBoundingClientRect();
      const around = seenOf(row, row.parentElement);
      const top = Math.max(around.top, 0);
      const bottom = around.bottom;
      if (box.bottom <= top + 1 || box.top >= bottom - 1) continue;
      if (box.top < top - 1 || box.bottom > bottom + 1) faults.push('a part of a row is seen: ' + row.textContent);
      for (const name of row.querySelectorAll('.name')) {
        const text = name.textContent;
        lefts.add(Math.round(name.getBoundingClientRect().left - row.getBoundingClientRect().left));
        const parts = name.childElementCount === 0 ? [name] : [...name.children];
        for (const part of parts) {
          if (letters(text) <= ${whole} && isShort(part)) faults.push('not whole: ' + text);
          const style = getComputedStyle(part);
          pen.font = style.font;
          const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = pen.measureText(part.textContent);
          const baseline = baselineOf(part);
          const seen = seenOf(part);
          if (baseline - above < seen.top - 1.5) faults.push('cut above: ' + text + ' by ' + (seen.top - baseline + above));
          if (baseline + below > seen.bottom + 1.5) faults.push('cut below: ' + text + ' by ' + (baseline + below - seen.bottom));
        }
        const [given, family] = parts;
        if (family !== undefined && isShort(family)) {
          const em = parseFloat(getComputedStyle(given).fontSize);
          if (given.clientWidth > 2.5 * em) faults.push('a last name is short: ' + text);
        }
      }
    }
    if (lefts.size > 2) faults.push('names begin at ' + [...lefts].join());
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) faults.push('the page is ' + scrollWidth + ' px wide');
    return faults;
  })()`);
  return Faults.parse(found);
}

/** The names that are seen on a page, of rows that are wholly in the window. */
export async function seenNames(page: Page, rows: string): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`[...document.querySelectorAll(${JSON.stringify(rows)})]
    .filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    })
    .map((row) => row.querySelector('.name').textContent)`);
  return Faults.parse(found);
}
