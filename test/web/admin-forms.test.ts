import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { idOf, textOf } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { until } from '../support/processes/waits.ts';
import { adminOf, fieldOf, fillIn, MAY_LEAVE, press, save, signIn } from '../support/web/admin.ts';
import { describeInBrowser } from '../support/web/browser.ts';
import { contentOf } from '../support/web/evening.ts';

describeInBrowser('Pages: what the administration tells about entries', (browser) => {
  const api = useVenue();
  const open = adminOf(browser, api);

  /** Opens a page on which dialogs of the browser are answered with what `answers` says, the last one for ever. */
  async function openAnswering(path: string, answers: boolean[]): Promise<Page> {
    const page = await browser.tab({ locale: 'en-GB' });
    page.on('dialog', (dialog) => {
      const accepts = answers.length > 1 ? answers.shift() : answers[0];
      void (accepts === true ? dialog.accept() : dialog.dismiss());
    });
    await page.goto(api.service.url + '/admin' + path);
    await signIn(page, api.admin.token ?? '');
    return page;
  }

  it('names the fields of a refused filter as its pages do', async () => {
    const page = await open('/participants?email=');
    await page.getByText('Email: must not be empty').waitFor();
    expect(await page.locator('main').textContent()).not.to.contain('/query');
  });

  it('fills in what its address says, as links of the bridge do', async () => {
    const page = await open(`/simulators/${api.venue.simulatorId}/cars/new?simulatorIdentifier=acc+32&carId=no`);
    await fieldOf(page, 'Name in the simulator').locator('input').waitFor();
    expect(await fieldOf(page, 'Name in the simulator').locator('input').inputValue()).to.equal('acc 32');
  });

  it('says that a licence has a driver already, and keeps what was entered', async () => {
    const license = await api.admin.create('/api/v1/licenses', bodies.license());
    const name = textOf(license, 'license', 'name');
    const first = { ...bodies.participant(textOf(license, 'license', 'id')), firstName: 'Ada', lastName: 'Lovelace' };
    const id = idOf(await api.admin.create('/api/v1/participants', first));
    const page = await open('/participants/new');
    const entries = { License: name, 'First name': 'Niki', 'Last name': 'Lauda', Email: 'niki@example.org' };
    await fillIn(page, { ...entries, 'Phone number': '2' }, 'Create');
    await page.getByText('“Ada Lovelace” already exists').waitFor();
    expect(await fieldOf(page, 'First name').locator('input').inputValue()).to.equal('Niki');
    await fillIn(page, { 'First name': 'Ada', 'Last name': 'Lovelace' });
    expect(await api.admin.read(`/api/v1/participants/${id}`)).to.include({ firstName: 'Ada' });
  });

  it('asks about a lap in a dialog that is complete and has the focus as it appears', async () => {
    const page = await open('/review');
    await page.locator('.lap').filter({ hasText: '1:39.576' }).first().waitFor();
    const focused = await page.evaluate(`new Promise((resolve) => {
      new MutationObserver(() => {
        const asked = document.querySelector('dialog');
        if (asked !== null) resolve(asked.contains(document.activeElement));
      }).observe(document.body, { childList: true, subtree: true });
      document.querySelector('.lap-actions .danger').click();
    })`);
    expect(focused, 'as it appears').to.equal(true);
    const dialog = page.locator('dialog');
    await dialog.getByLabel('Reason').waitFor();
    const cut = `(({ scrollWidth, clientWidth, scrollLeft }) => [scrollWidth - clientWidth, scrollLeft])(
      document.querySelector('dialog'))`;
    expect(await page.evaluate(cut)).to.deep.equal([0, 0]);
  });

  it('takes lap times as racing people write them', async () => {
    const page = await open('/laps/new');
    const ids = bodies.lap(api.venue);
    const chosen = {
      Participant: textOf(ids, 'participantId'),
      Rig: textOf(ids, 'rigId'),
      Event: textOf(ids, 'eventId'),
      Car: textOf(ids, 'carId'),
      'Track layout': textOf(ids, 'trackId'),
    };
    for (const [name, id] of Object.entries(chosen)) {
      const field = fieldOf(page, name);
      await field.locator('[role=combobox]').fill(id);
      await field.locator('[role=option]').first().click();
    }
    await fillIn(page, { Valid: 'Yes', Sectors: '58.12 1:19.330', 'Total time': '137,5' });
    await fieldOf(page, 'Total time').getByText('= 2:17.500').waitFor();
    await fieldOf(page, 'Total time').getByText('Sectors add up to 2:17.450.').waitFor();
    await fillIn(page, { 'Total time': '1:75.000' }, 'Create');
    await page.getByText('After minutes, seconds go up to 59.').waitFor();
    await fillIn(page, { 'Total time': '2:17,452' });
    expect(await fieldOf(page, 'Total time').getByText('add up').count()).to.equal(0);
    await fillIn(page, { 'Total time': '137.45' }, 'Create');
    await page.waitForURL(/[0-9a-f]{8}-[0-9a-f-]{27}$/);
    const stored = await api.anyone.read(`/api/v1/laps/${page.url().split('/').at(-1) ?? ''}`);
    expect(stored).to.deep.include({ totalTime: 137_450, sectors: [58_120, 79_330] });
    await fieldOf(page, 'Total time').locator('input').waitFor();
    expect(await fieldOf(page, 'Total time').locator('input').inputValue()).to.equal('2:17.450');
    expect(await fieldOf(page, 'Sectors').locator('input').inputValue()).to.equal('58.120, 1:19.330');
    for (const entry of ['two minutes', '0x4B', '1e3']) {
      await fillIn(page, { 'Total time': entry }, 'Save');
      await page.getByText('Enter a time, such as 2:17.450').waitFor();
    }
    // It is pointed out that the sectors add up to something else, and saved.
    await save(page, { 'Total time': '139' });
    const corrected = await api.anyone.read(`/api/v1/laps/${page.url().split('/').at(-1) ?? ''}`);
    expect(corrected).to.include({ totalTime: 139_000 });
  });

  it('chooses with the keyboard only among the options that it shows, even if the window loses the focus meanwhile', async () => {
    // No other brand of the tests has such a name.
    const names = Array.from({ length: 60 }, (_, n) => `Works ${String(n).padStart(2, '0')}`);
    for (const [n, displayName] of names.entries())
      await api.admin.create('/api/v1/car-brands', { ...bodies.carBrand(), displayName, slug: `works-${n}` });
    const page = await open('/cars/new');
    const box = fieldOf(page, 'Brand').locator('[role=combobox]');
    await box.fill('Works');
    await page.getByText('more: type').waitFor();
    for (let n = 0; n < names.length; n += 1) {
      await box.press('ArrowDown');
      if (n === 20) for (const event of ['blur', 'focus']) await box.dispatchEvent(event);
    }
    // Behind them is the one that adds something.
    await box.press('ArrowUp');
    await box.press('Enter');
    expect(await box.inputValue()).to.equal('Works 49');
  });

  it('shows the last page when there are fewer, and filters laps by times as racing people write them', async () => {
    const page = await open('/laps?page=360');
    await page.getByText(/in all, page 1 of 1$/).waitFor();
    const laps = contentOf(await api.anyone.read('/api/v1/laps/paged'));
    expect(laps).to.have.length(await page.locator('tbody tr').count());
    await page.getByText('Filters').click();
    await page.getByLabel('Time up to').fill('1:00.5');
    await page.keyboard.press('Tab');
    await page.waitForURL((url) => url.searchParams.get('maxTotalTime') === '60500');
    await until(
      () => page.getByLabel('Time up to').inputValue(),
      (shown) => shown === '1:00.500',
    );
    for (const [entry, fault] of [
      ['1:75', 'After minutes'],
      ['1e3', 'Enter a time'],
      ['-1', 'Enter a time'],
    ] as const) {
      await page.getByLabel('Time from').fill(entry);
      await page.keyboard.press('Tab');
      await page.locator('.filters').getByText(fault).waitFor();
      expect(new URL(page.url()).searchParams.get('minTotalTime'), entry).to.equal(null);
    }
    await page.getByLabel('Time from').fill('75');
    await page.keyboard.press('Tab');
    await page.waitForURL((url) => url.searchParams.get('minTotalTime') === '75000');
    await until(
      () => page.getByLabel('Time from').inputValue(),
      (shown) => shown === '1:15.000',
    );
  });

  it('takes local times at a change of the clocks by one rule, and says so', async () => {
    const create = async (startsAt: string): Promise<string> =>
      idOf(await api.admin.create('/api/v1/events', { ...bodies.event(api.venue), startsAt, endsAt: null }));
    const second = await create('2026-11-01T06:30:00.000Z');
    const zone = { timezoneId: 'America/New_York', locale: 'en-US' };
    const page = await browser.open(`${api.service.url}/admin/events/${second}`, zone);
    await signIn(page, api.admin.token ?? '');
    const startsAt = fieldOf(page, 'Starts at');
    const stored = async (): Promise<unknown> => (await api.anyone.read(`/api/v1/events/${second}`))['startsAt'];
    // The second one stays the second one, whatever else is changed.
    expect(await startsAt.locator('input').inputValue()).to.equal('2026-11-01T01:30');
    expect(await startsAt.locator('select').inputValue()).to.equal('second');
    await save(page, { Description: 'At the change of the clocks' });
    expect(await stored()).to.equal('2026-11-01T06:30:00.000Z');
    await startsAt.locator('select').selectOption({ label: 'EDT, the first one' });
    await save(page);
    expect(await stored()).to.equal('2026-11-01T05:30:00.000Z');
    await page.locator('.history').getByText('1:30 AM EST').first().waitFor();
    await page.locator('.history').getByText('1:30 AM EDT').first().waitFor();
    await startsAt.locator('input').fill('2026-03-08T02:30');
    await startsAt.getByText('This time does not exist').waitFor();
    expect(await startsAt.textContent()).to.include('Mar 8, 2026, 3:30:00 AM');
    await save(page);
    expect(await stored()).to.equal('2026-03-08T07:30:00.000Z');
    expect(await startsAt.locator('input').inputValue()).to.equal('2026-03-08T03:30');
  });

  it('filters by local times, and marks those that come twice in the lists', async () => {
    const name = 'Night of the two hours';
    const body = { ...bodies.event(api.venue), name, startsAt: '2026-04-04T15:15:00.000Z', endsAt: null };
    await api.admin.create('/api/v1/events', body);
    const zone = { timezoneId: 'Australia/Lord_Howe' };
    const home = await browser.open(`${api.service.url}/`, zone);
    await home.locator('li', { hasText: name }).getByText('01:45 GMT+10:30').waitFor();
    const page = await browser.open(`${api.service.url}/admin/laps`, zone);
    await signIn(page, api.admin.token ?? '');
    await page.getByText('Filters').click();
    const from = page
      .locator('.filter-fields .form-field')
      .filter({ has: page.getByText('Recorded from', { exact: true }) });
    await from.locator('input').fill('2026-04-05T01:45');
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-04-04T14:45:00.000Z');
    await from.locator('select').selectOption('second');
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-04-04T15:15:00.000Z');
    expect(await from.locator('input').inputValue()).to.equal('2026-04-05T01:45');
    await from.locator('input').fill('2026-10-04T02:15');
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-10-03T15:45:00.000Z');
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get('from') === '2026-04-04T15:15:00.000Z');
    await until(
      () => from.locator('select').inputValue(),
      (shown) => shown === 'second',
    );
  });

  it('finds drivers without their accents, and distinguishes those of the same name', async () => {
    const enter = async (licence: string, firstName: string, lastName: string): Promise<string> => {
      const license = await api.admin.create('/api/v1/licenses', { ...bodies.license(), displayName: licence });
      const body = { ...bodies.participant(textOf(license, 'license', 'id')), firstName, lastName };
      return idOf(await api.admin.create('/api/v1/participants', body));
    };
    await enter('Club Zürich', 'Åsa', 'Ångström');
    const bern = await enter('Club Bern', 'Åsa', 'Ångström');
    await enter('Club Łódź', 'Łukasz', 'Żółć');
    const page = await open('/laps/new');
    const driver = fieldOf(page, 'Participant');
    const found = async (typed: string, expected: readonly string[]): Promise<void> => {
      await driver.locator('[role=combobox]').fill(typed);
      await driver
        .locator('[role=option]')
        .filter({ hasText: expected[0] ?? '' })
        .first()
        .waitFor();
      expect(await driver.locator('[role=option]').allTextContents(), typed).to.deep.equal(expected);
    };
    const both = ['Åsa Ångström (Club Bern)', 'Åsa Ångström (Club Zürich)'];
    for (const typed of ['Angstrom', 'angstrom asa', 'A\u030angstro\u0308m', 'ang']) await found(typed, both);
    await found('zolc luk', ['Łukasz Żółć']);
    await found('asa', both);
    await driver.locator('[role=option]').first().click();
    expect(await driver.locator('[role=combobox]').inputValue()).to.equal('Åsa Ångström (Club Bern)');
    const list = await open(`/laps?participantId=${bern}`);
    const filter = list.locator('.filters .form-field').filter({ has: list.getByText('Participant', { exact: true }) });
    await until(
      () => filter.locator('[role=combobox]').inputValue(),
      (value) => value === 'Åsa Ångström (Club Bern)',
    );
    await filter.locator('[role=combobox]').fill('zolc');
    await filter.locator('[role=option]').filter({ hasText: 'Łukasz Żółć' }).waitFor();
  });

  it('offers no licences that check-ins have made, and names them in tables', async () => {
    const person = await api.admin.create('/api/v1/check-ins', { firstName: 'Wanda', lastName: 'Walkin' });
    const name = `check-in-${idOf(person)}`;
    expect(await api.admin.read(`/api/v1/licenses/${idOf(person)}`)).to.include({ name });
    const page = await open('/participants/new');
    const license = fieldOf(page, 'License');
    await license.locator('[role=combobox]').fill('check-in');
    await license.getByText('No match.').waitFor();
    await page.goto(`${api.service.url}/admin/participants/${idOf(person)}`);
    await until(
      () => fieldOf(page, 'License').locator('[role=combobox]').inputValue(),
      (shown) => shown === name,
    );
  });

  it('distinguishes laps of drivers of the same name', async () => {
    const ids = [];
    for (const name of ['Team Rot', 'Team Blau']) {
      const license = await api.admin.create('/api/v1/licenses', { ...bodies.license(), displayName: name });
      const body = { ...bodies.participant(textOf(license, 'license', 'id')), firstName: 'Max', lastName: 'Zwilling' };
      ids.push(idOf(await api.admin.create('/api/v1/participants', body)));
    }
    for (const participantId of ids) {
      await api.admin.create('/api/v1/laps', { ...bodies.lap({ ...api.venue, participantId }), totalTime: 99_999 });
    }
    const page = await open('/review');
    for (const team of ['Rot', 'Blau'])
      await page
        .locator('.lap')
        .filter({ hasText: `Max Zwilling (Team ${team})` })
        .first()
        .waitFor();
    const list = await open('/laps?sort=createdAt,desc');
    for (const team of ['Rot', 'Blau'])
      await list
        .locator('tbody tr')
        .filter({ hasText: `Max Zwilling (Team ${team})` })
        .first()
        .waitFor();
  });

  it('lets one of 5,000 drivers be found, and shows no more than fit', async () => {
    const page = await open();
    const drivers = Array.from({ length: 5_000 }, (_, n) => ({
      id: `0199f000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      firstName: 'Åsa',
      lastName: n % 2 === 0 ? `Øberg ${n}` : 'Øberg',
      licenseDisplayName: `Licence ${n}`,
    }));
    // What the service finds is tested there (test/api/people-by-name.test.ts).
    const answers: Readonly<Record<string, typeof drivers>> = {
      'asa oberg': drivers,
      'OBERG 4998': drivers.filter(({ lastName }) => lastName === 'Øberg 4998'),
    };
    await page.route('**/api/v1/participants/paged?*', (route) => {
      const found = answers[new URL(route.request().url()).searchParams.get('name') ?? ''] ?? [];
      return route.fulfill({ json: { content: found.slice(0, 50), totalElements: found.length } });
    });
    await page.locator('.menu').getByRole('link', { name: 'Laps', exact: true }).click();
    await page.getByRole('link', { name: 'Add' }).click();
    const driver = fieldOf(page, 'Participant');
    await driver.locator('[role=combobox]').pressSequentially('asa oberg');
    await driver.locator('[role=option]').filter({ hasText: 'Åsa Øberg (Licence 49)' }).waitFor();
    await driver.getByText('4950 more: type to narrow the list').waitFor();
    expect(await driver.locator('[role=option]').count()).to.equal(51);
    await driver.locator('[role=combobox]').fill('OBERG 4998');
    // Pressed before the answer has come.
    await driver.locator('[role=combobox]').press('Enter');
    await until(
      () => driver.locator('[role=combobox]').inputValue(),
      (value) => value === 'Åsa Øberg 4998',
    );
  });

  it('names fields in refusals as the form does', async () => {
    const id = idOf(await api.admin.create('/api/v1/events', bodies.event(api.venue)));
    const page = await open(`/events/${id}`);
    await fillIn(page, { 'Starts at': '2026-05-02T20:00', 'Ends at': '2026-05-01T20:00' }, 'Save');
    await fieldOf(page, 'Ends at').getByText('“Ends at” must not be before “Starts at”.').waitFor();
    expect(await page.locator('main').textContent()).not.to.match(/endsAt|startsAt/);
  });

  it('marks the fields that have to be filled in, and no others', async () => {
    const page = await open('/events/new');
    const fields = page.locator('.record-form .form-field');
    await press(page, 'Create');
    await fields.locator('.fault').first().waitFor();
    const labels = async (of: string): Promise<string[]> =>
      (
        await fields
          .filter({ has: page.locator(of) })
          .locator('label')
          .allTextContents()
      ).map((text) => text.trim());
    const marked = (await labels('label')).filter((text) => text.endsWith('*'));
    expect(marked).to.not.deep.equal([]);
    expect(marked).to.deep.equal(await labels('.fault'));
  });

  it('asks before it drops entries: links, the way back, signing out, another page', async () => {
    const page = await openAnswering('/car-classes', [false]);
    await page.getByRole('link', { name: 'Add' }).click();
    await fillIn(page, { 'Display name': 'Formula' });
    const entry = fieldOf(page, 'Display name').locator('input');
    await page.locator('.menu').getByRole('link', { name: 'Tracks' }).click();
    await page.goBack();
    await press(page, 'Sign out');
    await press(page, 'Cancel');
    expect(await page.evaluate(MAY_LEAVE)).to.equal(false);
    expect(await entry.inputValue()).to.equal('Formula');
    expect(page.url()).to.match(/car-classes\/new$/);
  });

  it('leaves without unsaved entries when asked to, and asks nothing once they are saved', async () => {
    const page = await openAnswering('/car-classes/new', [true, false]);
    await fillIn(page, { 'Display name': 'Formula' });
    await press(page, 'Cancel');
    await page.getByRole('heading', { name: 'Car classes' }).waitFor();
    await page.getByRole('link', { name: 'Add' }).click();
    await fillIn(page, { 'Display name': 'Formula', 'Short name': 'F1', Logo: 'CLASS/f.svg' }, 'Create');
    await page.waitForURL(/[0-9a-f]{8}-[0-9a-f-]{27}$/);
    await page.locator('.menu').getByRole('link', { name: 'Tracks' }).click();
    await page.getByRole('heading', { name: 'Tracks' }).waitFor();
  });
});
