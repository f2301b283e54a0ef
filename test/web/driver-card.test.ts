import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { bestOfCars, numberedLaps } from '../../src/clients/web/board/driver-laps.ts';
import { idOf } from '../support/api/client.ts';
import { useService } from '../support/api/with-service.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';
import { createCrowd } from '../support/web/crowd.ts';

describe('Pages: the laps of a driver', () => {
  const lap = (id: string, totalTime: number, car: string, valid = true) => ({
    id,
    totalTime,
    car,
    valid,
    sectors: [],
    drivenAt: '2026-05-01T20:00:00.000Z',
  });

  it('are numbered from the first that was driven, also where only the newest are read', () => {
    const numbers = numberedLaps([lap('c', 3, 'x'), lap('b', 2, 'x'), lap('a', 1, 'x')], 3);
    expect(numbers.map(({ id, number }) => `${id}${number}`)).to.deep.equal(['c3', 'b2', 'a1']);
    expect(numberedLaps([lap('c', 3, 'x')], 40).map(({ number }) => number)).to.deep.equal([40]);
  });

  it('have a best with each car, of the valid ones the first', () => {
    const laps = numberedLaps(
      [lap('e', 5, 'x'), lap('d', 9, 'y'), lap('c', 5, 'x'), lap('b', 4, 'x', false), lap('a', 3, 'y', false)],
      5,
    );
    expect(bestOfCars(laps).map(({ id }) => id)).to.deep.equal(['c', 'd']);
  });
});

describeInBrowser('Pages: the laps of a driver over the board', (browser) => {
  const api = useService();
  let crowd: Awaited<ReturnType<typeof createCrowd>>;
  const DRIVER = 24;

  before(async () => {
    crowd = await createCrowd(api.admin);
    const drivenAt = (second: number): string => new Date(Date.now() - 60_000 + 1_000 * second).toISOString();
    await crowd.drive(DRIVER, 500, { drivenAt: drivenAt(1) });
    await crowd.drive(DRIVER, 100, { drivenAt: drivenAt(2), valid: false });
    await crowd.drive(DRIVER, 900, { drivenAt: drivenAt(3), carId: crowd.carIds[1] ?? '' });
  });

  async function open(viewport: { readonly width: number; readonly height: number }): Promise<Page> {
    const page = await browser.open(`${api.service.url}/events/${crowd.eventId}`, { viewport });
    await page.locator('[data-status=live]').waitFor();
    await page.locator('.standings tbody tr').nth(39).waitFor({ state: 'attached' });
    return page;
  }

  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1_920, height: 1_080 },
  ]) {
    it(`are shown after a tap on the name, with the best of each car: ${viewport.width} pixels wide`, async () => {
      const page = await open(viewport);
      const name = page.getByRole('button', { name: 'Łukasz Gżegżółka' });
      await name.focus();
      await page.keyboard.press('Enter');
      const card = page.getByRole('dialog', { name: 'Łukasz Gżegżółka' });
      await card.getByText('3 of 4 laps are valid; only these count.').waitFor();
      const rows = card.locator('tbody tr');
      await rows.nth(3).waitFor();
      expect(await rows.locator('th').allTextContents()).to.deep.equal(['4', '3', '2', '1']);
      expect(await card.locator('.invalid').textContent())
        .to.include('1:38.100')
        .and.include('invalid');
      const bests = await card.locator('.bests dd').allTextContents();
      expect(bests).to.have.length(2);
      expect(bests[0]).to.match(/^1:38\.500 lap \d$/);
      await expectAccessible(page);
      const outside: unknown = await page.evaluate(`[...document.querySelectorAll('.driver-card *')]
        .filter((part) => part.getBoundingClientRect().right > innerWidth).length`);
      expect(outside).to.equal(0);
      await page.keyboard.press('Escape');
      await card.waitFor({ state: 'detached' });
    });
  }

  it('follow the board while they are shown, and explain its numbers of laps', async () => {
    const page = await open({ width: 1_366, height: 768 });
    const row = page.locator('.standings tbody tr', { hasText: 'Gżegżółka' });
    expect(await row.locator('.laps span').getAttribute('title')).to.equal('3 of 4 laps are valid; only these count.');
    await row.getByRole('button').click();
    const card = page.getByRole('dialog');
    await card.locator('tbody tr').nth(3).waitFor();
    const lapId = idOf(await crowd.drive(DRIVER, 50));
    await card.locator('tbody tr').nth(4).waitFor();
    await card.getByText('4 of 5 laps are valid').waitFor();
    expect(await card.locator('tbody tr').first().textContent()).to.include('1:38.050');
    await api.admin.change(`/api/v1/laps/${lapId}`, { valid: false });
    await card.getByText('3 of 5 laps are valid').waitFor();
    await card.locator('tbody tr.invalid').nth(1).waitFor();
  });
});
