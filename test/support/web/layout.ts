import { z } from 'zod';
import type { Page } from 'playwright-core';

/** Fonts in which pages are tried: of Linux kiosks, and two that others have. Their letters are of different widths. */
export const FONTS = ['DejaVu Sans', 'Liberation Sans', 'Noto Sans'] as const;

/** Whether the system has a font. */
export async function hasFont(page: Page, font: string): Promise<boolean> {
  const found: unknown = await page.evaluate(`(() => {
    const context = document.createElement('canvas').getContext('2d');
    const widthIn = (family) => {
      context.font = '72px ' + family;
      return context.measureText('mmmmmmmmmmlli 0123456789').width;
    };
    return ['monospace', 'serif'].some((other) => widthIn('"${font}", ' + other) !== widthIn(other));
  })()`);
  return found === true;
}

/** Has all pages of a tab shown in a font, from before they are laid out. */
export async function useFont(page: Page, font: string): Promise<void> {
  await page.addInitScript(`{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':root { font-family: "${font}" !important; }');
    document.adoptedStyleSheets = [sheet];
  }`);
}

const Faults = z.array(z.string());

/**
 * What is wrong with the layout of a page: it is wider than its window, a digit outside a name is cut, the first letters
 * of a name are (of a first name, which is shortened before the last one: the first letter), or one text of a row (`rows`, a selector) lies over another.
 */
export async function layoutFaults(page: Page, rows: string): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`(async () => {
    // Observers of sizes have been called, and what they changed is laid out.
    for (let n = 0; n < 3; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const faults = [];
    const isSeen = (element) =>
      element.closest('.hidden-but-read, .sizing, .lower-third:not(.shown)') === null &&
      element.checkVisibility({ visibilityProperty: true });
    const textsIn = (root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) {
        const { parentElement, data } = walker.currentNode;
        if (data.trim() !== '' && isSeen(parentElement)) texts.push(walker.currentNode);
      }
      return texts;
    };
    /** Where letters are, without the space above and below them. */
    const inkOf = (node, from = 0, to = node.length) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      const half = 0.36 * parseFloat(getComputedStyle(node.parentElement).fontSize);
      const middle = (top + bottom) / 2;
      return { left, right, top: middle - half, bottom: middle + half };
    };
    /** What of an element is seen: each element around it may hide what does not fit into its width, or its height. */
    const clipOf = (element) => {
      const clip = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
      for (let at = element; at !== null; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        // What scrolls can be read.
        if (overflowX === 'auto' || overflowX === 'scroll') return clip;
        if (overflowX === 'visible' || at === document.body) continue;
        const box = at === document.documentElement
          ? { left: 0, right: innerWidth, top: 0, bottom: Infinity }
          : at.getBoundingClientRect();
        clip.left = Math.max(clip.left, box.left);
        clip.right = Math.min(clip.right, box.right);
        if (overflowY === 'visible') continue;
        clip.top = Math.max(clip.top, box.top);
        clip.bottom = Math.min(clip.bottom, box.bottom);
      }
      clip.left = Math.max(clip.left, 0);
      clip.right = Math.min(clip.right, innerWidth);
      return clip;
    };
    const isWithin = (ink, clip) =>
      ink.left >= clip.left - 0.6 && ink.right <= clip.right + 0.6 &&
      ink.top >= clip.top - 0.6 && ink.bottom <= clip.bottom + 0.6;
    const isOutside = (ink, clip) => ink.top >= clip.bottom || ink.bottom <= clip.top;
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) faults.push('the page is ' + scrollWidth + ' px wide');
    for (const node of textsIn(document.body)) {
      const clip = clipOf(node.parentElement);
      const name = node.parentElement.closest('bdi');
      // A first name is shortened before the last one.
      const least = node.parentElement.matches('.given') ? 1 : 3;
      const first = inkOf(node, 0, Math.min(least, node.length));
      // A row that is not shown at all is not cut.
      if (isOutside(first, clip)) continue;
      if (name !== null && !isWithin(first, clip)) faults.push('the name ' + node.data + ' has no beginning');
      if (name === null && /\\d/.test(node.data) && !isWithin(inkOf(node), clip)) faults.push(node.data + ' is cut');
    }
    for (const row of document.querySelectorAll(${JSON.stringify(rows)})) {
      const seen = textsIn(row).map((node) => {
        const ink = inkOf(node);
        const clip = clipOf(node.parentElement);
        const left = Math.max(ink.left, clip.left);
        const right = Math.min(ink.right, clip.right);
        return { text: node.data, left, right, top: ink.top, bottom: ink.bottom };
      });
      for (const [n, a] of seen.entries()) {
        for (const b of seen.slice(n + 1)) {
          const isBeside = a.right <= b.left + 0.6 || b.right <= a.left + 0.6;
          const isAbove = a.bottom <= b.top + 0.6 || b.bottom <= a.top + 0.6;
          if (!isBeside && !isAbove) faults.push(a.text + ' and ' + b.text + ' lie over each other');
        }
      }
    }
    return faults;
  })()`);
  return Faults.parse(found);
}
