import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useService } from '../support/api/with-service.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';
import { createCrowd, CROWD } from '../support/web/crowd.ts';
import { FONTS, hasFont, useFont } from '../support/web/layout.ts';
import { nameFaults, seenNames } from '../support/web/names.ts';

const ROWS = '.standings tbody tr';

/** Screens: a phone, a notebook, a wall, a large wall. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 1_366, height: 768 },
  { width: 1_920, height: 1_080 },
  { width: 3_840, height: 2_160 },
] as const;
const [PHONE, NOTEBOOK, WALL, LARGE_WALL] = SIZES;

/** Fonts whose letters reach further above and below their line, as those of Windows do. */
const TALL = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    @font-face { font-family: Tall; src: local('DejaVu Sans'); ascent-override: 108%; descent-override: 26%; }
    :root { font-family: Tall !important; }\`);
  document.adoptedStyleSheets = [sheet];
}`;

describeInBrowser('Pages: forty drivers of many scripts', (browser) => {
  const api = useService();
  let crowd: Awaited<ReturnType<typeof createCrowd>>;
  before(async () => {
    crowd = await createCrowd(api.admin);
  });

  async function open(query = '', options: Parameters<typeof browser.open>[1] = {}): Promise<Page> {
    const page = await browser.open('about:blank', { reducedMotion: 'no-preference', ...options });
    await page.clock.install();
    await page.goto(`${api.service.url}/events/${crowd.eventId}${query}`);
    await ready(page);
    return page;
  }

  async function ready(page: Page): Promise<void> {
    await page
      .locator(ROWS)
      .nth(CROWD.length - 1)
      .waitFor({ state: 'attached' });
    await page.locator('.newest li').first().waitFor();
    await page.locator('[data-status=live]').waitFor();
  }

  for (const viewport of [WALL, LARGE_WALL]) {
    it(`are seen within 30 s on a wall, the first five always: ${viewport.width} pixels wide`, async () => {
      const page = await open('', { viewport });
      const seen = new Set<string>();
      const first = CROWD.slice(0, 5).map(([given, family]) => `${given} ${family}`);
      for (let second = 0; second < 30; second += 1) {
        const names = await seenNames(page, ROWS);
        expect(names.slice(0, 5)).to.deep.equal(first);
        for (const name of names) seen.add(name);
        await page.clock.runFor(1_000);
      }
      expect(seen.size).to.equal(CROWD.length);
      expect(await page.evaluate('document.documentElement.scrollHeight')).to.equal(viewport.height);
      expect(await page.getByRole('table').getByRole('row').count(), 'for screen readers').to.equal(CROWD.length + 1);
      await expectAccessible(page);
    });
  }

  it('are more at a time on a larger wall, on which everything is larger', async () => {
    const counts: number[] = [];
    const sizes: number[][] = [];
    for (const viewport of [WALL, LARGE_WALL]) {
      const page = await open('', { viewport });
      counts.push((await seenNames(page, ROWS)).length);
      const found: unknown =
        await page.evaluate(`['.standings .name', '.controls .button', '.controls .field', '.status']
        .map((at) => parseFloat(getComputedStyle(document.querySelector(at)).fontSize))`);
      sizes.push(found as number[]);
    }
    const [few = 0, many = 0] = counts;
    expect(few).to.be.at.least(13);
    expect(many).to.be.at.least(1.8 * few);
    for (const [n, size] of (sizes[0] ?? []).entries()) expect(sizes[1]?.[n]).to.be.at.least(1.5 * size);
  });

  it('are all in a list that scrolls with reduced motion, on request and on phones', async () => {
    for (const [query, options] of [
      ['', { viewport: WALL, reducedMotion: 'reduce' }],
      ['?pages=off', { viewport: WALL }],
      ['?pages=on', { viewport: PHONE }],
    ] as const) {
      const page = await open(query, options);
      const bottoms: unknown = await page.evaluate(`[...document.querySelectorAll('${ROWS}')]
        .map((row) => row.getBoundingClientRect().bottom)`);
      expect(bottoms).to.deep.equal([...(bottoms as number[])].sort((a, b) => a - b));
      expect(new Set(bottoms as number[]).size).to.equal(CROWD.length);
      expect(await page.evaluate('document.documentElement.scrollHeight > innerHeight')).to.equal(true);
    }
  });

  it('are never covered by the controls, not in full screen either', async () => {
    const page = await open('', { viewport: NOTEBOOK });
    const controls = page.locator('.controls');
    const expectApart = async (): Promise<void> => {
      const { y = 0, height = 0 } = (await controls.boundingBox()) ?? {};
      const covered: unknown = await page.evaluate(`[...document.querySelectorAll('${ROWS}')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top < ${y + height} && bottom > ${y};
      }).length`);
      expect(covered).to.equal(0);
    };
    await expectApart();
    await page.getByRole('button', { name: 'Full screen' }).click();
    await page.locator(':fullscreen .wall').waitFor();
    await controls.hover();
    await expectApart();
    await page.getByRole('combobox', { name: 'Rows' }).selectOption('off');
    await page.locator('.page:not(.wall)').waitFor();
    await page.getByRole('combobox', { name: 'Rows' }).focus();
    await expectApart();
  });

  it('have their layouts named with the track, and chosen from a list where tabs have no room', async () => {
    const page = await open('', { viewport: LARGE_WALL });
    const tabs = page.getByRole('tablist', { name: 'Track layouts' }).getByRole('tab');
    expect(await tabs.first().textContent()).to.equal('Nürburgring · Grand Prix');
    expect(await page.locator('.title p').textContent()).to.equal('Nürburgring · Grand Prix');
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      await page.locator('.chooser').first().waitFor();
      await expectNoOverflow(page);
    }
    await page.setViewportSize(PHONE);
    const chooser = page.getByRole('combobox', { name: 'Track layouts' });
    await chooser.waitFor();
    await chooser.selectOption({ label: 'Nürburgring · Sprint' });
    await page.getByText('No laps yet.').waitFor();
    await page.locator('.title p', { hasText: 'Nürburgring · Sprint' }).waitFor();
  });

  /** Expects that nothing of the tabs is outside of the window. */
  async function expectNoOverflow(page: Page): Promise<void> {
    const outside: unknown = await page.evaluate(`(async () => {
      for (let n = 0; n < 6; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      return [...document.querySelectorAll('.chooser, .chooser *')].filter((part) => {
        const { left, right } = part.getBoundingClientRect();
        return left < 0 || right > innerWidth || (part.matches('.tabs') && part.scrollWidth > part.clientWidth);
      }).length;
    })()`);
    expect(outside).to.equal(0);
  }

  it('are found on a phone by the beginnings of names, and the one who is followed stays on top', async () => {
    const page = await open('', { viewport: PHONE });
    const search = page.getByRole('searchbox', { name: 'Find a driver' });
    await search.fill('gze');
    await page.getByRole('button', { name: 'Follow Łukasz Gżegżółka' }).waitFor();
    const shown = page.locator(`${ROWS}:visible`);
    expect(await shown.count()).to.equal(1);
    await search.fill('nobody');
    await page.getByText('Nobody on this board has such a name.').waitFor();
    await search.fill('gze');
    await page.getByRole('button', { name: 'Follow Łukasz Gżegżółka' }).click();
    await page.waitForURL((url) => url.searchParams.get('driver') === crowd.participantIds[24]);
    expect(await shown.count()).to.equal(CROWD.length);
    const chosen = page.locator('.chosen');
    for (const at of [0, 600, 1_200]) {
      await page.evaluate(`new Promise((resolve) => { scrollTo(0, ${at}); requestAnimationFrame(resolve); })`);
      const faults: unknown = await page.evaluate(`(() => {
        const chosen = document.querySelector('.chosen').getBoundingClientRect();
        const headings = document.querySelector('thead').getBoundingClientRect().bottom;
        const above = [...document.querySelectorAll('${ROWS}:not(.chosen)')].map((row) => row.getBoundingClientRect())
          .filter(({ top, bottom }) => Math.min(bottom, chosen.top) - Math.max(top, headings) > 1);
        return { above: above.length, inside: chosen.top >= 0 && chosen.bottom <= innerHeight };
      })()`);
      expect(faults, `scrolled by ${at}`).to.deep.equal({ above: 0, inside: true });
    }
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(PHONE.width);
    await page.getByRole('button', { name: 'Stop following' }).click();
    await chosen.waitFor({ state: 'detached' });
    const lines: unknown = await page.evaluate(`(() => {
      const title = document.querySelector('h1 bdi');
      return Math.round(title.clientHeight / parseFloat(getComputedStyle(title).lineHeight));
    })()`);
    expect(lines, 'lines of the title').to.equal(2);
  });

  it('have sponsors beside them in one line, none of which is cut, however long the title', async () => {
    const page = await open('', { viewport: WALL });
    for (const viewport of [NOTEBOOK, WALL, LARGE_WALL]) {
      await page.setViewportSize(viewport);
      const faults: unknown = await page.evaluate(`(async () => {
        for (let n = 0; n < 6; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
        const list = document.querySelector('.sponsors ul');
        const box = list.getBoundingClientRect();
        const items = [...list.children].map((item) => item.getBoundingClientRect());
        const outside = items.filter(({ left, right }) => left < box.left - 1 || right > box.right + 1).length;
        return { outside, lines: new Set(items.map(({ top, height }) => Math.round(top + height / 2))).size, all: items.length };
      })()`);
      expect(faults, `${viewport.width} px wide`).to.deep.equal({ outside: 0, lines: 1, all: 9 });
    }
  });

  it('have a frame before they are there', async () => {
    const page = await browser.open('about:blank', { viewport: NOTEBOOK });
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/api/v1/events/${crowd.eventId}`, async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto(`${api.service.url}/events/${crowd.eventId}`);
    await page.locator('.frame').waitFor();
    await page.locator('main .frame .panel').first().waitFor();
    expect(await page.locator('main .message:visible').count(), 'no bare word').to.equal(0);
    answer();
    await ready(page);
    expect(await page.locator('.frame').count()).to.equal(0);
  });

  it('show the layouts that have laps in turn', async () => {
    await crowd.drive(7, 0, { trackId: crowd.layoutIds[2] ?? '' });
    const page = await open('?layouts=turn', { viewport: WALL });
    const title = page.locator('.title p');
    await page.clock.runFor(31_000);
    await title.filter({ hasText: 'Nordschleife' }).waitFor();
    await page.locator(ROWS).nth(1).waitFor({ state: 'detached' });
    await page.clock.runFor(21_000);
    await title.filter({ hasText: 'Grand Prix' }).waitFor();
    expect(new URL(page.url()).searchParams.get('layouts')).to.equal('turn');
    await page.getByRole('combobox', { name: 'Layouts shown' }).selectOption('stay');
    await page.waitForURL((url) => !url.searchParams.has('layouts'));
  });

  it('have last names that are whole among the newest laps, up to the longest in capitals', async () => {
    for (const viewport of SIZES) {
      const page = await open('', { viewport });
      const found: unknown = await page.evaluate(`[...document.querySelectorAll('.newest .family')]
        .filter((name) => [...name.textContent].length <= 21 && name.scrollWidth > name.clientWidth)
        .map((name) => name.textContent)`);
      expect(found, `${viewport.width} px wide`).to.deep.equal([]);
    }
  });

  for (const font of [...FONTS, 'of Windows']) {
    it(`have names that are whole, in ${font}, if it is installed`, async function () {
      const page = await browser.open('about:blank', { reducedMotion: 'no-preference' });
      if (font === 'of Windows') await page.addInitScript(TALL);
      else if (!(await hasFont(page, font))) this.skip();
      else await useFont(page, font);
      await page.goto(`${api.service.url}/events/${crowd.eventId}`);
      await ready(page);
      for (const viewport of SIZES) {
        await page.setViewportSize(viewport);
        const faults = await nameFaults(page, ROWS, viewport.width > 1_000 ? 30 : 10);
        expect(faults.slice(0, 5), `${viewport.width} px wide`).to.deep.equal([]);
      }
    });

    it(`have names that are whole over a video, in ${font}, if it is installed`, async function () {
      const page = await browser.open('about:blank');
      if (font === 'of Windows') await page.addInitScript(TALL);
      else if (!(await hasFont(page, font))) this.skip();
      else await useFont(page, font);
      await page.goto(`${api.service.url}/overlay/${crowd.eventId}?rows=40&columns=position,name,class,gap,best`);
      await page.locator('.ranking .class-badge').nth(39).waitFor();
      for (const viewport of SIZES) {
        await page.setViewportSize(viewport);
        const faults = await nameFaults(page, '.ranking tbody tr', viewport.width > 1_000 ? 30 : 0);
        expect(faults.slice(0, 5), `${viewport.width} px wide`).to.deep.equal([]);
      }
    });
  }
});
