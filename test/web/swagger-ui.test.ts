import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useVenue } from '../support/api/with-service.ts';
import { describeInBrowser } from '../support/web/browser.ts';

const STATUS = '.live-responses-table tbody .response-col_status';

describeInBrowser(
  'API: Swagger UI in a browser',
  (browser) => {
    const api = useVenue();
    let page: Page;
    // It takes seconds to load: one serves all.
    before(async () => {
      page = await browser.open(`${api.service.url}/swagger-ui#/Files/uploadCdnFile`);
      await page.locator('.opblock').first().waitFor();
      await page.evaluate(`window.ui.authActions.authorizeWithPersistOption({ ApiKey: { name: 'ApiKey',
      schema: { type: 'apiKey', in: 'header', name: 'X-API-Key' }, value: '${api.venue.manager.token ?? ''}' } })`);
    });

    /** Presses a button wherever it is: the page scrolls to its operation slowly, and a mouse would miss it. */
    const press = (button: string) => page.locator(button).first().dispatchEvent('click');

    it('opens the operation in its address, and filters by tag', async () => {
      await page.locator('#operations-Files-uploadCdnFile.is-open').first().waitFor();
      await page.locator('.operation-filter-input').first().waitFor();
    });

    it('uploads a chosen file, and nothing if none is chosen', async () => {
      const path = '/cdn/TRACK/spa/logo.svg';
      await press('.try-out__btn');
      await page.locator('input[type=file]').first().waitFor();
      await press('.btn.execute');
      // Anything that it had sent would have arrived before this.
      await page.evaluate("fetch('/actuator/health/liveness').then(({ status }) => status)");
      expect((await api.anyone.get(path)).status).to.equal(404);
      const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('of the browser') };
      await page.locator('[data-property-name=cdnFile] input[type=file]').setInputFiles(file);
      await press('.btn.execute');
      expect(await page.locator(STATUS).first().textContent()).to.match(/^201/);
      expect((await api.anyone.get(path)).text).to.equal('of the browser');
    });

    it('shows the beginning of a long response, and all of a short one', async () => {
      // Not displayed: the page needs seconds for what it would do to 100,000 characters.
      const shown: unknown = await page.evaluate(`['x'.repeat(300_000), 'short'].map((text) =>
      window.ui.getConfigs().responseInterceptor({ url: '/api/v1/laps', text }).text)`);
      expect(shown)
        .to.have.property('0')
        .that.match(/^x+\n… 200000 characters more/)
        .and.has.length.below(101_000);
      expect(shown).to.have.property('1', 'short');
    });

    it('keeps the key', async () => {
      await page.goto('about:blank');
      await page.goto(`${api.service.url}/swagger-ui`);
      await page.locator('.authorization__btn.locked, .btn.authorize.locked').first().waitFor();
    });
  },
  after,
);
