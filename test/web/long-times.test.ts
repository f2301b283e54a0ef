import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useService } from '../support/api/with-service.ts';
import { depth } from '../support/depth.ts';
import { adminOf } from '../support/web/admin.ts';
import { describeInBrowser } from '../support/web/browser.ts';
import { FONTS, hasFont, layoutFaults, useFont } from '../support/web/layout.ts';
import { createLongEvening } from '../support/web/long-evening.ts';

/** Widths of phones, tablets, desktops and walls, on both sides of each width at which a page changes. */
const WIDTHS = [360, 412, 540, 719, 721, 900, 1_023, 1_025, 1_280, 1_440, 1_599, 1_601, 1_920, 2_560, 3_840] as const;
const SECTORS = [1, 4, 16, 25, 64] as const;

/**
 * Step through the widths on one page. With the short one, the pages of all numbers of sectors together have every width,
 * in every font and at every size.
 */
const EVERY = depth({ short: SECTORS.length, deep: 1 });

/** Rows whose texts may not lie over each other, and the width to begin with. */
interface Layout {
  readonly rows: string;
  readonly first: number;
  /** Whether a fault is none on this page; left out: none is. */
  readonly isMeant?: (fault: string) => boolean;
}

const none = (): boolean => false;

/** Whether what is cut has words: a list shortens names, of which the numbers of these tests are part, and no times. */
const isOfWords = (fault: string): boolean => /\p{L}{4}.* is cut$/u.test(fault);

describeInBrowser('Pages: times up to ten hours, of up to 64 sectors', (browser) => {
  const api = useService();
  const evenings: { readonly eventId: string; readonly sectors: number; readonly drivers: number }[] = [];
  before(async () => {
    for (const sectors of SECTORS) evenings.push({ ...(await createLongEvening(api.admin, sectors)), sectors });
  });

  /** Goes through the widths, beginning with the nth, and expects no fault of the layout in any of them. */
  async function expectLayout(page: Page, title: string, { rows, first, isMeant = none }: Layout): Promise<void> {
    for (let n = first % EVERY; n < WIDTHS.length; n += EVERY) {
      const width = WIDTHS[n] ?? expect.fail();
      await page.setViewportSize({ width, height: Math.ceil((width * 9) / 16) + 200 });
      const faults = (await layoutFaults(page, rows)).filter((fault) => !isMeant(fault));
      expect(faults.slice(0, 5), `${title}, ${width} px wide`).to.deep.equal([]);
    }
  }

  for (const [fontNumber, font] of FONTS.entries()) {
    it(`are whole on boards in ${font}, if it is installed, and so is the beginning of each name`, async function () {
      const page = await browser.open('about:blank');
      if (!(await hasFont(page, font))) this.skip();
      await useFont(page, font);
      for (const [n, { eventId, sectors, drivers }] of evenings.entries()) {
        const query = sectors === 4 ? '?lang=de&gap=next' : '';
        await page.goto(`${api.service.url}/events/${eventId}${query}`);
        await page
          .locator('.standings tbody tr')
          .nth(drivers - 1)
          .waitFor();
        await page.locator('.newest li').nth(9).waitFor();
        await expectLayout(page, `${sectors} sectors`, {
          rows: '.standings tr, .newest li, .rigs dl > div',
          first: n + fontNumber,
        });
      }
    });

    it(`are whole on overlays in ${font}, if it is installed, of every size`, async function () {
      const page = await browser.open('about:blank');
      if (!(await hasFont(page, font))) this.skip();
      await useFont(page, font);
      for (const [n, { eventId, sectors }] of evenings.entries()) {
        for (const [place, scale] of ['1', '3'].entries()) {
          const query = `?columns=position,name,gap,best,last,sectors&scale=${scale}`;
          await page.goto(`${api.service.url}/overlay/${eventId}${query}`);
          await page.locator('.ranking tbody tr').first().waitFor();
          await expectLayout(page, `${sectors} sectors, scale ${scale}`, {
            rows: '.ranking tr',
            first: n + fontNumber + place,
          });
        }
      }
    });
  }

  it('are complete in the lists of the administration, which scroll, and shorten names alone', async () => {
    const [evening] = evenings.slice(-1);
    const page = await adminOf(browser, api)(`/laps?eventId=${evening?.eventId ?? ''}`);
    await page.locator('.table-box tbody tr').nth(5).waitFor();
    await expectLayout(page, '/laps', { rows: '.table-box tr', first: 0, isMeant: isOfWords });
  });

  it('show sectors below each other on an overlay, and names at one side, however they are written', async () => {
    const evening = evenings.find(({ sectors }) => sectors === 4);
    const page = await browser.open(`${api.service.url}/overlay/${evening?.eventId ?? ''}?columns=name,sectors`);
    await page.locator('.ranking tbody tr').nth(5).waitFor();
    const ends: unknown = await page.evaluate(`[0, 1, 2, 3].map((n) => new Set(
      [...document.querySelectorAll('.ranking td.sectors')].map((cell) =>
        Math.round(cell.querySelectorAll('.time')[n].getBoundingClientRect().right)),
    ).size)`);
    expect(ends).to.deep.equal([1, 1, 1, 1]);
    await expectOneSide(page, '.ranking .name bdi');
    const board = await browser.open(`${api.service.url}/events/${evening?.eventId ?? ''}`);
    await board.locator('.newest li').nth(9).waitFor();
    for (const names of ['.standings .name', '.newest .name', '.rigs dd bdi']) await expectOneSide(board, names);
  });

  /** Expects that short names begin where their element does. */
  async function expectOneSide(page: Page, names: string): Promise<void> {
    const lefts: unknown = await page.evaluate(`[...document.querySelectorAll('${names}')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
      .map((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return Math.round(range.getBoundingClientRect().left - name.getBoundingClientRect().left);
      }).filter((left) => left !== 0)`);
    expect(lefts, names).to.deep.equal([]);
  }
});
