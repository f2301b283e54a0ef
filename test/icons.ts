/**
 * Draws the pictures of the pages that are no SVG, from its icon, with the browser of the tests: `npm run icons`, after
 * each change of `src/clients/web/shared/icon.svg`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { icoOf } from './support/web/ico.ts';
import { program } from './support/web/browser.ts';

const FOLDER = 'src/clients/web/icons';
const ICON = readFileSync('src/clients/web/shared/icon.svg', 'utf8');

/** Sizes of the pictures in `favicon.ico`. */
const FAVICON_SIZES: readonly number[] = [16, 32, 48];

/** The colour behind the icon, and the part of its width that launchers never cut off. */
const BACKGROUND = '#101418';
const SAFE = 0.95;

/** The icon without round corners, smaller, on a background that may be cut to any form. */
const PADDED = `<div style="width: 100vw; height: 100vh; background: ${BACKGROUND}; display: grid; place-items: center">
  <div style="width: ${100 * SAFE}vw">${ICON}</div>
</div>`;

/** What other services show of a link: name and look of a board. */
const ROWS = [
  ['1', 'Nora Lindqvist', '2:17.325', ''],
  ['2', 'Matteo Bellandi', '2:17.468', '+0.143'],
  ['3', 'Haruto Minamida', '2:17.902', '+0.577'],
];
const CARD = `<style>
    body { display: flex; flex-direction: column; justify-content: center; gap: 44px; box-sizing: border-box; width: 1200px; height: 630px;
      padding: 64px 72px; background: #0d1014; color: #eef1f5; font: 34px 'Noto Sans', sans-serif; }
    header { display: flex; gap: 36px; align-items: center; }
    header svg { width: 132px; }
    h1 { margin: 0; font-size: 68px; letter-spacing: -1px; }
    p { margin: 0; color: #a3adb9; }
    div.row { display: grid; grid-template-columns: 88px 1fr 190px 150px; align-items: center; height: 84px;
      border-top: 2px solid #2b333d; background: #161b22; font-variant-numeric: tabular-nums; }
    div.row:first-child { border: 0; }
    div.row > * { text-align: end; padding-inline-end: 28px; }
    div.row > :nth-child(1) { align-self: stretch; display: grid; place-items: center; padding: 0; color: #a3adb9; font-weight: 700; }
    div.row > :nth-child(2) { text-align: start; font-weight: 600; padding-inline-start: 24px; }
    div.row:first-child > :nth-child(1) { background: #d08bff; color: #161b22; }
    div.row:first-child > :nth-child(3) { color: #d08bff; font-weight: 700; }
    section { overflow: hidden; border-radius: 16px; }
  </style>
  <header>${ICON}<div><h1>Sim Racing Timing</h1><p>Live boards and results</p></div></header>
  <section>${ROWS.map((cells) => `<div class="row">${cells.map((cell) => `<span>${cell}</span>`).join('')}</div>`).join('')}</section>`;

async function draw(browser: Browser, html: string, width: number, height: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<style>body { margin: 0; } svg { display: block; width: 100%; }</style>${html}`);
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}

if (program === null) throw new Error('There is no browser to draw with: set BROWSER.');
const browser = await chromium.launch({ executablePath: program, chromiumSandbox: false });
mkdirSync(FOLDER, { recursive: true });
const write = (name: string, content: Uint8Array): void => writeFileSync(join(FOLDER, name), content);
write('icon-192.png', await draw(browser, ICON, 192, 192));
write('icon-512.png', await draw(browser, ICON, 512, 512));
write('maskable-512.png', await draw(browser, PADDED, 512, 512));
write('touch-180.png', await draw(browser, PADDED, 180, 180));
write('card.png', await draw(browser, CARD, 1_200, 630));
const favicons: Buffer[] = [];
for (const size of FAVICON_SIZES) favicons.push(await draw(browser, ICON, size, size));
write('favicon.ico', icoOf(favicons));
await browser.close();
