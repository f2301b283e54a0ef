import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { nameApart, tellApart } from '../../src/clients/web/shared/apart.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { idOf } from '../support/api/client.ts';
import { bodies, createVenue, enter, NOBODY, registerRig } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';
import { describeInBrowser } from '../support/web/browser.ts';

describe('Pages: equal names', () => {
  it('are distinguished by the ends of their ids, as short as they differ', () => {
    const things = [
      { id: 'x-111111', name: 'Ada  Lovelace' },
      { id: 'x-211111', name: 'Ada\u200b Lovelace' },
      { id: 'x-333333', name: 'Niki Lauda' },
      { id: 'x-111111', name: 'Ada Lovelace' },
    ];
    const apart = tellApart(things);
    expect([...apart]).to.deep.equal([
      ['x-111111', '111111'],
      ['x-211111', '211111'],
    ]);
    const names = things.map((thing) => nameApart(thing, apart));
    expect(names[2]).to.equal('Niki Lauda');
    expect(names[3]).to.equal('Ada Lovelace · 111111');
  });
});

describeInBrowser('Pages: names that others have too, and addresses that name nothing', (browser) => {
  const api = useService();
  let eventId = '';

  before(async () => {
    const venue = await createVenue(api.admin);
    const layout = { ...bodies.trackLayout(venue.trackId), displayName: 'Grand Prix' };
    const make = async (path: string, body: JsonObject): Promise<string> =>
      idOf(await api.admin.create(`/api/v1/${path}`, body));
    const slugs = [bodies.trackLayout(venue.trackId), bodies.trackLayout(venue.trackId)];
    const trackLayoutIds: string[] = [];
    for (const body of slugs)
      trackLayoutIds.push(await make('track-layouts', { ...body, displayName: layout.displayName }));
    const carClassIds = [await make('car-classes', bodies.carClass()), await make('car-classes', bodies.carClass())];
    const carIds: string[] = [];
    for (const carClassId of carClassIds)
      carIds.push(await make('cars', { brandId: venue.carBrandId, modelName: '911', carClassId }));
    const rigIds: string[] = [];
    for (const { manager, licenseId } of [venue, venue, venue])
      rigIds.push((await registerRig(manager, licenseId)).rigId);
    const event = {
      ...bodies.event(venue),
      name: 'Cup',
      slug: 'cup-1',
      startsAt: null,
      trackLayoutIds,
      carIds,
      rigIds,
    };
    eventId = await make('events', event);
    await make('events', { ...event, slug: 'cup-2' });
    for (const [n, rigId] of rigIds.entries()) {
      const participantId = await enter(api.admin, 'Sam', 'Smith');
      const lap = { ...bodies.lap({ ...venue, eventId, participantId, rigId }), totalTime: 90_000 + n };
      await make('laps', { ...lap, carId: carIds[n % 2] ?? '', trackId: trackLayoutIds[0] ?? '' });
    }
  });

  /** The texts of elements, of which there are so many: all differ. */
  async function expectDifferent(page: Page, selector: string, count: number): Promise<void> {
    await page
      .locator(selector)
      .nth(count - 1)
      .waitFor();
    const texts = await page.locator(selector).allTextContents();
    expect(new Set(texts).size, texts.join(', ')).to.equal(count);
  }

  it('are distinguished on boards, overlays and the list of events', async () => {
    const board = await browser.open(`${api.service.url}/events/${eventId}`);
    await expectDifferent(board, '.standings tbody .driver', 3);
    await expectDifferent(board, '.newest li .who', 3);
    await expectDifferent(board, '.rigs dt', 3);
    await expectDifferent(board, '.rigs dd', 3);
    const tabs = board.getByRole('tablist', { name: 'Track layouts' }).getByRole('tab');
    expect(new Set(await tabs.allTextContents()).size).to.equal(2);
    const overlay = await browser.open(`${api.service.url}/overlay/${eventId}`);
    await expectDifferent(overlay, '.ranking td.name', 3);
    const home = await browser.open(api.service.url);
    const cups = home.locator('.events strong', { hasText: 'Cup' });
    await cups.nth(1).waitFor();
    expect(new Set(await cups.allTextContents()).size).to.equal(2);
  });

  for (const path of ['events', 'overlay']) {
    it(`say what is wrong with an address: /${path}`, async () => {
      for (const id of ['abc', '%20', `${NOBODY}0`]) {
        const page = await browser.open(`${api.service.url}/${path}/${id}`);
        await page.getByText('The address does not contain a valid event id.').waitFor();
      }
      const page = await browser.open(`${api.service.url}/${path}/${eventId}?layout=${NOBODY}`);
      await page.getByText('The service refused this board.').waitFor();
    });
  }
});
