import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { gap } from '../../src/clients/web/shared/times.ts';
import { useService } from '../support/api/with-service.ts';
import { textOf } from '../support/api/client.ts';
import { shownBoard } from '../support/api/leaderboard.ts';
import { describeInBrowser, expectAccessible, expectReadableColours } from '../support/web/browser.ts';
import { contentOf, createEvening, type Evening } from '../support/web/evening.ts';

/** The names on the board, in order. */
function names(page: Page): Promise<string[]> {
  return page.locator('.standings tbody .driver .name').allTextContents();
}

/** The names on the board at the moment when the page first calls it live. */
async function namesOnceLive(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`globalThis.onceLive = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('[data-status=live]') === null) return;
      observer.disconnect();
      resolve([...document.querySelectorAll('.standings tbody .driver .name')].map(({ textContent }) => textContent));
    });
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  }); undefined`);
  return () => page.evaluate('globalThis.onceLive');
}

describeInBrowser('Pages: the board of an event', (browser) => {
  const api = useService();
  let evening: Evening;
  before(async () => {
    evening = await createEvening(api.admin);
  });

  /** Opens the board, and waits until it is live. */
  async function open(query = '', options: Parameters<typeof browser.open>[1] = {}): Promise<Page> {
    const page = await browser.open(`${api.service.url}/events/${evening.eventId}${query}`, options);
    await page.locator('.standings tbody tr').first().waitFor();
    await page.locator('[data-status=live]').waitFor();
    return page;
  }

  async function boardOfApi(query = ''): Promise<readonly string[]> {
    const body = await api.anyone.read(`/api/v1/events/${evening.eventId}/leaderboard${query}`);
    return shownBoard(body).rows.map((row) => textOf(row, 'participantName'));
  }

  /** When the third lap of the evening was recorded (ISO 8601). */
  async function thirdLapAt(): Promise<string> {
    const body = await api.anyone.read(`/api/v1/laps/paged?eventId=${evening.eventId}&sort=createdAt&size=3`);
    return textOf(contentOf(body)[2], 'createdAt');
  }

  it('shows what the API has: rows, gaps, sectors, last laps, rigs, sponsors', async () => {
    const page = await open();
    await page.locator('.newest li').first().waitFor();
    expect(await names(page)).to.deep.equal(await boardOfApi());
    const first = page.locator('.standings tbody tr').nth(1);
    expect(await first.locator('td.best').textContent()).to.match(/^2:17\.468 lap \d+$/);
    expect(await first.locator('td.gap').textContent()).to.equal('+0.143');
    expect(await first.locator('td.sector').nth(1).textContent()).to.contain('56.895 overall best');
    expect(await first.locator('.class-badge').textContent()).to.equal('GT41');
    expect(await first.locator('td.other').textContent()).to.equal('+0.143');
    expect(await page.locator('.title p').textContent()).to.equal('Spa-Francorchamps · Grand Prix');
    expect(await page.locator('.newest li').count()).to.equal(10);
    expect(await page.locator('.newest li.invalid').textContent()).to.contain('invalid');
    expect(await page.locator('.rigs dt').allTextContents()).to.deep.equal([
      'Rig 1 window',
      'Rig 2 centre',
      'Rig 3 wall',
    ]);
    expect(await page.locator('.sponsors img').getAttribute('alt')).to.equal('Apex Tyres');
    expect(await page.getByRole('link', { name: 'Kerb Coffee' }).getAttribute('rel')).to.contain('noopener');
    expect(await page.title()).to.equal('GT Hotlap Challenge');
  });

  it('shows in colours what has just improved, and then only the overall bests', async () => {
    const page = await browser.open('about:blank');
    await page.clock.install();
    await page.goto(`${api.service.url}/events/${evening.eventId}`);
    const row = page.locator('.standings tbody tr', { hasText: 'Sofía Carrascal' });
    await row.locator('.time.green').first().waitFor();
    const ofOneLap = page.locator('.standings tbody tr', { hasText: 'Imogen Farrow' });
    expect(await ofOneLap.locator('.time:is(.green, .yellow)').count(), 'one lap is no improvement').to.equal(0);
    await page.clock.runFor(125_000);
    await row.locator('.time.green').first().waitFor({ state: 'detached' });
    expect(await page.locator('.standings tbody .time:is(.green, .yellow)').count()).to.equal(0);
    expect(await page.locator('.standings tbody .time.purple').count()).to.be.above(0);
  });

  it('shows the places that a driver has won', async () => {
    const page = await open();
    await evening.drive(9, [41_600, 57_300, 39_200]);
    const row = page.locator('.standings tbody tr', { hasText: 'Imogen Farrow' });
    await row.locator('.won').waitFor();
    const [position = '', won = ''] = (await row.locator('.position').allInnerTexts()).join().split('▲');
    expect(Number(position) + Number.parseInt(won)).to.equal(10);
  });

  it('counts down to the start', async () => {
    const path = `/api/v1/events/${evening.eventId}`;
    const { startsAt = null } = await api.anyone.read(path);
    await api.admin.change(path, { startsAt: new Date(Date.now() + 3_600_000).toISOString() });
    const page = await browser.open(`${api.service.url}/events/${evening.eventId}`);
    await page
      .getByRole('timer')
      .getByText(/^Starts in (1:00|59):\d\d/)
      .waitFor();
    await expectAccessible(page);
    await api.admin.change(path, { startsAt });
  });

  it('has no places in a class on the board of one class', async () => {
    const page = await open();
    await page.getByRole('tab', { name: 'GT4', exact: true }).click();
    await page.locator('.class-badge').first().waitFor({ state: 'detached' });
  });

  for (const lang of ['en', 'de']) {
    it(`is readable for everybody in both themes, and fits phones, desktops and TVs: ${lang}`, async () => {
      const page = await open(`?lang=${lang}`, { colorScheme: 'light' });
      await page.locator('.newest li').first().waitFor();
      await expectReadableColours(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      for (const [name, viewport] of Object.entries({
        phone: { width: 390, height: 844 },
        desktop: { width: 1_440, height: 900 },
        tv: { width: 1_920, height: 1_080 },
      })) {
        await page.setViewportSize(viewport);
        if (lang === 'en' || name === 'phone') await expectAccessible(page);
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).to.equal(viewport.width);
      }
    });
  }

  for (const [width, height] of [
    [412, 823],
    [900, 700],
    [1_440, 900],
    [1_920, 1_080],
  ] as const) {
    it(`hardly moves while it loads: ${width} pixels wide`, async () => {
      const page = await open('', { viewport: { width, height } });
      await page.locator('.newest li').first().waitFor();
      await page.locator('.sponsors img').waitFor();
      // The first paint comes with whatever has moved before; 0.1 is what web.dev calls good.
      const moved = await page.evaluate(`new Promise((resolve) => {
        const observer = new PerformanceObserver((list) => {
          resolve(list.getEntries().reduce((sum, { value = 0 }) => sum + value, 0));
        });
        for (const type of ['layout-shift', 'paint']) observer.observe({ type, buffered: true });
      })`);
      expect(moved).to.be.at.most(0.1);
    });
  }

  it('shows a lap after its POST, and who leads now', async () => {
    const page = await open();
    const lap = { participantId: evening.drivers[5]?.participantId ?? '' };
    await evening.drive(5, [40_900, 56_500, 38_600], lap);
    await page.locator('.standings tbody tr').first().getByText('2:16.000').first().waitFor();
    expect((await names(page))[0]).to.equal('Sofía Carrascal');
    await page.locator('[aria-live=polite]', { hasText: /^Sofía Carrascal leads with 2:16.000.$/ }).waitFor();
    expect(await names(page)).to.deep.equal(await boardOfApi());
    expect(await page.locator('.newest li .name').first().textContent()).to.equal('Sofía Carrascal');
  });

  it('shows the last lap of every driver, even if others have driven more laps since than it lists', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, n) => evening.drive(0, [50_000, 60_000, 40_000 + n])));
    await evening.drive(0, [50_000, 60_000, 40_100]);
    const page = await open();
    await page.locator('.standings tbody tr').nth(1).waitFor();
    const last = await page.locator('.standings tbody td.last').allTextContents();
    expect(last).to.have.lengthOf((await names(page)).length);
    for (const text of last) expect(text).to.match(/\d:\d\d\.\d{3}/);
    expect(last).to.include('2:30.100');
  });

  it('follows corrections: an invalidated lap, a new name', async () => {
    const page = await open();
    const lap = await evening.drive(6, [40_000, 56_000, 38_000]);
    await page.locator('.standings tbody tr').first().getByText('2:14.000').first().waitFor();
    await api.admin.change(`/api/v1/laps/${textOf(lap, 'id')}`, { valid: false });
    await page.locator('.newest li').first().getByText('invalid').first().waitFor();
    const { participantId = '' } = evening.drivers[6] ?? {};
    await api.admin.change(`/api/v1/participants/${participantId}`, { firstName: 'Haru' });
    await page.locator('.standings').getByText('Haru Minamida').waitFor();
    expect(await names(page)).to.deep.equal(await boardOfApi());
    await api.admin.change(`/api/v1/participants/${participantId}`, { firstName: 'Haruto' });
    await page.locator('.standings').getByText('Haruto Minamida').waitFor();
  });

  it('works with the keyboard alone, and keeps the choices in its address', async () => {
    const page = await open();
    const layouts = page.getByRole('tablist', { name: 'Track layouts' });
    await layouts.getByRole('tab', { selected: true }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('No laps yet.').waitFor();
    const tops = `[...document.querySelectorAll('.standings thead th')].map((th) => th.getBoundingClientRect().top)`;
    expect(await page.evaluate(`new Set(${tops}).size`), 'columns are where they belong').to.equal(1);
    expect(page.url()).to.contain(`layout=${evening.layoutIds[1]}`);
    expect(await layouts.getByRole('tab', { selected: true }).textContent()).to.equal('Spa-Francorchamps · Endurance');
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.waitForURL((url) => url.searchParams.has('class'));
    await page.locator('.standings tbody tr:nth-child(6):last-child').waitFor();
    const { searchParams } = new URL(page.url());
    const query = `?carClassId=${searchParams.get('class') ?? ''}&trackLayoutId=${searchParams.get('layout') ?? ''}`;
    expect(await names(page)).to.deep.equal(await boardOfApi(query));
    const again = await browser.open(page.url());
    await again.locator('.standings tbody tr').nth(5).waitFor();
    expect(await names(again)).to.deep.equal(await names(page));
  });

  it('has a line below each row on a full HD screen', async () => {
    const page = await open('', { viewport: { width: 1_920, height: 1_080 } });
    await page.locator('.newest li').first().waitFor();
    const picture = (await page.screenshot()).toString('base64');
    const { x = 0, y = 0, height = 0 } = (await page.locator('.standings tbody').boundingBox()) ?? {};
    const viewer = await browser.tab();
    const lines: unknown = await viewer.evaluate(`(async () => {
      const picture = await createImageBitmap(await (await fetch('data:image/png;base64,${picture}')).blob());
      const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
      canvas.drawImage(picture, 0, 0);
      const { data } = canvas.getImageData(${Math.round(x) + 300}, ${Math.round(y)}, 1, ${Math.floor(height)});
      return [...Array(${Math.floor(height)}).keys()].filter((n) => data.slice(4 * n, 4 * n + 3).join() === '211,215,222').length;
    })()`);
    expect(lines).to.equal((await names(page)).length - 1);
  });

  it('hides its controls in full screen, whose button was clicked', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Full screen' }).click();
    await page.locator(':fullscreen').first().waitFor();
    await page.mouse.move(5, 5);
    const opacity = `getComputedStyle(document.querySelector('.controls')).opacity`;
    expect(await page.evaluate(opacity)).to.equal('0');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(opacity)).to.equal('1');
  });

  it('shows gaps to the next, too', async () => {
    const page = await open('?gap=next');
    const gaps = await page.locator('.standings tbody td.gap').allTextContents();
    const body = await api.anyone.read(`/api/v1/events/${evening.eventId}/leaderboard`);
    const times = shownBoard(body).rows.map(({ gapToNext }) => gap(gapToNext === null ? null : Number(gapToNext)));
    expect(gaps).to.deep.equal(times);
    await page.getByRole('combobox', { name: 'Gap' }).selectOption('leader');
    await page.waitForURL((url) => !url.searchParams.has('gap'));
  });

  it('goes back in time, replays from there, pauses, and is not called live before it is live again', async () => {
    const page = await open();
    const now = await names(page);
    const third = await thirdLapAt();
    await page.goto(`${page.url()}?at=${third}`);
    await page.locator('[data-status=past]').waitFor();
    expect(await names(page)).to.deep.equal(await boardOfApi(`?asOf=${third}`));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Replay from here' }).click();
    await page.locator('[data-status=replay]').waitFor();
    expect(await page.locator('.status').textContent()).to.contain('Replay ×1');
    const begun = new URL(page.url()).searchParams.get('at');
    await page.getByRole('tab', { name: 'GT3' }).click();
    await page.waitForURL((url) => url.searchParams.has('class') && url.searchParams.get('at') !== begun);
    await page.getByRole('tab', { name: 'All classes' }).click();
    await page.locator('[data-status=replay]').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('[data-status=past]').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page
      .locator('.standings tbody tr')
      .nth(now.length - 1)
      .waitFor();
    const onceLive = await namesOnceLive(page);
    await page.getByRole('button', { name: 'Back to live' }).click();
    expect(await onceLive()).to.deep.equal(now);
    await page.waitForURL((url) => !url.searchParams.has('at'));
  });

  it('goes back in time from lap to lap with the arrow keys of its slider, and pauses', async () => {
    const page = await open();
    // It is disabled until the first laps have arrived.
    const slider = page.getByRole('slider', { name: 'Back in time', disabled: false });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.locator('[data-status=past]').waitFor();
    await page.waitForURL((url) => url.searchParams.has('at'));
    await page.keyboard.press('End');
    await page.locator('[data-status=live]').waitFor();
    const body = await api.anyone.read(`/api/v1/laps/paged?eventId=${evening.eventId}&sort=createdAt,desc&size=6`);
    const moments = [...new Set(contentOf(body).map((lap) => textOf(lap, 'createdAt')))];
    for (const moment of moments.slice(0, 3)) {
      await page.keyboard.press('ArrowLeft');
      await page.waitForURL((url) => url.searchParams.get('at') === moment);
    }
    await page.locator('[data-status=past]').waitFor();
    expect(await names(page)).to.deep.equal(await boardOfApi(`?asOf=${moments[2] ?? ''}`));
    expect(await page.locator('.time-bar output').textContent()).to.match(/\d\d:\d\d:\d\d$/);
    await page.getByRole('button', { name: 'Back to live' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.status', { hasText: 'Paused' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('[data-status=live], [data-status=replay]').waitFor();
  });

  it('delays everything as chosen, and says so', async () => {
    const page = await open();
    await page.getByRole('combobox', { name: 'Delay' }).selectOption('5');
    await page.locator('.status', { hasText: '5 s delay' }).waitFor();
    expect(new URL(page.url()).searchParams.get('delay')).to.equal('5');
    const before = Date.now();
    await evening.drive(11, [42_000, 57_500, 40_300], { rigId: evening.rigIds[0] ?? '' });
    await page.locator('.standings').getByText('2:19.800').first().waitFor();
    expect(Date.now() - before).to.be.at.least(5_000);
  });

  it('shows times in the requested zone and language', async () => {
    const path = `/events/${evening.eventId}?tz=America/New_York&lang=de&at=2026-01-22T23:30:00Z`;
    const page = await browser.open(api.service.url + path);
    await page.getByText('Stand 22.01.2026, 18:30').waitFor();
    await page.getByText('Noch keine Runden.').waitFor();
    expect(await page.locator('h1').textContent()).to.equal('GT-Hotlap-Abend');
  });

  it('says that there is no such event, or that an address has no id', async () => {
    const headings = {
      '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06': 'There is no such event.',
      nonsense: 'The address does not contain a valid event id.',
    };
    for (const [id, name] of Object.entries(headings)) {
      const page = await browser.open(`${api.service.url}/events/${id}`);
      await page.getByRole('heading', { name }).waitFor();
      if (id === 'nonsense') await expectAccessible(page);
    }
  });

  it('is current again after it was in the background, where no frames are drawn', async () => {
    const page = await open();
    await page.evaluate(`window.held = []; window.draw = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (frame) => window.held.push(frame)`);
    // Frames that were asked for before are drawn first.
    await page.evaluate('new Promise((drawn) => window.draw(() => window.draw(drawn)))');
    for (const last of [38_900, 38_800, 38_700]) await evening.drive(3, [41_000, 56_000, last]);
    expect(await names(page)).not.to.deep.equal(await boardOfApi());
    await page.evaluate('window.requestAnimationFrame = window.draw; window.held.forEach(window.draw)');
    await page.locator('.standings').getByText('2:15.700').first().waitFor();
    expect(await names(page)).to.deep.equal(await boardOfApi());
  });

  it('catches up when it was too slow', async () => {
    const page = await open();
    const drive = (n: number) => evening.drive(n % 12, [41_500 + n, 57_000, 39_000 - 10 * n]);
    await page.route('**/held', async (route) => {
      await Promise.all(Array.from({ length: 29 }, (_, n) => drive(n)));
      await drive(29);
      await route.fulfill();
    });
    // Until it is answered, the page does nothing else.
    await page.evaluate(`{
      const request = new XMLHttpRequest();
      request.open('GET', '/held', false);
      request.send();
    }`);
    await page.locator('.newest li').first().getByText('2:17.239').waitFor();
    expect(await names(page)).to.deep.equal(await boardOfApi());
  });

  it('moves rows to their new places', async () => {
    const page = await open('', { reducedMotion: 'no-preference' });
    await page.evaluate(`window.moves = []; const animate = Element.prototype.animate;
      Element.prototype.animate = function (...args) { window.moves.push(args[0][0]); return animate.apply(this, args); }`);
    await evening.drive(10, [40_500, 55_900, 38_300]);
    await page.locator('.standings tbody tr').first().getByText('2:14.700').first().waitFor();
    const moves = String(await page.evaluate('JSON.stringify(window.moves)'));
    for (const move of [/translateY\(\d/, /translateY\(-\d/, /backgroundColor/]) expect(moves).to.match(move);
  });
});
