import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useService } from '../support/api/with-service.ts';
import { textOf } from '../support/api/client.ts';
import { shownBoard } from '../support/api/leaderboard.ts';
import { describeInBrowser, expectAccessible, keepPictures } from '../support/web/browser.ts';
import { createEvening, type Evening } from '../support/web/evening.ts';

/** The names on the board, from the first. */
function names(page: Page): Promise<string[]> {
  return page.locator('.standings tbody .driver .name').allTextContents();
}

describeInBrowser('Pages: the board of an event', (browser) => {
  const api = useService();
  let evening: Evening;
  before(async () => {
    evening = await createEvening(api.admin);
  });
  afterEach(() => browser.closePages());

  /** Opens the board, and waits until it is live. */
  async function open(query = '', options: Parameters<typeof browser.open>[1] = {}): Promise<Page> {
    const page = await browser.open(`${api.service.url}/events/${evening.eventId}${query}`, options);
    await page.locator('.standings tbody tr').first().waitFor();
    return page;
  }

  async function boardOfApi(query = ''): Promise<readonly string[]> {
    const body = await api.anyone.read(`/api/v1/events/${evening.eventId}/leaderboard${query}`);
    return shownBoard(body).rows.map((row) => textOf(row, 'participantName'));
  }

  it('shows what the API has: rows, gaps, sectors, last laps, rigs, sponsors', async () => {
    const page = await open();
    await page.locator('[data-status=live]').waitFor();
    await page.locator('.newest li').first().waitFor();
    expect(await names(page)).to.deep.equal(await boardOfApi());
    const first = page.locator('.standings tbody tr').nth(1);
    expect(await first.locator('td.best').textContent()).to.equal('2:17.468');
    expect(await first.locator('td.gap').textContent()).to.equal('+0.143');
    expect(await first.locator('td.sector').nth(1).textContent()).to.contain('56.895 best of all');
    expect(await page.locator('.newest li').count()).to.equal(12);
    expect(await page.locator('.newest li.invalid').textContent()).to.contain('invalid');
    expect(await page.locator('.rigs dt').allTextContents()).to.deep.equal([
      'Rig 1 window',
      'Rig 2 centre',
      'Rig 3 wall',
    ]);
    expect(await page.locator('.sponsors img').getAttribute('alt')).to.equal('Apex Tyres');
    expect(await page.getByRole('link', { name: 'Kerb Coffee' }).getAttribute('rel')).to.contain('noopener');
    expect(await page.title()).to.equal('GT Hotlap Challenge');
  });

  for (const [name, viewport] of Object.entries({
    phone: { width: 390, height: 844 },
    desktop: { width: 1_440, height: 900 },
    tv: { width: 1_920, height: 1_080 },
  })) {
    it(`is readable for everybody in both themes, and fits: ${name}`, async () => {
      for (const lang of ['en', 'de']) {
        const page = await open(`?lang=${lang}`, { viewport });
        await page.locator('.newest li').first().waitFor();
        await page.emulateMedia({ colorScheme: 'dark' });
        await expectAccessible(page);
        await page.emulateMedia({ colorScheme: 'light' });
        await expectAccessible(page);
        await keepPictures(page, `board-${name}-${lang}`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(viewport.width);
      }
    });
  }

  it('shows a lap within a second of its POST, and who leads now', async () => {
    const page = await open();
    await page.locator('[data-status=live]').waitFor();
    const lap = { participantId: evening.drivers[5]?.participantId ?? '' };
    await evening.drive(5, [40_900, 56_500, 38_600], lap);
    await page.locator('.standings tbody tr').first().getByText('2:16.000').first().waitFor({ timeout: 1_000 });
    expect((await names(page))[0]).to.equal('Sofía Carrascal');
    expect(await page.locator('[aria-live=polite]').textContent()).to.equal('Sofía Carrascal leads with 2:16.000.');
    expect(await names(page)).to.deep.equal(await boardOfApi());
    expect(await page.locator('.newest li .name').first().textContent()).to.equal('Sofía Carrascal');
  });

  it('follows what is corrected: a lap that does not count, a new name', async () => {
    const page = await open();
    const lap = await evening.drive(6, [40_000, 56_000, 38_000]);
    await page.locator('.standings tbody tr').first().getByText('2:14.000').first().waitFor();
    await api.admin.change(`/api/v1/laps/${textOf(lap, 'id')}`, { valid: false });
    await page.locator('.newest li').first().getByText('invalid').first().waitFor();
    const { participantId = '' } = evening.drivers[6] ?? {};
    await api.admin.change(`/api/v1/participants/${participantId}`, { firstName: 'Haru' });
    await page.locator('.standings').getByText('Haru Minamida').waitFor();
    expect(await names(page)).to.deep.equal(await boardOfApi());
    await api.admin.change(`/api/v1/participants/${participantId}`, { firstName: 'Haruto' });
    await page.locator('.standings').getByText('Haruto Minamida').waitFor();
  });
});
