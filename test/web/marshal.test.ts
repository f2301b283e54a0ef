import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { idOf, textOf } from '../support/api/client.ts';
import { bodies, createLicense } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { adminOf, press, signIn } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const ZONE_OF_BROWSER = 'new Intl.DateTimeFormat().resolvedOptions().timeZone';

/** As long as names may be. */
const LONG = {
  firstName: 'Maximiliana-Theodora Wilhelmina Konstantina Friederike',
  lastName: 'von und zu Hohenlohe-Waldenburg-Schillingsfürst-Bartenstein',
};

describeInBrowser('Pages: laps for a marshal', (browser) => {
  const api = useVenue();
  const open = adminOf(browser, api);

  const openPhone = async (): Promise<Page> => {
    const page = await browser.open(`${api.service.url}/admin/review`, PHONE);
    await signIn(page, api.admin.token ?? '');
    return page;
  };
  const record = async (totalTime: number): Promise<string> =>
    idOf(await api.admin.create('/api/v1/laps', { ...bodies.lap(api.venue), totalTime }));
  const cardOf = (page: Page, time: string): Locator => page.locator('.lap').filter({ hasText: time });

  it('are cards on a phone, newest first, struck by two taps and counted again by one', async () => {
    await record(111_000);
    const lapId = await record(112_000);
    const page = await openPhone();
    const card = cardOf(page, '1:52.000');
    await card.waitFor();
    const car = await api.anyone.read(`/api/v1/cars/${api.venue.carId}`);
    const rig = await api.admin.read(`/api/v1/rigs/${api.venue.rigId}`);
    // What a card refers to is read by its id, and shown as it comes.
    const first = page.locator('.lap').first();
    const named = ['1:52.000', textOf(car, 'modelName'), textOf(rig, rig['name'] === null ? 'hardwareId' : 'name')];
    for (const shown of named) await first.getByText(shown).first().waitFor();
    const top = (await page.locator('.lap').first().boundingBox())?.y ?? 0;
    for (const other of ['.menu', '.filters', '#review-event'])
      expect((await page.locator(other).boundingBox())?.y, other).to.be.greaterThan(top);
    await expectAccessible(page);

    await card.getByRole('button', { name: 'Invalidate' }).tap();
    const sheet = page.locator('dialog');
    const box = await sheet.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0), 'at the bottom of the screen').to.be.closeTo(844, 1);
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'Track limits' }).tap();
    await page.getByText('Struck: ').waitFor();
    expect(await api.anyone.read(`/api/v1/laps/${lapId}`)).to.include({ valid: false });
    await expectAccessible(page);
    await press(page, 'Undo');
    await card.getByRole('button', { name: 'Invalidate' }).waitFor();
    expect(await api.anyone.read(`/api/v1/laps/${lapId}`)).to.include({ valid: true });
    expect(await page.locator('.undo').count()).to.equal(0);
    const history = await api.admin.list(`/api/v1/laps/${lapId}/history`);
    expect(history.map(({ reason }) => reason)).to.deep.equal([null, 'Track limits', 'Undone']);
  });

  it('stay under the thumb while new ones arrive, which wait until they are asked for', async () => {
    await record(113_000);
    const page = await openPhone();
    const button = cardOf(page, '1:53.000').getByRole('button', { name: 'Invalidate' });
    const before = await button.boundingBox();
    await record(114_000);
    const waiting = page.getByRole('button', { name: 'New (1)' });
    await waiting.getByText('1:54.000').waitFor();
    expect(await button.boundingBox()).to.deep.equal(before);
    await waiting.tap();
    await cardOf(page, '1:54.000').waitFor();
    expect(await page.locator('.lap').first().textContent()).to.include('1:54.000');
    expect(await waiting.count()).to.equal(0);
  });

  it('of one event have the times of its venue, and of all events those of the own one', async () => {
    const { licenseId, manager } = await createLicense(api.admin);
    await api.admin.change(`/api/v1/licenses/${licenseId}`, { timeZone: 'Asia/Tokyo' });
    const eventId = idOf(await manager.create('/api/v1/events', { ...bodies.event(api.venue), enabled: true }));
    const lap = { ...bodies.lap({ ...api.venue, eventId }), totalTime: 116_000 };
    const recordedAt = textOf(await api.admin.create('/api/v1/laps', lap), 'createdAt');
    const clockIn = (timeZone: string): string =>
      new Date(recordedAt).toLocaleTimeString('en-GB', { timeZone, timeStyle: 'medium' });
    const page = await open(`/review?eventId=${eventId}`);
    const time = cardOf(page, '1:56.000').locator('time');
    await time.waitFor();
    expect(await time.textContent()).to.equal(clockIn('Asia/Tokyo'));
    await page.goto(`${api.service.url}/admin/review`);
    await time.waitFor();
    expect(await time.textContent()).to.equal(clockIn(await page.evaluate(ZONE_OF_BROWSER)));
  });

  it('are listed newest first, a line each, and many are struck for one reason, each by itself', async () => {
    const ids = [await record(121_000), await record(122_000), await record(123_000)];
    const [lost = '', ...others] = ids;
    const page = await open('/laps');
    const rows = page.locator('tbody tr');
    await rows.filter({ hasText: '2:03.000' }).waitFor();
    expect(await rows.first().textContent()).to.include('2:03.000');
    for (const row of await rows.all()) expect((await row.boundingBox())?.height).to.be.lessThan(50);
    for (const time of ['2:01.000', '2:02.000', '2:03.000'])
      await rows.filter({ hasText: time }).getByRole('checkbox').check();
    await expectAccessible(page);
    // Somebody else has struck one of them meanwhile.
    await api.admin.change(`/api/v1/laps/${lost}`, { valid: false });
    await press(page, 'Invalidate chosen (3)');
    await page.locator('dialog').getByRole('button', { name: 'Contact' }).click();
    await page.getByText('Struck: 2 of 3.').waitFor();
    await page.locator('.outcome li').getByText('Somebody else has changed this lap').waitFor();
    for (const id of others) {
      expect(await api.anyone.read(`/api/v1/laps/${id}`)).to.include({ valid: false });
      const history = await api.admin.list(`/api/v1/laps/${id}/history`);
      expect(history.at(-1)).to.include({ type: 'LapInvalidated', reason: 'Contact' });
    }
    await rows.filter({ hasText: '2:03.000' }).and(page.locator('.invalid')).waitFor();
    await expectAccessible(page);
  });

  it('have their page, titled by driver and time, and each action inside the window, however long the names', async () => {
    const { licenseId } = await createLicense(api.admin);
    const body = { ...bodies.participant(licenseId), ...LONG };
    const participantId = idOf(await api.admin.create('/api/v1/participants', body));
    const lap = { ...bodies.lap({ ...api.venue, participantId }), totalTime: 115_000 };
    const lapId = idOf(await api.admin.create('/api/v1/laps', lap));
    const page = await open('/review');
    for (const width of [1366, 1024, 390]) {
      await page.setViewportSize({ width, height: 768 });
      const button = cardOf(page, '1:55.000').getByRole('button', { name: 'Invalidate' });
      const box = await button.boundingBox();
      expect((box?.x ?? width) + (box?.width ?? 0), `at ${width}`).to.be.at.most(width);
      expect(await page.evaluate('document.documentElement.scrollWidth'), `at ${width}`).to.equal(width);
    }
    await page.setViewportSize({ width: 1366, height: 768 });
    await expectAccessible(page);
    await cardOf(page, '1:55.000').getByRole('link').click();
    const title = `${LONG.firstName} ${LONG.lastName}, 1:55.000`;
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.title())
      .to.include(title)
      .and.not.to.include(lapId);
  });
});
