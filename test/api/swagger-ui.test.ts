import { expect } from 'chai';
import { Browser, findBrowser, type Page } from '../support/api/browser.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const command = findBrowser();
const title = 'API: Swagger UI in a browser';

const STATUS = '.live-responses-table tbody .response-col_status';

/** Laps of the long list: as JSON, more than is shown of it. */
const LAPS = 300;

(command === null ? describe.skip : describe)(command === null ? `${title} (needs chromium)` : title, function () {
  this.timeout(60_000);
  const api = useVenue();
  let browser: Browser;
  before(async () => {
    browser = await Browser.start(command ?? '');
  });
  after(() => browser.close());

  /** Opens the page at an operation. */
  async function open(operation = ''): Promise<Page> {
    const page = await browser.page(`${api.service.url}/swagger-ui${operation}`);
    await seen(page, '.opblock');
    return page;
  }

  /** Waits until there is an element, and clicks on it where that is asked for. */
  const seen = (page: Page, selector: string, then = ''): Promise<unknown> =>
    page.evaluate(`new Promise((resolve) => {
      const look = () => {
        const element = document.querySelector(${JSON.stringify(selector)});
        if (element === null) return requestAnimationFrame(look);
        ${then};
        resolve(element.textContent);
      };
      look();
    })`);
  const click = (page: Page, selector: string) => seen(page, selector, 'element.click()');

  const authorize = (page: Page) =>
    page.evaluate(`window.ui.authActions.authorizeWithPersistOption({ ApiKey: { name: 'ApiKey',
      schema: { type: 'apiKey', in: 'header', name: 'X-API-Key' }, value: '${api.venue.manager.token ?? ''}' } })`);

  it('keeps the key, filters by tag and opens what its address names', async () => {
    const page = await open('#/Laps/createLap');
    await seen(page, '#operations-Laps-createLap.is-open');
    await authorize(page);
    await seen(page, '.operation-filter-input');
    const again = await open();
    await seen(again, '.authorization__btn.locked, .btn.authorize.locked');
  });

  it('uploads a file that is chosen, and nothing when none is', async () => {
    const page = await open('#/CDN/uploadCdnFile');
    await authorize(page);
    await click(page, '.try-out__btn');
    await seen(page, 'input[type=file]');
    await page.evaluate(`(() => {
      const input = document.querySelector('[data-property-name=cdnFile] input[type=file]');
      const files = new DataTransfer();
      files.items.add(new File(['of the browser'], 'a.png', { type: 'image/png' }));
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await click(page, '.btn.execute');
    expect(await seen(page, STATUS)).to.match(/^201/);
    expect((await api.anyone.get('/cdn/TRACK/spa/logo.svg')).text).to.equal('of the browser');

    const other = await open('#/CDN/uploadCdnFile');
    await authorize(other);
    await click(other, '.try-out__btn');
    await click(other, '.btn.execute');
    // Whatever it would have sent is there before this.
    await other.evaluate("fetch('/actuator/health/liveness').then(({ status }) => status)");
    expect((await api.anyone.get('/cdn/TRACK/spa/logo.svg')).text).to.equal('of the browser');
  });

  it('shows the beginning of a long list', async () => {
    const lap = bodies.lap(api.venue);
    for (let n = 0; n < LAPS; n++) await api.venue.manager.post('/api/v1/laps', { ...lap, totalTime: 90_000 + n });
    const page = await open('#/Laps/listLaps');
    await click(page, '.try-out__btn');
    await click(page, '.btn.execute');
    const shown = await seen(
      page,
      '.live-responses-table .response-col_description .highlight-code, .live-responses-table .microlight',
    );
    expect(String(shown))
      .to.match(/characters more/)
      .and.to.have.length.below(150_000);
  });
});
