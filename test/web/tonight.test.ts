import { expect } from 'chai';
import { expectStatus, idOf, textOf } from '../support/api/client.ts';
import { bodies, issueKey } from '../support/api/venue.ts';
import { useService, useVenue } from '../support/api/with-service.ts';
import { until } from '../support/processes/waits.ts';
import { adminOf, fieldOf, fillIn, press } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';

describeInBrowser('Pages: tonight, in the empty store', (browser) => {
  const api = useService();
  const open = adminOf(browser, api);

  it('says what is missing, and leads to it', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'Before the first night' }).waitFor();
    await page.getByText('All is well').waitFor();
    const next = page.locator('.checklist li[aria-current=step]');
    expect(await next.textContent()).to.include('A simulator');
    await expectAccessible(page);
    await next.getByRole('link', { name: 'Add' }).click();
    await page.waitForURL(/simulators\/new$/);
  });

  it('asks for name, time zone and logo of the venue, which can be left out', async () => {
    const page = await open();
    const step = page.locator('.checklist li').filter({ hasText: 'Your venue' });
    await step.getByRole('link', { name: 'Enter' }).click();
    expect(await fieldOf(page, 'Display name').locator('input').inputValue(), 'the name is no name').to.equal('');
    const zone = fieldOf(page, 'Time zone').locator('[role=combobox]');
    expect(await zone.inputValue(), 'that of the browser').to.equal('Europe/Berlin');
    await expectAccessible(page);
    await fillIn(page, { 'Display name': 'Apex Lounge', 'Time zone': 'New York' }, 'Save');
    await page.locator('.checklist li.done').filter({ hasText: 'Your venue' }).waitFor();
    const license = await api.admin.read('/api/v1/licenses/current');
    expect(license).to.include({ displayName: 'Apex Lounge', timeZone: 'America/New_York', logo: null });
    await api.admin.change(`/api/v1/licenses/${idOf(license)}`, { timeZone: null });
    await page.reload();
    await press(step, 'Skip');
    await step.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.checklist li').first().waitFor();
    expect(await step.count()).to.equal(0);
  });
});

describeInBrowser('Pages: tonight', (browser) => {
  const api = useVenue();
  const open = adminOf(browser, api);

  it('asks a venue for what is missing of it, with its own key, when all else is there', async () => {
    const page = await open('', api.venue.manager.token ?? '');
    await page.getByText('Your venue has no name or no time zone yet.').waitFor();
    await page.locator('.notice').getByRole('link', { name: 'Enter' }).click();
    await fieldOf(page, 'Time zone').waitFor();
    expect(await fieldOf(page, 'Display name').count(), 'which its key may not change').to.equal(0);
    await press(page, 'Save');
    await page.locator('.event-card').first().waitFor();
    await page.getByText('Your venue has no name').waitFor({ state: 'detached' });
    expect(await api.admin.read(`/api/v1/licenses/${api.venue.licenseId}`)).to.include({ timeZone: 'Europe/Berlin' });
    await api.admin.change(`/api/v1/licenses/${api.venue.licenseId}`, { timeZone: null });
  });

  it('repeats the last night with all that it had, opens the wall, finishes, and takes that back', async () => {
    await api.admin.change('/api/v1/licenses/00000000-0000-7000-8000-000000000001', { timeZone: 'Asia/Tokyo' });
    await api.admin.change(`/api/v1/events/${api.venue.eventId}`, {
      name: 'Friday cup',
      startsAt: '2026-01-09T10:00:00.000Z',
      endsAt: null,
      finishedAt: '2026-01-09T14:00:00.000Z',
    });
    await api.admin.create('/api/v1/signup-fields', { ...bodies.signupField(api.venue.eventId), fieldKey: 'nick' });
    const old = await api.anyone.read(`/api/v1/events/${api.venue.eventId}`);
    const page = await open();
    await press(page, 'Repeat last night');
    const card = page.locator('.event-card:not(.past)');
    await card.getByRole('link', { name: 'Friday cup' }).waitFor();
    const named = await api.anyone.list('/api/v1/events');
    const id = idOf(named.find((one) => one['name'] === 'Friday cup' && one['id'] !== api.venue.eventId) ?? {});
    const copy = await api.anyone.read(`/api/v1/events/${id}`);
    for (const field of ['name', 'simulatorId', 'carIds', 'trackLayoutIds', 'rigIds', 'brandIds', 'settingsJson'])
      expect(copy[field], field).to.deep.equal(old[field]);
    expect(copy).to.include({ enabled: true, finishedAt: null });
    expect(textOf(copy, 'startsAt'), 'at seven in the evening of Tokyo').to.match(/T10:00:00\.000Z$/);
    const fields = await api.anyone.list(`/api/v1/signup-fields?eventId=${id}`);
    expect(fields.map(({ fieldKey }) => fieldKey)).to.include('nick');
    await page.getByRole('button', { name: 'Repeat last night' }).waitFor({ state: 'detached' });

    await api.admin.change(`/api/v1/events/${id}`, { startsAt: new Date(Date.now() - 60_000).toISOString() });
    await card.locator('[data-state=live]').waitFor();
    const wall = page.waitForEvent('popup');
    await card.getByRole('link', { name: 'Open the wall' }).click();
    expect((await wall).url()).to.include(`/events/${id}`);
    await press(page, 'Finish');
    const past = page.locator('.event-card.past');
    await past.getByText('Finished', { exact: true }).waitFor();
    expect(textOf(await api.anyone.read(`/api/v1/events/${id}`), 'finishedAt')).to.not.equal('');
    await expectAccessible(page);
    await press(page, 'Undo: reopen');
    await card.getByRole('button', { name: 'Finish' }).waitFor();
    expect(await api.anyone.read(`/api/v1/events/${id}`)).to.include({ finishedAt: null, state: 'live' });
  });

  it('shows the newest laps, and who sits on which rig', async () => {
    const eventId = idOf(
      await api.admin.create('/api/v1/events', {
        ...bodies.event(api.venue),
        name: 'Tonight',
        startsAt: null,
        endsAt: null,
      }),
    );
    await api.admin.change(`/api/v1/rigs/${api.venue.rigId}`, { name: 'Left window' });
    const page = await open();
    const card = page.locator('.event-card').filter({ hasText: 'Tonight' });
    await api.admin.change(`/api/v1/events/${eventId}`, { startsAt: new Date(Date.now() - 1_000).toISOString() });
    await card.waitFor();
    const rig = page.locator('.rig-states li').filter({ hasText: 'Left window' });
    await rig.getByText('free').waitFor();
    expectStatus(
      await api.admin.put(`/api/v1/rigs/${api.venue.rigId}/seat`, { participantId: api.venue.participantId, eventId }),
      200,
    );
    await rig.locator('bdi').waitFor();
    await api.admin.create('/api/v1/laps', {
      ...bodies.lap({ ...api.venue, eventId }),
      totalTime: 98_765,
      valid: false,
    });
    await page.locator('.newest-laps .invalid').getByText('1:38.765').waitFor();
    await expectAccessible(page);
  });

  it('offers a key only what its role allows', async () => {
    const { client } = await issueKey(api.venue.manager, 'R');
    const page = await open('', client.token ?? '');
    await page.locator('.event-card').first().waitFor();
    await page.getByText('All is well').waitFor();
    await page.locator('.newest-laps li').first().waitFor();
    expect(await page.locator('.problem').count()).to.equal(0);
    for (const name of ['Finish', 'Repeat last night', 'Undo: reopen'])
      expect(await page.getByRole('button', { name }).count(), name).to.equal(0);
    for (const name of ['New night', 'Starter catalogue', 'Check-in'])
      expect(await page.getByRole('link', { name }).count(), name).to.equal(0);
    const manager = await open('', api.venue.manager.token ?? '');
    await manager.getByRole('link', { name: 'New night' }).click();
    await manager.getByRole('button', { name: 'Start the night' }).waitFor();
    expect(await manager.locator('.problem').count()).to.equal(0);
    expect(await manager.getByRole('link', { name: 'Starter catalogue' }).count()).to.equal(0);
  });

  it('says what is not well', async () => {
    const page = await open();
    await page.route('**/api/v1/operations/status', async (route) => {
      const answer = await route.fetch();
      const status: unknown = await answer.json();
      await route.fulfill({ json: { ...(status as object), deadLetters: 3 } });
    });
    await page.reload();
    await page.getByText('Changes that could not be shown: 3.').waitFor();
    await page.unroute('**/api/v1/operations/status');
    await page.reload();
    await until(
      () => page.locator('.well-being').textContent(),
      (said) => said !== null && said.includes('All is well'),
    );
  });
});
