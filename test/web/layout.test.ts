import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../src/kernel/json.ts';
import { idOf, type Client } from '../support/api/client.ts';
import { bodies, createVenue, enter } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';
import { describeInBrowser, expectAccessible, expectReadableColours } from '../support/web/browser.ts';

const DAY_MS = 86_400_000;

/** A layout with laps of now, of ten days ago and of two years ago, in two events. */
async function createLayout(admin: Client) {
  const venue = await createVenue(admin);
  const trackId = idOf(await admin.create('/api/v1/tracks', { ...bodies.track(), displayName: 'Monza' }));
  const layout = { ...bodies.trackLayout(trackId), displayName: 'Grand Prix' };
  const trackLayoutId = idOf(await admin.create('/api/v1/track-layouts', layout));
  const event = { ...bodies.event({ ...venue, trackLayoutId }), trackLayoutIds: [trackLayoutId] };
  const eventIds = [
    idOf(await venue.manager.create('/api/v1/events', event)),
    idOf(await venue.manager.create('/api/v1/events', event)),
  ] as const;
  const drive = async (participantId: string, totalTime: number, daysAgo: number, others: JsonObject = {}) =>
    venue.manager.create('/api/v1/laps', {
      ...bodies.lap({ ...venue, participantId, trackLayoutId, eventId: eventIds[0] }),
      totalTime,
      sectors: [totalTime],
      valid: true,
      drivenAt: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
      ...others,
    });
  const ada = await enter(admin, 'Ada', 'Lovelace');
  const niki = await enter(admin, 'Niki', 'Noda');
  await drive(ada, 91_000, 0);
  await drive(niki, 92_000, 0, { eventId: eventIds[1] });
  await drive(niki, 90_000, 800, { eventId: eventIds[1] });
  return { venue, trackLayoutId, eventIds, drive, ada, niki };
}

/** Waits until the first row is that of a driver. */
async function firstIs(page: Page, driver: RegExp): Promise<void> {
  await page.locator('tbody tr').first().filter({ hasText: driver }).waitFor();
}

describeInBrowser('Pages: the board of a layout', (browser) => {
  const api = useService();
  let made: Awaited<ReturnType<typeof createLayout>>;

  before(async () => {
    made = await createLayout(api.admin);
  });

  it('shows the best laps of all events of a time, which is chosen by tabs and kept in the address', async () => {
    const page = await browser.open(`${api.service.url}/layouts/${made.trackLayoutId}`);
    await page.getByRole('heading', { name: 'Monza · Grand Prix' }).waitFor();
    await firstIs(page, /Ada\s*Lovelace/);
    await page.getByRole('tab', { name: 'Ever' }).click();
    await firstIs(page, /Niki\s*Noda/);
    expect(page.url()).to.include('period=ever');
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectReadableColours(page);
    await page.reload();
    expect(await page.getByRole('tab', { name: 'Ever' }).getAttribute('aria-selected')).to.equal('true');
  });

  it('updates itself', async () => {
    const page = await browser.open(`${api.service.url}/layouts/${made.trackLayoutId}`);
    await firstIs(page, /Ada\s*Lovelace/);
    await made.drive(made.niki, 89_500, 0);
    await firstIs(page, /Niki\s*Noda/);
    await page.getByText('1:29.500').first().waitFor();
  });

  it('speaks German, looks like the venue of the licence in its address, and says what it does not know', async () => {
    const { licenseId, manager } = made.venue;
    await manager.change(`/api/v1/licenses/${licenseId}`, { accentColor: '#e4002b', timeZone: 'Asia/Tokyo' });
    await api.admin.change(`/api/v1/licenses/${licenseId}`, { displayName: 'Apex Arena' });
    const path = `/layouts/${made.trackLayoutId}?lang=de&license=${licenseId}&period=ever`;
    const page = await browser.open(api.service.url + path);
    await page.getByRole('tab', { name: 'Alle Zeiten' }).waitFor();
    await page.getByText('Apex Arena').waitFor();
    await firstIs(page, /Niki\s*Noda/);
    const accent = "document.documentElement.style.getPropertyValue('--venue-light')";
    expect(await page.evaluate(accent)).to.match(/^#[\da-f]{6}$/);
    await page.goto(`${api.service.url}/layouts/018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7eff`);
    await page.getByText('There is no such track layout').waitFor();
    await page.goto(`${api.service.url}/layouts/monza`);
    await page.getByText('does not name a track layout').waitFor();
  });

  it('is found from the board of an event', async () => {
    const page = await browser.open(`${api.service.url}/events/${made.eventIds[0]}`);
    await page.getByRole('link', { name: 'Best laps of this layout' }).click();
    await page.getByRole('heading', { name: 'Monza · Grand Prix' }).waitFor();
    expect(page.url()).to.include(`license=${made.venue.licenseId}`);
  });
});
