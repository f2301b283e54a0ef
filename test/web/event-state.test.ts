import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { textOf } from '../support/api/client.ts';
import { useVenue } from '../support/api/with-service.ts';
import { adminOf, press } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';

describeInBrowser('Pages: whether an event is to come, goes on, or is over', (browser) => {
  const api = useVenue();
  let path = '';

  beforeEach(async () => {
    path = `/api/v1/events/${api.venue.eventId}`;
    await api.admin.change(path, { startsAt: '2026-05-01T18:00:00Z', endsAt: null, finishedAt: null });
  });

  const shown = (page: Page, text: string) => page.locator('[data-state]', { hasText: text }).waitFor();

  it('shows on the board and the overlay at once', async () => {
    const pages = await Promise.all(
      [`/events/${api.venue.eventId}`, `/overlay/${api.venue.eventId}`].map((address) =>
        browser.open(api.service.url + address),
      ),
    );
    for (const [change, text] of [
      [{}, 'Live'],
      [{ finishedAt: new Date().toISOString() }, 'Finished'],
      [{ finishedAt: null }, 'Live'],
      [{ startsAt: '2036-05-01T18:00:00Z' }, 'Upcoming'],
    ] as const) {
      await api.admin.change(path, change);
      for (const page of pages) await shown(page, text);
    }
    for (const page of pages) await expectAccessible(page);
  });

  it('changes when the moment comes, on the list of events too', async () => {
    const addresses = [`/events/${api.venue.eventId}?lang=de`, `/overlay/${api.venue.eventId}?lang=de`, '/?lang=de'];
    const pages = await Promise.all(addresses.map((address) => browser.open(api.service.url + address)));
    const [board, overlay, list] = pages;
    if (board === undefined || overlay === undefined || list === undefined) throw new Error('a page is missing');
    for (const page of [board, overlay]) await shown(page, 'Live');
    await api.admin.change(path, { endsAt: new Date(Date.now() + 2_000).toISOString() });
    await list.reload();
    for (const page of [board, overlay]) await shown(page, 'Beendet');
    await list.locator('.events .state', { hasText: 'Beendet' }).waitFor();
    expect(await board.locator('.status').textContent()).not.to.include('Live');
    await expectAccessible(list);
  });

  it('is changed by the administration: Finish, and Reopen', async () => {
    const page = await adminOf(browser, api)(`/events/${api.venue.eventId}`);
    await shown(page, 'Live');
    await press(page, 'Finish');
    await page.locator('dialog').getByRole('button', { name: 'Finish' }).click();
    await shown(page, 'Finished');
    await expectAccessible(page);
    const finishedAt = textOf(await api.anyone.read(path), 'finishedAt');
    expect(Math.abs(Date.parse(finishedAt) - Date.now())).to.be.below(60_000);
    await press(page, 'Reopen');
    await page.locator('dialog').getByRole('button', { name: 'Reopen' }).click();
    await shown(page, 'Live');
    expect(await api.anyone.read(path)).to.include({ finishedAt: null });
  });
});
