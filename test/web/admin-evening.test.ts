import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useService } from '../support/api/with-service.ts';
import { adminOf, fillIn, press } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';

/** Adds a record on the page of its resource, from the menu; returns its id. */
async function add(page: Page, title: string, values: Readonly<Record<string, string>>): Promise<string> {
  await page.locator('.menu').getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('link', { name: 'Add' }).click();
  await fillIn(page, values, 'Create');
  await page.waitForURL(/[0-9a-f]{8}-[0-9a-f-]{27}$/);
  return page.url().split('/').at(-1) ?? '';
}

describeInBrowser("Pages: an admin's evening", (browser) => {
  const api = useService();

  it('goes from an empty store to results by clicks alone', async () => {
    const page = await adminOf(browser, api)();
    await page.locator('.menu').getByRole('link', { name: 'Simulators' }).click();
    await page.getByText('Nothing here yet').waitFor();
    await add(page, 'Simulators', {
      'Display name': 'Assetto Corsa',
      'Name in addresses': 'ac',
      Logo: 'LOGO/ac.svg',
      'Logo wide': 'LOGO/ac-wide.svg',
    });
    await add(page, 'Tracks', {
      'Display name': 'Monza',
      'Name in addresses': 'monza',
      Logo: 'TRACK/monza.svg',
      Country: 'ITA',
      Location: 'Monza',
    });
    const trackId = await add(page, 'Track layouts', {
      'Display name': 'Monza GP',
      'Name in addresses': 'monza-gp',
      Type: 'PERMANENT_ROAD',
      Track: 'Monza',
      Length: '5793',
      'First usage': '1922',
      'Last usage': '-1',
      'Corner count': '11',
      'Track map': 'TRACK/monza-map.svg',
    });
    await add(page, 'Car brands', {
      'Display name': 'Ferrari',
      'Name in addresses': 'ferrari',
      Logo: 'BRAND/f.svg',
      Country: 'ITA',
    });
    await add(page, 'Car classes', { 'Display name': 'GT3', 'Short name': 'GT3', Logo: 'CLASS/gt3.svg' });
    const carId = await add(page, 'Cars', { Brand: 'Ferrari', 'Model name': '296 GT3', 'Car class': 'GT3' });
    const { rigId, token } = await registerRig(page);
    const eventId = await add(page, 'Events', {
      Name: 'Monza Friday',
      'Name in addresses': 'monza-friday',
      Description: 'The fastest lap wins.',
      Simulator: 'Assetto Corsa',
      Cars: '296 GT3',
      'Track layouts': 'Monza GP',
      Rigs: 'rig-by-the-door',
    });
    const participantId = await add(page, 'Participants', {
      License: 'root',
      'First name': 'Nora',
      'Last name': 'Lindqvist',
      Email: 'nora@example.org',
      'Phone number': '1',
    });
    await enable(page);

    await page.locator('.menu').getByRole('link', { name: 'Lap review' }).click();
    await page.getByText('No laps yet').waitFor();
    const rig = api.admin.as(token);
    const lap = { participantId, rigId, eventId, carId, trackId, sectors: [40_000, 35_000, 33_000], valid: true };
    await rig.create('/api/v1/laps', { ...lap, totalTime: 108_000 });
    await rig.create('/api/v1/laps', { ...lap, totalTime: 107_000 });
    await reviewed(page);
    await results(page);
  });

  /** Registers a rig; its key is shown once. */
  async function registerRig(page: Page): Promise<{ rigId: string; token: string }> {
    await page.locator('.menu').getByRole('link', { name: 'Rigs', exact: true }).click();
    await page.getByRole('link', { name: 'Add' }).click();
    await fillIn(page, { 'Hardware id': 'rig-by-the-door', License: 'root' }, 'Create');
    const shown = page.locator('dialog input[readonly]');
    await shown.waitFor();
    const token = await shown.inputValue();
    await press(page, 'Done');
    await page.getByRole('heading', { name: 'rig-by-the-door' }).waitFor();
    return { rigId: page.url().split('/').at(-1) ?? '', token };
  }

  async function enable(page: Page): Promise<void> {
    await page.locator('.menu').getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByRole('link', { name: 'Monza Friday' }).click();
    await page.getByText('Not public yet').waitFor();
    await expectAccessible(page);
    await press(page, 'Make it public');
    await page.getByText('Not public yet').waitFor({ state: 'detached' });
  }

  /** Invalidates, with a reason, the faster of two laps that arrive while they are watched. */
  async function reviewed(page: Page): Promise<void> {
    const faster = page.locator('.lap').filter({ hasText: '1:47.000' });
    await faster.waitFor();
    await faster.getByRole('button', { name: 'Invalidate' }).click();
    const dialog = page.locator('dialog');
    await dialog.getByRole('button', { name: 'Invalidate' }).click();
    await dialog.getByText('Say why').waitFor();
    expect(await dialog.textContent()).to.contain('Nora Lindqvist, 1:47.000');
    await dialog.getByLabel('Reason').fill('All four wheels off at Ascari');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Invalidate' }).click();
    await faster.getByRole('button', { name: 'Validate again' }).waitFor();
    await faster.getByRole('button', { name: 'History' }).click();
    await page.getByText('“All four wheels off at Ascari”').waitFor();
    await page.getByText('Lap invalidated').waitFor();
    await page.locator('.history').getByText('by Root ADMIN key').waitFor();
    await expectAccessible(page);
  }

  async function results(page: Page): Promise<void> {
    await page.locator('.menu').getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByRole('link', { name: 'Monza Friday' }).click();
    const download = page.waitForEvent('download');
    const link = page.getByRole('link', { name: 'Results (CSV)' });
    await link.click();
    expect((await download).suggestedFilename()).to.match(/results.*\.csv$/);
    const { text } = await api.anyone.get((await link.getAttribute('href')) ?? '');
    for (const part of ['layout,position', 'Monza GP', 'Nora Lindqvist', '1:48.000']) expect(text).to.include(part);
    expect(text).not.to.include('1:47.000');
  }
});
