import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { idOf } from '../support/api/client.ts';
import { createRace, type Race } from '../support/api/leaderboard.ts';
import { upload } from '../support/api/uploads.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { describeInBrowser, expectAccessible, expectReadableColours } from '../support/web/browser.ts';
import { sizeOfPng } from '../support/web/ico.ts';

const PUBLIC_URL = 'https://timing.example.com/venue/';

describe('Pages: what other services show of a link to results', () => {
  const api = useVenue({ PUBLIC_URL });

  const contentOf = async (path: string): Promise<Readonly<Record<string, string>>> => {
    const page = await api.anyone.get(path);
    expect(page.status).to.equal(200);
    const tags = page.text.matchAll(/<meta property="og:(\w+)" content="([^"]*)" \/>/g);
    return Object.fromEntries([...tags].map(([, name = '', content = '']) => [name, content]));
  };

  it('are title, text, address and picture, absolute and escaped', async () => {
    const body = { ...bodies.event(api.venue), name: 'A "B" <i>&', description: "It's <b>on</b>" };
    const eventId = idOf(await api.admin.create('/api/v1/events', { ...body, startsAt: '2026-05-01T18:00:00Z' }));
    const path = `/events/${eventId}/results`;
    const { image = '', ...shown } = await contentOf(path);
    const picture = /^https:\/\/timing\.example\.com\/venue(\/assets\/card-\w+\.png)$/.exec(image)?.[1] ?? '';
    const card = await fetch(`${api.service.url}${picture}`);
    expect(card.headers.get('content-type')).to.equal('image/png');
    expect(sizeOfPng(Buffer.from(await card.arrayBuffer()))).to.deep.equal({ width: 1_200, height: 630 });
    expect(shown).to.deep.equal({
      type: 'website',
      title: 'A &quot;B&quot; &lt;i&gt;&amp; – Results',
      description: "2026-05-01 · It's &lt;b&gt;on&lt;/b&gt;",
      url: `https://timing.example.com/venue/events/${eventId}/results`,
    });
    const before = await api.anyone.get(path);
    expect((await api.anyone.get(path, { 'If-None-Match': before.header('ETag') })).status).to.equal(304);
    await upload(api.admin, 'TRACK/spa/map.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await api.admin.change(`/api/v1/track-layouts/${api.venue.trackLayoutId}`, { trackMap: 'TRACK/spa/map.svg' });
    expect(await contentOf(path)).to.include({ image: 'https://timing.example.com/venue/cdn/TRACK/spa/map.svg' });
  });

  it('are none where there is no such event', async () => {
    for (const id of ['018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e11', 'x'])
      expect(await contentOf(`/events/${id}/results`)).to.deep.equal({});
  });
});

describeInBrowser('Pages: the results of an event', (browser) => {
  const api = useVenue();
  let race: Race;
  let other = '';

  before(async () => {
    race = await createRace(api.admin, api.venue);
    const layout = { ...bodies.trackLayout(api.venue.trackId), displayName: 'Short circuit' };
    other = idOf(await api.admin.create('/api/v1/track-layouts', layout));
    for (let n = 0; n < 60; n += 1) {
      const driver = n === 0 ? await race.enter('Ada', 'Lovelace') : await race.enter('Driver', `${n}`);
      await race.drive(driver, [40_000 + n, 50_000], { drivenAt: '2026-05-01T20:00:00Z' });
      if (n < 2) await race.drive(driver, [30_000 - n], { trackId: other, drivenAt: '2026-05-01T20:00:00Z' });
    }
    await race.drive(await race.enter('Late', 'Comer'), [10_000], { drivenAt: '2026-05-01T23:00:00Z' });
    const times = { startsAt: '2026-05-01T18:00:00Z', finishedAt: '2026-05-01T22:00:00Z' };
    await api.admin.change(`/api/v1/events/${race.eventId}`, times);
  });

  const open = async (query = ''): Promise<Page> => {
    const page = await browser.open(`${api.service.url}/events/${race.eventId}/results${query}`);
    await page.locator('.layout').first().waitFor();
    return page;
  };

  it('show each layout with podium, board and best sectors, and laps after the finish apart', async () => {
    const page = await open('?tz=UTC');
    expect(await page.locator('.layout').count()).to.equal(2);
    const first = page.locator('.layout').first();
    expect(await first.locator('.podium li').count()).to.equal(3);
    expect(await first.locator('.podium li').first().textContent())
      .to.include('Ada Lovelace')
      .and.include('1:30.000');
    expect(await first.locator('table').first().locator('tbody tr').count()).to.equal(60);
    expect(await first.locator('.sectors').textContent())
      .to.include('Ada Lovelace')
      .and.include('1:30.000');
    expect(await first.textContent()).not.to.include('Late Comer');
    expect(await page.locator('.after').textContent())
      .to.include('Late Comer')
      .and.include('10.000');
    expect(await page.locator('header .state').textContent()).to.equal('Finished');
    expect(await page.locator('header time').textContent()).to.include('2026');
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectReadableColours(page);
  });

  it('show one layout on request, which the address keeps', async () => {
    const page = await open('?lang=de');
    await page.getByLabel('Strecke').selectOption({ value: other });
    await page.waitForURL(`**layout=${other}*`);
    expect(await page.locator('.layout').count()).to.equal(1);
    expect(await page.locator('.layout h2').textContent()).to.include('Short circuit');
  });

  it('are printed light on A4, with headings on each page', async () => {
    const page = await open('?theme=dark');
    await page.emulateMedia({ media: 'print' });
    const styleOf = (selector: string, property: string): Promise<unknown> =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    expect(await styleOf('html', 'backgroundColor')).to.equal('rgb(255, 255, 255)');
    expect(await styleOf('main', 'color')).to.equal('rgb(0, 0, 0)');
    expect(await styleOf('thead', 'display')).to.equal('table-header-group');
    expect(await styleOf('.controls', 'display')).to.equal('none');
    expect(await page.locator('.layout .of-page').first().isVisible()).to.equal(true);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(pdf).to.match(/\/MediaBox ?\[0 0 59[456](\.\d+)? 84[123](\.\d+)?\]/);
    expect(pdf.match(/\/Type ?\/Page\b/g)?.length ?? 0).to.be.at.least(3);
  });

  it('say that there is no such event', async () => {
    const page = await browser.open(`${api.service.url}/events/018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e11/results`);
    await page.getByText('There is no such event').waitFor();
  });
});
