import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useVenue } from '../support/api/with-service.ts';
import { describeInBrowser } from '../support/web/browser.ts';

const STATUS = '.live-responses-table tbody .response-col_status';

describeInBrowser('API: Swagger UI in a browser', (browser) => {
  const api = useVenue();
  afterEach(() => browser.closePages());

  /** Opens the page at an operation. */
  async function open(operation = ''): Promise<Page> {
    const page = await browser.open(`${api.service.url}/swagger-ui${operation}`);
    await page.locator('.opblock').first().waitFor();
    return page;
  }

  /** Presses a button wherever it is: the page scrolls to its operation slowly, and a mouse would miss it. */
  const press = (page: Page, button: string) => page.locator(button).first().dispatchEvent('click');

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
    await press(page, '.try-out__btn');
    await page.locator('input[type=file]').first().waitFor();
    const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('of the browser') };
    await page.locator('[data-property-name=cdnFile] input[type=file]').setInputFiles(file);
    await press(page, '.btn.execute');
    expect(await page.locator(STATUS).first().textContent()).to.match(/^201/);
    expect((await api.anyone.get('/cdn/TRACK/spa/logo.svg')).text).to.equal('of the browser');

    const other = await open('#/Files/uploadCdnFile');
    await authorize(other);
    await press(other, '.try-out__btn');
    await press(other, '.btn.execute');
    // Anything that it had sent would have arrived before this.
    await other.evaluate("fetch('/actuator/health/liveness').then(({ status }) => status)");
    expect((await api.anyone.get('/cdn/TRACK/spa/logo.svg')).text).to.equal('of the browser');
  });

  it('shows the beginning of a long response, and all of a short one', async () => {
    const page = await open();
    // Not displayed: the page needs seconds for what it would do to 100,000 characters.
    const shown: unknown = await page.evaluate(`['x'.repeat(300_000), 'short'].map((text) =>
      window.ui.getConfigs().responseInterceptor({ url: '/api/v1/laps', text }).text)`);
    expect(shown)
      .to.have.property('0')
      .that.match(/^x+\n… 200000 characters more/)
      .and.has.length.below(101_000);
    expect(shown).to.have.property('1', 'short');
  });
});
