import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { shownBoard } from '../support/api/leaderboard.ts';
import { textOf, type Client } from '../support/api/client.ts';
import { World } from '../support/processes/world.ts';
import { describeInBrowser } from '../support/web/browser.ts';
import { contentOf, createEvening } from '../support/web/evening.ts';

describeInBrowser('Pages: a service that is killed while a board is watched', (browser) => {
  const world = new World();
  afterEach(() => world.clean());

  async function expectAsApi(page: Page, { admin, eventId }: { readonly admin: Client; readonly eventId: string }) {
    const { rows } = shownBoard(await admin.read(`/api/v1/events/${eventId}/leaderboard`));
    const shown = await page.locator('.standings tbody tr').all();
    const texts = await Promise.all(
      shown.map(async (row) => [
        await row.locator('.driver .name').textContent(),
        await row.locator('.laps').textContent(),
      ]),
    );
    const expected = rows.map((row) => {
      const laps = Number(row['laps']);
      const validLaps = Number(row['validLaps']);
      const count = laps === validLaps ? String(laps) : `${validLaps}/${laps}`;
      return [textOf(row, 'participantName'), count];
    });
    expect(texts).to.deep.equal(expected);
    const laps = await admin.read(`/api/v1/laps/paged?eventId=${eventId}&sort=createdAt,desc&size=10`);
    const names = contentOf(laps).map((lap) => textOf(lap, 'participantName'));
    expect(await page.locator('.newest .name').allTextContents()).to.deep.equal(names);
  }

  it('resumes where it was: no row or lap is lost or doubled, and it says what it does', async () => {
    const dataDir = world.directory();
    const first = await world.service({ dataDir });
    const evening = await createEvening(first.admin);
    const { eventId, drive } = evening;
    const page = await browser.open(`${first.url}/events/${eventId}`);
    await page.locator('[data-status=live]').waitFor();
    await page.locator('.newest li').first().waitFor();
    for (const driver of [3, 4, 5]) await drive(driver, [41_300, 56_900, 39_000 + driver]);
    await first.process.end('SIGKILL');
    await page.locator('[data-status=reconnecting]').waitFor();
    const { admin } = await world.service({ dataDir, env: { PORT: String(first.port) } });
    // While the page waits for its next attempt, more is driven.
    for (const driver of [6, 7, 8]) await drive(driver, [41_200, 56_800, 39_000 + driver]);
    await page.locator('[data-status=live], [data-status=behind]').waitFor();
    await drive(9, [41_100, 56_700, 38_900]);
    await page.locator('.standings tbody tr').first().getByText('2:16.700').first().waitFor();
    await expectAsApi(page, { admin, eventId });
  });
});
