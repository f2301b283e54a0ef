import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { describeInBrowser } from '../support/web/browser.ts';

const STATUS = '.live-responses-table tbody .response-col_status';

/** Laps of the long list, whose JSON is longer than what is shown. */
const LAPS = 300;

describeInBrowser('API: Swagger UI in a browser', (browser) => {
  const api = useVenue();
  afterEach(() => browser.closePages());

  /** Opens the page at an operation. */
  async function open(operation = ''): Promise<Page> {
    const page = await browser.open(`${api.service.url}/swagger-ui${operation}`);
    await page.locator('.opblock').first().waitFor();
    return page;
  }

  const authorize = (page: Page) =>
    page.evaluate(`window.ui.authActions.authorizeWithPersistOption({ ApiKey: { name: 'ApiKey',
      schema: { type: 'apiKey', in: 'header', name: 'X-API-Key' }, value: '${api.venue.manager.token ?? ''}' } })`);

  it('keeps the key, filters by tag and opens the operation in its address', async () => {
    const page = await open('#/Laps/createLap');
    await page.locator('#operations-Laps-createLap.is-open').first().waitFor();
    await authorize(page);
    await page.locator('.operation-filter-input').first().waitFor();
    await page.goto(`${api.service.url}/swagger-ui`);
    await page.locator('.authorization__btn.locked, .btn.authorize.locked').first().waitFor();
  });

  it('uploads a chosen file, and nothing if none is chosen', async () => {
    const page = await open('#/Files/uploadCdnFile');
    await authorize(page);
    await page.locator('.try-out__btn').first().click();
    await page.locator('input[type=file]').first().waitFor();
    const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('of the browser') };
    await page.locator('[data-property-name=cdnFile] input[type=file]').setInputFiles(file);
    await page.locator('.btn.execute').first().click();
    expect(await page.locator(STATUS).first().textContent()).to.match(/^201/);
    expect((await api.anyone.get('/cdn/TRACK/spa/logo.svg')).text).to.equal('of the browser');

    const other = await open('#/Files/uploadCdnFile');
    await authorize(other);
    await other.locator('.try-out__btn').first().click();
    await other.locator('.btn.execute').first().click();
    // Anything that it had sent would have arrived before this.
    await other.evaluate("fetch('/actuator/health/liveness').then(({ status }) => status)");
    expect((await api.anyone.get('/cdn/TRACK/spa/logo.svg')).text).to.equal('of the browser');
  });

  it('shows the beginning of a long list', async () => {
    const lap = bodies.lap(api.venue);
    for (let n = 0; n < LAPS; n++) await api.venue.manager.post('/api/v1/laps', { ...lap, totalTime: 90_000 + n });
    const page = await open('#/Laps/listLaps');
    await page.locator('.try-out__btn').first().click();
    await page.locator('.btn.execute').first().click();
    const shown = await page
      .locator('.live-responses-table .response-col_description')
      .locator('.highlight-code, .microlight')
      .first()
      .textContent();
    expect(shown)
      .to.match(/characters more/)
      .and.to.have.length.below(150_000);
  });
});
