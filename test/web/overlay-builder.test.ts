import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useService } from '../support/api/with-service.ts';
import { adminOf } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';
import { createEvening, type Evening } from '../support/web/evening.ts';

const PUBLIC_URL = 'https://timing.venue.example:8443';

describeInBrowser('Pages: the builder of overlays', (browser) => {
  const api = useService({ PUBLIC_URL });
  let evening: Evening;
  before(async () => {
    evening = await createEvening(api.admin);
  });

  async function open(): Promise<Page> {
    const page = await adminOf(browser, api)(`/events/${evening.eventId}`);
    await page.getByRole('main').getByRole('link', { name: 'Overlay for OBS' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overlay for OBS' }).waitFor();
    return page;
  }

  const addressIn = (page: Page): Promise<string> => page.getByLabel('Address for OBS').inputValue();

  it('shows what OBS will show, and its address, from the page of an event', async () => {
    const page = await open();
    const preview = page.frameLocator('iframe');
    await preview.locator('.ranking tbody tr').nth(9).waitFor();
    expect(await addressIn(page)).to.equal(`${PUBLIC_URL}/overlay/${evening.eventId}`);
    await page.getByLabel('Rows', { exact: true }).fill('3');
    await page.getByLabel('Event and headings above').check();
    await page.getByLabel('Car', { exact: true }).check();
    await page.getByRole('button', { name: 'Move Car to the left' }).click();
    await page.getByLabel('Colours').selectOption('light');
    await preview.locator('.look.light .header', { hasText: 'GT Hotlap Challenge' }).waitFor();
    await preview.locator('.ranking tbody tr').nth(2).waitFor();
    expect(await preview.locator('.ranking tbody tr').count()).to.equal(3);
    const headings = await preview.locator('.ranking thead th').allTextContents();
    expect(headings).to.deep.equal(['Pos', 'Driver', 'Gap', 'Car', 'Best lap']);
    const parameters = new URL(await addressIn(page)).searchParams;
    expect(Object.fromEntries(parameters)).to.deep.equal({
      rows: '3',
      header: 'on',
      columns: 'position,name,gap,car,best',
      theme: 'light',
    });
    await expectAccessible(page);
  });

  it('offers the drivers of the event, around whom rows are shown', async () => {
    const page = await open();
    const driver = evening.drivers[5];
    await page.getByLabel('Rows', { exact: true }).fill('3');
    await page.getByLabel('Rows around').selectOption({ value: driver?.participantId ?? '' });
    await page.frameLocator('iframe').locator('.chosen .position', { hasText: '6' }).waitFor();
    expect(new URL(await addressIn(page)).searchParams.get('driver')).to.equal(driver?.participantId);
  });

  it('keeps its preview inside the window, of each size', async () => {
    const page = await open();
    await page.frameLocator('iframe').locator('.ranking tbody tr').first().waitFor();
    for (const width of [390, 1_366, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      const box = await page.locator('.video').boundingBox();
      const frame = await page.locator('iframe').boundingBox();
      expect(Math.abs((box?.width ?? 0) - (frame?.width ?? 1)), `${width} px`).to.be.below(2);
      expect((box?.x ?? 0) + (box?.width ?? 0), `${width} px`).to.be.at.most(width);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
    }
  });

  it('is in the menu, and asks for an event first', async () => {
    const page = await adminOf(browser, api)('/overlay');
    await page.getByText('Choose an event first.').waitFor();
    await page.getByRole('combobox', { name: 'Event' }).fill('Hotlap');
    await page.getByRole('option', { name: /GT Hotlap Challenge/ }).click();
    await page.frameLocator('iframe').locator('.ranking tbody tr').first().waitFor();
  });
});
