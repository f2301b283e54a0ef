import { expect } from 'chai';
import { idOf, textOf } from '../support/api/client.ts';
import { bodies, issueKey } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { bounded, until } from '../support/processes/waits.ts';
import { adminOf, fieldOf, fillIn, MAY_LEAVE, press, save, signIn } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';

describeInBrowser('Pages: signing in, tables and forms of the administration', (browser) => {
  const api = useVenue();
  const rootToken = (): string => api.admin.token ?? '';
  const open = adminOf(browser, api);

  it('accepts only a valid key, for as long as the tab is open, and shows nothing once it is signed out', async () => {
    const page = await browser.open(`${api.service.url}/admin`);
    await page.locator('#token').fill('srt_12345678_this-is-no-key');
    await press(page, 'Sign in');
    await page.getByText('This key is not valid').waitFor();
    await expectAccessible(page);
    await signIn(page, rootToken());
    await page.reload();
    await page.getByText('Root ADMIN key').waitFor();
    expect(await page.evaluate('localStorage.length')).to.equal(0);
    expect(page.url()).not.to.include(rootToken());
    await expectAccessible(page);
    await page.locator('.menu').getByRole('link', { name: 'Participants' }).click();
    await page.locator('tbody tr').first().waitFor();
    await press(page, 'Sign out');
    await page.locator('#token').waitFor();
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
    expect(await page.locator('table').count()).to.equal(0);
    await page.goBack();
    await page.locator('#token').waitFor();
    expect(await page.locator('table').count()).to.equal(0);
  });

  it('leads back to the sign-in, with the reason, when the key is revoked', async () => {
    const key = await issueKey(api.venue.manager, 'CRUD');
    const page = await open('/tracks', key.token);
    await api.venue.manager.delete(`/api/v1/api-keys/${key.id}`);
    await page.getByRole('link', { name: 'Rigs' }).first().click();
    await page.getByText('The key is no longer valid').waitFor();
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
  });

  it('offers what the role allows, and explains what the service refuses', async () => {
    const { token } = await issueKey(api.venue.manager, 'R');
    const page = await open('/tracks', token);
    await page.locator('tbody tr').first().waitFor();
    expect(await page.getByRole('link', { name: 'Add' }).count()).to.equal(0);
    for (const name of ['New night', 'Operations'])
      expect(await page.getByRole('link', { name }).count(), name).to.equal(0);
    await page.locator('tbody a').first().click();
    await page.locator('dl.facts').waitFor();
    expect(await page.locator('form').count()).to.equal(0);
    await page.goto(`${api.service.url}/admin/operations`);
    await page.getByText('Your key may not do this').first().waitFor();
    await page.goto(`${api.service.url}/admin/car-classes/new`);
    await fillIn(page, { 'Display name': 'Formula', 'Short name': 'F1', Logo: 'CLASS/f.svg' }, 'Create');
    await page.getByText('Your key may not do this').waitFor();
  });

  it('shows its own licence to a key that may not list licences', async () => {
    const page = await open('/licenses', api.venue.manager.token ?? '');
    await page.getByText(api.venue.licenseKey).waitFor();
    await press(page, 'Licence file');
  });

  it('speaks German', async () => {
    const page = await open('?lang=de');
    await page.locator('.menu').getByRole('link', { name: 'Rundenprüfung' }).click();
    await page.getByRole('heading', { name: 'Rundenprüfung' }).waitFor();
    expect(page.url()).to.match(/\/admin\/review\?lang=de$/);
  });

  it('follows a link, and gives the focus to the new page, as soon as each appears, so that no keystroke is lost', async () => {
    const page = await browser.open(`${api.service.url}/admin/tracks`);
    const focused = page.evaluate(`new Promise((resolve) => {
      new MutationObserver(() => {
        const add = document.querySelector('main a[href$="/new"]');
        if (document.querySelector('.record-form') !== null) resolve(document.activeElement.tagName);
        else if (add !== document.activeElement) {
          add?.focus();
          add?.click();
        }
      }).observe(document.body, { childList: true, subtree: true });
    })`);
    await signIn(page, rootToken());
    expect(await bounded(focused, () => 'the next page')).to.equal('MAIN');
  });

  it('has a table of every resource that the API lists', async () => {
    const page = await open('/setup');
    const titles = await page.locator('.cards a').allTextContents();
    expect(titles.length).to.be.at.least(14);
    for (const name of titles) {
      await page.locator('.menu').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.locator('tbody tr, .empty').first().waitFor();
      expect(await page.locator('.problem').count(), name).to.equal(0);
    }
  });

  it('sorts, filters and pages through a list, all kept in its address', async () => {
    await Promise.all(Array.from({ length: 21 }, () => api.admin.create('/api/v1/car-classes', bodies.carClass())));
    const brandId = idOf(await api.admin.create('/api/v1/car-brands', bodies.carBrand()));
    await api.admin.create('/api/v1/cars', { ...bodies.car(brandId, api.venue.carClassId), modelName: 'The only one' });
    const page = await open('/car-classes');
    await page.getByText('22 in all, page 1 of 2').waitFor();
    await press(page, 'Next');
    await page.getByText('22 in all, page 2 of 2').waitFor();
    expect(await page.locator('tbody tr').count()).to.equal(2);
    await press(page, 'Name');
    await page.getByText('page 1 of 2').waitFor();
    expect(page.url()).to.include('sort=displayName%2Cdesc');
    await page.reload();
    await page.locator('th[aria-sort=descending]').waitFor();
    await expectAccessible(page);

    const brand = await api.anyone.read(`/api/v1/car-brands/${brandId}`);
    await page.goto(`${api.service.url}/admin/cars`);
    await page.locator('main summary').click();
    const filter = page.locator('.filters .form-field').filter({ hasText: 'Brand' }).first();
    await filter.locator('[role=combobox]').fill(textOf(brand, 'displayName'));
    await filter.locator('[role=option]').first().click();
    await page.getByText('1 in all').waitFor();
    await page.getByRole('link', { name: 'The only one' }).waitFor();
    await expectAccessible(page);
    await press(page, 'Clear filters');
    await page.getByText('2 in all').waitFor();
  });

  it('finds records by their names, and remembers how many a page has', async () => {
    for (const displayName of ['Åland Racing', 'Alandia Park', 'Brno'])
      await api.admin.create('/api/v1/tracks', { ...bodies.track(), displayName });
    const page = await open('/tracks');
    await page.getByLabel('Search by name').fill('aland');
    await page.getByText('2 in all, page 1 of 1').waitFor();
    expect(await page.locator('tbody tr').count()).to.equal(2);
    await page.reload();
    await page.getByText('2 in all, page 1 of 1').waitFor();
    expect(await page.getByLabel('Search by name').inputValue()).to.equal('aland');
    await press(page, 'Name');
    await page.locator('th[aria-sort=descending]').waitFor();
    await until(
      () => page.locator('tbody th').allTextContents(),
      (names) => names.join() === 'Alandia Park,Åland Racing' || names.join() === 'Åland Racing,Alandia Park',
    );
    await page.getByLabel('Per page').selectOption('100');
    await page.goto(`${api.service.url}/admin/participants`);
    expect(await page.getByLabel('Per page').inputValue()).to.equal('100');
    await page.getByLabel('Search by name').fill('nobody of this name');
    await page.getByText('Nothing here yet').waitFor();
    await expectAccessible(page);
  });

  it('begins a new record with the values of another one, whose id can be copied', async () => {
    const page = await open(`/car-classes/${api.venue.carClassId}`);
    await page.getByText(api.venue.carClassId).waitFor();
    await press(page, 'Copy id');
    await page.getByText(/^(Copied|Selected: copy it with Ctrl\+C)\.$/).waitFor();
    await page.getByRole('link', { name: 'Copy', exact: true }).click();
    const of = await api.anyone.read(`/api/v1/car-classes/${api.venue.carClassId}`);
    await fieldOf(page, 'Display name').locator('input').waitFor();
    expect(await fieldOf(page, 'Display name').locator('input').inputValue()).to.equal(of['displayName']);
    await fillIn(page, { 'Display name': 'Copied class' }, 'Create');
    await page.getByRole('heading', { name: 'Copied class' }).waitFor();
    const made = await api.anyone.read(`/api/v1/car-classes/${page.url().split('/').at(-1) ?? ''}`);
    expect(made).to.include({ displayName: 'Copied class', logo: of['logo'] });
  });

  it('has a page for an address without one, which leads back', async () => {
    const page = await open('/tracks');
    await page.evaluate(`history.pushState(null, '', '/admin/nothing'); dispatchEvent(new Event('popstate'))`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'To the start page' }).click();
    await page.waitForURL(/\/admin$/);
  });

  it('shows and reads times in the zone of the venue, to the minute', async () => {
    const { licenseId, manager } = api.venue;
    await api.admin.change(`/api/v1/licenses/${licenseId}`, { timeZone: 'America/New_York' });
    const body = { ...bodies.event(api.venue), startsAt: '2026-07-01T18:00:30.000Z' };
    const event = await manager.create('/api/v1/events', body);
    const page = await open(`/events/${idOf(event)}`, manager.token ?? '');
    const input = fieldOf(page, 'Starts at').locator('input');
    await input.waitFor();
    expect(await input.inputValue()).to.equal('2026-07-01T14:00');
    await save(page, { 'Starts at': '2026-07-01T15:00' });
    expect(await api.anyone.read(`/api/v1/events/${idOf(event)}`)).to.include({ startsAt: '2026-07-01T19:00:00.000Z' });
    await api.admin.change(`/api/v1/licenses/${licenseId}`, { timeZone: null });
  });

  it('starts a night by the clock of the venue, and shows it so on the start page and in the list', async () => {
    const { licenseId, manager } = api.venue;
    await api.admin.change(`/api/v1/licenses/${licenseId}`, { timeZone: 'America/New_York' });
    const page = await open('', manager.token ?? '');
    await page.getByRole('link', { name: 'New night' }).click();
    const when = fieldOf(page, 'When');
    await when.getByText('Time zone: America/New York').waitFor();
    expect(await when.locator('input').getAttribute('aria-describedby')).to.match(/-zone$/);
    await expectAccessible(page);
    // In New York, the clocks go forward from two to three on this day; in Berlin, where this browser is, they do not.
    await fillIn(page, { Name: 'Night of the skipped hour', When: '2027-03-14T02:30' });
    await when.getByText('This time does not exist').waitFor();
    // They go back from two to one on this day.
    await fillIn(page, { When: '2026-12-06T01:30' });
    expect(await when.locator('select').count()).to.equal(0);
    await fillIn(page, { When: '2027-11-07T01:30' });
    await when.locator('select').selectOption('second');
    await page.getByRole('button', { name: /^\+ / }).first().click();
    await press(page, 'Start the night');
    await page.waitForURL(/\/admin$/);
    const event = (await api.anyone.list('/api/v1/events')).find(({ name }) => name === 'Night of the skipped hour');
    expect(event).to.include({ startsAt: '2027-11-07T06:30:00.000Z' });
    await page.goto(`${api.service.url}/admin/events?sort=startsAt,desc`);
    const row = page.locator('tbody tr').filter({ hasText: 'Night of the skipped hour' });
    await row.getByText(/7 Nov 2027, 01:30/).waitFor();
    await api.admin.change(`/api/v1/licenses/${licenseId}`, { timeZone: null });
  });

  it('shows an event of another venue in the zone of that venue, and all else in that of the key', async () => {
    const { licenseId, eventId, manager } = api.venue;
    await api.admin.change(`/api/v1/licenses/${licenseId}`, { timeZone: 'Asia/Tokyo' });
    await manager.change(`/api/v1/events/${eventId}`, { startsAt: '2026-07-02T18:00:00.000Z' });
    const page = await open(`/events/${eventId}`);
    const startsAt = fieldOf(page, 'Starts at');
    await startsAt.getByText('Time zone: Asia/Tokyo').waitFor();
    expect(await startsAt.locator('input').inputValue()).to.equal('2026-07-03T03:00');
    await page.getByRole('navigation', { name: 'Back' }).getByRole('link').click();
    await page.locator('tbody').getByText('2 Jul 2026, 20:00').first().waitFor();
    await api.admin.change(`/api/v1/licenses/${licenseId}`, { timeZone: null });
  });

  it('checks entries by the API document, and shows what the service refuses beside the fields', async () => {
    const page = await open('/tracks/new');
    await press(page, 'Create');
    await page.getByText('Some fields need your attention.').waitFor();
    await fieldOf(page, 'Country').getByText('This field is required').waitFor();
    await fillIn(
      page,
      { 'Display name': 'X', 'Name in addresses': 'not good', Logo: 'TRACK/x.svg', Country: 'DEU', Location: 'Here' },
      'Create',
    );
    await fieldOf(page, 'Display name').getByText('At least 3 characters.').waitFor();
    await fieldOf(page, 'Name in addresses').getByText('Not in the expected form, for example: spa').waitFor();
    expect(await fieldOf(page, 'Display name').locator('input').getAttribute('aria-invalid')).to.equal('true');
    await expectAccessible(page);
    const slug = textOf(await api.anyone.read(`/api/v1/tracks/${api.venue.trackId}`), 'slug');
    await fillIn(page, { 'Display name': 'Nordschleife', 'Name in addresses': slug }, 'Create');
    await fieldOf(page, 'Name in addresses').getByText('Another track has this name in addresses.').waitFor();
    // Blank: only the service can refuse that.
    await fillIn(page, { 'Display name': '   ', 'Name in addresses': 'nordschleife' }, 'Create');
    await fieldOf(page, 'Display name').getByText('must not be blank').waitFor();
    const said = await page.locator('.record-form [role=alert]').textContent();
    expect(said, 'only what the fields do not say').to.equal('Some fields need your attention.');
    await fillIn(page, { 'Display name': 'Nordschleife', 'Alternative names': 'Green Hell\nThe Ring' }, 'Create');
    await page.getByRole('heading', { name: 'Nordschleife' }).waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    const track = await api.anyone.read(`/api/v1/tracks/${id}`);
    expect(track).to.deep.include({ alternativeNames: ['Green Hell', 'The Ring'], enabled: true, svg: false });
  });

  it('creates nothing twice when an answer is lost', async () => {
    const page = await open('/car-classes/new');
    await page.route('**/api/v1/car-classes', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await fillIn(page, { 'Display name': 'Lost and found', 'Short name': 'LF', Logo: 'CLASS/lf.svg' }, 'Create');
    await page.getByText('The service did not answer').waitFor();
    await page.unroute('**/api/v1/car-classes');
    await press(page, 'Create');
    await page.getByRole('heading', { name: 'Lost and found' }).waitFor();
    const classes = await api.anyone.list('/api/v1/car-classes');
    expect(classes.filter(({ displayName }) => displayName === 'Lost and found')).to.have.length(1);
  });

  it('recognises a change that is sent again after a lost answer', async () => {
    const page = await open(`/car-classes/${api.venue.carClassId}`);
    await page.route('**/api/v1/car-classes/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await fillIn(page, { 'Short name': 'Lost' }, 'Save');
    await page.getByText('The service did not answer').waitFor();
    await page.unroute('**/api/v1/car-classes/*');
    await save(page);
    expect(await page.locator('.conflict').count()).to.equal(0);
  });

  for (const [when, staleReads, said] of [
    ['shows only later', 2, 'Saved.'],
    ['does not show while the page waits for it', Infinity, 'Saved. It may take a while until the change shows here.'],
  ] as const)
    it(`has nothing unsaved once a change is saved that ${when}`, async () => {
      const id = idOf(await api.admin.create('/api/v1/car-classes', bodies.carClass()));
      const path = `/api/v1/car-classes/${id}`;
      const page = await open(`/car-classes/${id}`);
      await page.evaluate('const { setTimeout } = globalThis; globalThis.setTimeout = (run) => setTimeout(run, 10)');
      const before = await api.admin.get(path);
      let reads = 0;
      await page.route(`**${path}`, async (route) => {
        const stale = { body: before.text, headers: { ETag: before.header('etag') } };
        if (route.request().method() === 'GET') return ++reads > staleReads ? route.continue() : route.fulfill(stale);
        await route.fetch();
        return route.fulfill({ status: 202, json: { id, status: 'accepted' }, headers: { Location: path } });
      });
      await fillIn(page, { 'Short name': 'Late' }, 'Save');
      await page.getByText(said, { exact: true }).waitFor();
      expect(await page.evaluate(MAY_LEAVE)).to.equal(true);
      const shown = await fieldOf(page, 'Short name').locator('input').inputValue();
      expect(shown === 'Late').to.equal(said === 'Saved.');
    });

  it('sends what was changed, with instants in the zone of the reader', async () => {
    const page = await open(`/events/${api.venue.eventId}`);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await save(page, { 'Starts at': '2026-07-01T20:00', Mode: 'HOTLAP' });
    expect((await sent).postDataJSON()).to.deep.equal({ startsAt: '2026-07-01T18:00:00.000Z', mode: 'HOTLAP' });
    expect(await fieldOf(page, 'Starts at').locator('input').inputValue()).to.equal('2026-07-01T20:00');
    await page.locator('.history').getByText('Event rescheduled').first().waitFor();
    await press(page, 'Save');
    await page.getByText('Nothing was changed.').waitFor();
  });

  it('leaves untouched fields alone, even if their entries say less than what is stored', async () => {
    // Half past two occurs twice that night.
    const startsAt = '2026-10-25T00:30:00.000Z';
    const event = await api.admin.create('/api/v1/events', { ...bodies.event(api.venue), startsAt });
    const page = await open(`/events/${idOf(event)}`);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await save(page, { 'Name in addresses': 'another' });
    expect((await sent).postDataJSON()).to.deep.equal({ slug: 'another' });
  });

  it('replaces values that must be sent whole, and knows fields that are shown under another name', async () => {
    const page = await open(`/simulators/${api.venue.simulatorId}`);
    await save(page, { 'Logo wide': 'LOGO/other.png' });
    expect(await api.anyone.read(`/api/v1/simulators/${api.venue.simulatorId}`)).to.include({
      logo_wide: 'LOGO/other.png',
    });
    await page.getByRole('link', { name: 'Simulator cars' }).click();
    await page.getByRole('link', { name: 'Add' }).click();
    await fillIn(page, { Car: 'Model', 'Name in the simulator': 'ks_model' }, 'Create');
    await page.getByRole('heading', { name: 'ks_model' }).waitFor();
    await press(page, 'Delete');
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing here yet').waitFor();
  });

  it('shows both versions before a colleague is overwritten', async () => {
    const path = `/car-brands/${api.venue.carBrandId}`;
    const slug = textOf(await api.anyone.read(`/api/v1${path}`), 'slug');
    const first = await open(path);
    const second = await open(path);
    await save(first, { Country: 'FRA', 'Name in addresses': 'theirs' });

    await fillIn(second, { Country: 'GBR' }, 'Save');
    const conflict = second.locator('.conflict');
    const rows = async () => Promise.all((await conflict.locator('tbody tr').all()).map((row) => row.textContent()));
    await conflict.waitFor();
    expect(await rows()).to.deep.equal([`Name in addresses${slug}theirs`, 'CountryUnited KingdomFrance']);
    await expectAccessible(second);
    await conflict.getByRole('button', { name: 'Take theirs' }).click();
    await conflict.waitFor({ state: 'detached' });
    expect(await fieldOf(second, 'Country').locator('input').inputValue()).to.equal('France');

    await save(first, { 'Display name': 'Renamed meanwhile' });
    await fillIn(second, { Country: 'GBR' }, 'Save');
    await conflict.getByRole('button', { name: 'Apply mine on top' }).click();
    await second.getByText('Saved.', { exact: true }).waitFor();
    expect(await api.anyone.read(`/api/v1${path}`)).to.include({ displayName: 'Renamed meanwhile', country: 'GBR' });
  });
});
