import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectStatus, idOf, textOf } from '../support/api/client.ts';
import { bodies, registerRig } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { until } from '../support/processes/waits.ts';
import { adminOf, press } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible, expectReadableColours } from '../support/web/browser.ts';

/** As many rigs as a large venue has. */
const RIGS = 12;

describeInBrowser('Pages: seats', (browser) => {
  const api = useVenue();
  const rigIds: string[] = [];

  before(async () => {
    const { eventId, manager, licenseId } = api.venue;
    for (let n = 1; n <= RIGS; n += 1) {
      const { rigId } = await registerRig(manager, licenseId);
      await manager.change(`/api/v1/rigs/${rigId}`, { name: `Seat ${String(n).padStart(2, '0')}` });
      rigIds.push(rigId);
    }
    await manager.change(`/api/v1/events/${eventId}`, { startsAt: new Date().toISOString(), finishedAt: null, rigIds });
  });

  const open = (): Promise<Page> => adminOf(browser, api)('/seats', api.venue.manager.token ?? '');

  const checkIn = async (firstName: string): Promise<string> => {
    const { eventId, manager } = api.venue;
    return idOf(await manager.create('/api/v1/check-ins', { firstName, lastName: 'Driver', eventId }));
  };

  const tile = (page: Page, n: number) =>
    page.locator('.tile').filter({ hasText: `Seat ${String(n).padStart(2, '0')}` });

  const choose = (page: Page, name: string): Promise<void> =>
    page.locator('.queue').getByRole('button', { name, exact: true }).click();

  it('are taken by a tap on a name and a tap on a rig, and shown live', async () => {
    const { manager, eventId } = api.venue;
    await checkIn('Ann');
    await checkIn('Ben');
    const page = await open();
    await page
      .locator('.tile')
      .nth(RIGS - 1)
      .waitFor();
    await tile(page, 3).locator('.sit').click();
    await page.getByText('tap a name').waitFor();
    await choose(page, 'Ann Driver');
    await page.getByText('Ann Driver: tap the rig.').waitFor();
    await expectAccessible(page);
    await tile(page, 3).locator('.sit').click();
    await tile(page, 3).getByText('Ann Driver').waitFor();
    await page.getByRole('status').filter({ hasText: 'Ann Driver sits on Seat 03 now.' }).waitFor();
    await page.locator('.queue').getByText('Ann Driver').waitFor({ state: 'detached' });
    expect(await api.anyone.read(`/api/v1/rigs/${rigIds[2]}/seat`)).to.include({
      participantName: 'Ann Driver',
      eventId,
    });
    // Somebody else seats a driver; whoever takes another rig leaves the first.
    const { participantId } = await api.anyone.read(`/api/v1/rigs/${rigIds[2]}/seat`);
    await manager.put(`/api/v1/rigs/${rigIds[4]}/seat`, { participantId: participantId ?? '', eventId });
    await tile(page, 5).getByText('Ann Driver').waitFor();
    await tile(page, 3).getByText('Free').waitFor();
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await expectReadableColours(page);
    }
  });

  it('take somebody who does not wait, found by name, by keys alone', async () => {
    const { manager } = api.venue;
    await manager.create('/api/v1/check-ins', { firstName: 'Åse', lastName: 'Elsewhere' });
    const page = await open();
    await page.getByLabel('Somebody else').fill('ase els');
    await page.getByRole('option', { name: 'Åse Elsewhere' }).waitFor();
    await page.keyboard.press('Enter');
    await tile(page, 7).locator('.sit').focus();
    await page.keyboard.press('Enter');
    await tile(page, 7).getByText('Åse Elsewhere').waitFor();
  });

  it('show the last lap, and correct since when somebody sits there, and leave', async () => {
    const { manager, eventId, carId, trackLayoutId } = api.venue;
    const participantId = await checkIn('Cid');
    const rigId = rigIds[9] ?? '';
    await manager.put(`/api/v1/rigs/${rigId}/seat`, { participantId, eventId });
    const page = await open();
    await tile(page, 10).getByText('Cid Driver').waitFor();
    await manager.create('/api/v1/laps', {
      ...bodies.lap({ participantId, rigId, eventId, carId, trackLayoutId }),
      totalTime: 83_456,
      drivenAt: new Date().toISOString(),
    });
    await tile(page, 10).getByText('Last lap 1:23.456').waitFor();
    await page.getByRole('button', { name: 'More about Seat 10' }).click();
    await expectAccessible(page);
    await page.getByLabel('Sits there since').fill('2026-05-01T20:15');
    await press(page, 'Save');
    await page.getByText('Corrected: Cid Driver on Seat 10.').waitFor();
    await until(
      async () => (await api.anyone.read(`/api/v1/rigs/${rigId}/seat`))['from'],
      (from) => from === '2026-05-01T18:15:00.000Z',
    );
    await page.getByRole('button', { name: 'More about Seat 10' }).click();
    await press(page, 'Leaves the seat');
    await tile(page, 10).getByText('Free').waitFor();
    await until(
      async () => (await api.anyone.get(`/api/v1/rigs/${rigId}/seat`)).status,
      (status) => status === 404,
    );
  });

  it('fit a tablet and a phone', async () => {
    const page = await open();
    await page
      .locator('.tile')
      .nth(RIGS - 1)
      .waitFor();
    for (const [width, height] of [
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await page.evaluate('document.documentElement.scrollWidth'), `${width}`).to.equal(width);
      // Three tiles beside each other on a tablet, two on a phone.
      const tops = await page.evaluate(
        `[...document.querySelectorAll('.tile')].map((one) => Math.round(one.getBoundingClientRect().left))`,
      );
      expect(new Set(tops as readonly number[]).size, `${width}`).to.equal(width === 390 ? 2 : 3);
    }
  });

  it('are twice as large on a 4K screen as in full HD, with all else on the page', async () => {
    const page = await open();
    await page.locator('.tile').first().waitFor();
    await page.locator('input').first().waitFor();
    const sizes: unknown[] = [];
    for (const [width, height] of [
      [1_920, 1_080],
      [3_840, 2_160],
    ] as const) {
      await page.setViewportSize({ width, height });
      const found: unknown = await page.evaluate(`['h1', '.menu a', '.tile .rig', 'button', 'input']
        .map((at) => parseFloat(getComputedStyle(document.querySelector(at)).fontSize))`);
      sizes.push(found);
    }
    const [small, large] = sizes as [readonly number[], readonly number[]];
    for (const [n, size] of small.entries()) expect(large[n]).to.be.closeTo(2 * size, 0.1);
  });

  it('are in the order of the numbers in their names', async () => {
    const page = await open();
    const { licenseId } = api.venue;
    const rigIds: string[] = [];
    for (const number of [10, 9, 100]) {
      const { rigId, rig } = await registerRig(api.admin, licenseId);
      await rig.change(`/api/v1/rigs/${rigId}`, { name: `Pod ${number}` });
      rigIds.push(rigId);
    }
    const { rigIds: before = [] } = await api.admin.read(`/api/v1/events/${api.venue.eventId}`);
    await api.admin.change(`/api/v1/events/${api.venue.eventId}`, { rigIds: [...(before as string[]), ...rigIds] });
    await page.reload();
    await page.locator('.tile').filter({ hasText: 'Pod 100' }).waitFor();
    const names = await page.locator('.tile .rig').filter({ hasText: 'Pod' }).allTextContents();
    expect(names).to.deep.equal(['Pod 9', 'Pod 10', 'Pod 100']);
    await api.admin.change(`/api/v1/events/${api.venue.eventId}`, { rigIds: before });
  });

  /** Opens *Add a rig* for a rig of this name, at a service that has these programs. */
  const openCode = async (name: string, programs: readonly string[]) => {
    const page = await open();
    const json = programs.map((program) => {
      return { name: program, bytes: 1_000 };
    });
    await page.route('**/downloads', (route) => route.fulfill({ json }));
    await press(page, 'Add a rig');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the rig').fill(name);
    await expectAccessible(page);
    await press(page, 'Show the code');
    await dialog.getByRole('timer').waitFor();
    await dialog.locator('.qr-code').waitFor();
    await expectAccessible(page);
    const line = await dialog.getByLabel('Line for the rig').inputValue();
    expect(await dialog.locator('.qr-code').getAttribute('data-text')).to.equal(line);
    const code = ((await dialog.locator('.code-letters').textContent()) ?? '').replace(' ', '');
    return { page, dialog, line, code };
  };

  it('get another rig by a code that is typed there, and show it without being loaded again', async () => {
    const { page, dialog, line, code } = await openCode('Seat 13', ['timing-bridge.exe', 'bridge.mjs']);
    const words = `--pair ${code} --server ${api.service.url}`;
    expect(line).to.equal(`timing-bridge.exe ${words}`);
    const address = await dialog.getByLabel('Program for Windows').inputValue();
    expect(address).to.equal(`${api.service.url}/downloads/timing-bridge.exe`);
    expect(await dialog.getByRole('link').first().getAttribute('href')).to.equal('/downloads/timing-bridge.exe');
    await dialog.getByText('The rig has Node.js').click();
    expect(await dialog.getByLabel('Line for a rig with Node.js').inputValue()).to.equal(`node bridge.mjs ${words}`);
    await expectAccessible(page);
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await expectReadableColours(page);
    }
    const body = { code, hardwareId: 'seat-13' };
    const answer = expectStatus(await api.anyone.post('/api/v1/rig-pairings/redemption', body), 201);
    const rigId = textOf(answer.body, 'rig', 'id');
    await page.getByRole('status').filter({ hasText: 'Seat 13 is paired.' }).waitFor();
    await tile(page, 13).waitFor();
    expect(await dialog.count()).to.equal(0);
    const event = await api.anyone.read(`/api/v1/events/${api.venue.eventId}`);
    expect(event['rigIds']).to.include(rigId);
  });

  it('say how the venue gets the program for rigs where the service does not have it', async () => {
    const none = await openCode('Seat 14', []);
    await none.dialog.getByText('npm run bridge:exe').waitFor();
    expect(none.line).to.equal(`npm run bridge -- --pair ${none.code} --server ${api.service.url}`);
    expect(await none.dialog.getByRole('link').count()).to.equal(0);
    const some = await openCode('Seat 15', ['bridge.mjs']);
    await some.dialog.getByText('The program for Windows is not on this server yet').waitFor();
    expect(some.line).to.equal(`node bridge.mjs --pair ${some.code} --server ${api.service.url}`);
  });
});
