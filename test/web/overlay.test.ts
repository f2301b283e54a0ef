import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useService } from '../support/api/with-service.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';
import { createEvening, type Evening } from '../support/web/evening.ts';

const viewport = { width: 1_280, height: 720 };

describeInBrowser('Pages: the overlay of an event', (browser) => {
  const api = useService();
  let evening: Evening;
  before(async () => {
    evening = await createEvening(api.admin);
  });

  async function open(query = ''): Promise<Page> {
    const page = await browser.open(`${api.service.url}/overlay/${evening.eventId}${query}`, { viewport });
    await page.locator('.ranking tbody tr').first().waitFor();
    return page;
  }

  it('shows the requested rows and columns on a transparent page that never scrolls', async () => {
    const page = await open('?rows=3&columns=name,best,sectors&scale=2');
    expect(await page.locator('.ranking tbody tr').count()).to.equal(3);
    expect(await page.locator('.ranking tbody tr').first().locator('td').allTextContents()).to.deep.equal([
      'Matteo Bellandi',
      '2:17.325',
      '◆41.212 overall best57.390◆38.723 overall best',
    ]);
    expect(await page.locator('.ranking td.sectors').nth(1).textContent(), 'somebody who has improved').to.equal(
      '41.560◆56.895 overall best▲39.013 personal best',
    );
    const backgrounds =
      '["html", "body", "#app", ".look"].map((at) => getComputedStyle(document.querySelector(at)).backgroundColor)';
    expect(await page.evaluate(backgrounds)).to.deep.equal(Array(4).fill('rgba(0, 0, 0, 0)'));
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).to.equal('light');
    }
    expect(await page.evaluate('getComputedStyle(document.documentElement).overflow')).to.equal('hidden');
    expect(await page.evaluate('getComputedStyle(document.querySelector(".look")).fontSize')).to.equal('40px');
  });

  it('is readable for everybody in each of its themes', async () => {
    // White text without a background, as `none` has it, lies over any video.
    for (const theme of ['dark', 'light']) {
      const page = await open(`?theme=${theme}&columns=position,name,gap,best,last,sectors`);
      await page.locator('.ranking td.last .time').first().waitFor();
      await expectAccessible(page);
    }
  });

  it('shows all rows in turn', async () => {
    const page = await browser.open('about:blank', { viewport });
    await page.clock.install();
    await page.goto(`${api.service.url}/overlay/${evening.eventId}?rows=5&pages=on`);
    await page.locator('.ranking tbody tr').nth(4).waitFor();
    const seen = new Set<string>();
    for (let second = 0; second < 31; second += 1) {
      const names = await page.locator('.ranking tbody td.name').allTextContents();
      expect(names).to.have.length(5);
      for (const name of names) seen.add(name);
      await page.clock.runFor(1_000);
    }
    expect(seen.size).to.equal(evening.drivers.length);
  });

  it('shows the rows around a driver, whom it marks', async () => {
    const page = await open(
      `?rows=3&driver=${evening.drivers[5]?.participantId ?? ''}&columns=position,code,car,class`,
    );
    await page.locator('.class-badge').nth(2).waitFor();
    const rows = await page.locator('.ranking tbody tr').allTextContents();
    expect(rows.map((row) => row.replaceAll(/Maker \w+ /g, ' '))).to.deep.equal([
      '5VERDaan Verhoeven Ferrari 296 GT3GT33',
      '6CARSofía Carrascal Porsche 718 GT4GT43',
      '7MINHaruto Minamida Ferrari 296 GT3GT34',
    ]);
    expect(await page.locator('.ranking .chosen .position').textContent()).to.equal('6');
  });

  it('has the event, its layout and the headings of columns above them on request, which line up', async () => {
    const page = await open('?header=on&columns=position,name,gap,interval,best,last');
    await page.locator('.header', { hasText: 'Spa-Francorchamps · Grand Prix' }).waitFor();
    expect(await page.locator('.header h1').textContent()).to.equal('GT Hotlap Challenge');
    const edges: unknown = await page.evaluate(`[...document.querySelectorAll('.ranking tr')].map((row) =>
      [...row.children].map((cell) => cell.getBoundingClientRect().right).join())`);
    expect(new Set(edges as string[]).size, 'one right edge for each column').to.equal(1);
    const widths: unknown = await page.evaluate(`['.header', '.ranking'].map((at) =>
      Math.round(document.querySelector(at).getBoundingClientRect().width))`);
    expect(new Set(widths as number[]).size).to.equal(1);
    await expectAccessible(page);
  });

  it('announces a new best lap for some seconds', async () => {
    const page = await open('?lang=de');
    await page.clock.install();
    const third = page.locator('.lower-third');
    expect(await third.getAttribute('aria-hidden')).to.equal('true');
    await evening.drive(2, [41_000, 56_800, 38_700]);
    await page.locator('.lower-third.shown', { hasText: 'Oliver Thackeray' }).waitFor();
    expect(await third.textContent()).to.match(/Neue Bestzeit.*2:16\.500.*0\.825 s schneller/s);
    await page.clock.fastForward(8_000);
    await page.locator('.lower-third:not(.shown)').waitFor({ state: 'attached' });
    await evening.drive(3, [42_000, 57_800, 39_700]);
    await page.locator('.ranking td.name').first().getByText('Oliver Thackeray').waitFor();
    expect(await third.getAttribute('class')).to.equal('lower-third');
  });

  it('says that there is no such event, and asks no more', async () => {
    const page = await browser.open('about:blank', { viewport });
    const refusal = page.waitForResponse((response) => response.request().method() === 'HEAD');
    await page.goto(`${api.service.url}/overlay/018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06`);
    expect((await refusal).status()).to.equal(404);
    await page.getByText('There is no such event.').waitFor();
    expect(await page.locator('.ranking').count()).to.equal(0);
  });

  it('falls back for an invalid parameter, and says so in a comment only', async () => {
    const page = await open('?rows=many&theme=pink&columns=name,beer&lowerThird=off');
    expect(await page.locator('.ranking tbody tr').count()).to.equal(10);
    expect(await page.locator('.lower-third').count(), 'off').to.equal(0);
    const comments = '[...document.body.childNodes].filter(({ nodeType }) => nodeType === 8).map(({ data }) => data)';
    expect(await page.evaluate(comments)).to.deep.equal(
      ['rows', 'columns', 'theme'].map((name) => `The parameter ${name} makes no sense and counts as left out.`),
    );
  });
});
