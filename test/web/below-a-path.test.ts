import { expect } from 'chai';
import { textOf } from '../support/api/client.ts';
import { useVenue } from '../support/api/with-service.ts';
import { signIn } from '../support/web/admin.ts';
import { describeInBrowser } from '../support/web/browser.ts';

const PATH = '/timing';

describeInBrowser('Pages: below the path of PUBLIC_URL', (browser) => {
  const api = useVenue({ PUBLIC_URL: `https://example.org${PATH}/` });
  // As behind a proxy that leaves the path (test/proxies has real ones).
  const address = (path: string): string => `${api.service.url}${PATH}${path}`;

  it('lead to each other, and show events, a board and the administration', async () => {
    const name = textOf(await api.anyone.read(`/api/v1/events/${api.venue.eventId}`), 'name');
    const page = await browser.open(address('/'));
    await page.getByRole('link', { name }).click();
    await page.waitForURL(`**${PATH}/events/${api.venue.eventId}`);
    await page.locator('.standings tbody tr').first().waitFor();
    await page.goto(address('/'));
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.waitForURL(`**${PATH}/admin`);
    await signIn(page, api.admin.token ?? '');
    await page.getByRole('link', { name: 'Cars', exact: true }).first().click();
    await page.waitForURL(`**${PATH}/admin/cars`);
    await page.locator('tbody tr').first().waitFor();
    await page.goto(address(`/admin/events/${api.venue.eventId}`));
    const results = page.locator('a[href*="results.csv"]').first();
    expect(await results.getAttribute('href')).to.match(new RegExp(`^${PATH}/api/v1/events/`));
  });

  it('show an overlay, and the page of the API document', async () => {
    const overlay = await browser.open(address(`/overlay/${api.venue.eventId}`));
    await overlay.locator('.ranking tbody tr').first().waitFor();
    const swagger = await browser.open(address('/swagger-ui'));
    await swagger.locator('.opblock').first().waitFor();
  });
});
