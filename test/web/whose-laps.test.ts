import { expect } from 'chai';
import { useVenue } from '../support/api/with-service.ts';
import { callCommand } from '../support/processes/command-process.ts';
import { useWorld } from '../support/processes/world.ts';
import { until } from '../support/processes/waits.ts';
import { adminOf } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';

describeInBrowser('Pages: laps of a rig on which nobody sits', (browser) => {
  const api = useVenue();
  const world = useWorld();

  it('wait visibly, and become those of somebody by one tap, from the reference rig to the list of laps', async () => {
    const { manager, eventId } = api.venue;
    const eventPath = `/api/v1/events/${eventId}`;
    await manager.change(eventPath, { startsAt: new Date().toISOString(), finishedAt: null });
    const rigsOf = async () => (await manager.read(eventPath))['rigIds'];
    const before = JSON.stringify(await rigsOf());
    await manager.create('/api/v1/check-ins', { firstName: 'Ann', lastName: 'Driver', eventId });
    const driving = callCommand([
      ...['rig', '--seated', '--laps', '3', '--every', '1', '--event', eventId, '--name', 'Lonely rig'],
      ...['--url', api.service.url, '--token', manager.token ?? '', '--data', world.dataDir],
    ]);
    await until(async () => JSON.stringify(await rigsOf()) !== before);
    const page = await adminOf(browser, api)('/seats', manager.token ?? '');
    const waiting = page.locator('.whose-laps li', { hasText: 'Lonely rig: laps without a driver: 3' });
    await waiting.waitFor();
    await waiting.getByRole('button').click();
    await page.getByText('tap a name').waitFor();
    await page.locator('.queue').getByRole('button', { name: 'Ann Driver', exact: true }).click();
    await expectAccessible(page);
    await waiting.getByRole('button', { name: 'They are of Ann Driver' }).click();
    await page.getByText('Ann Driver sits on Lonely rig, and the laps that wait are theirs.').waitFor();
    await waiting.waitFor({ state: 'detached' });
    const driven = await driving;
    expect(driven, driven.err).to.include({ code: 0 });
    const laps = await manager.list(`/api/v1/laps?eventId=${eventId}`);
    expect(laps.filter(({ participantName }) => participantName === 'Ann Driver')).to.have.length(3);
    await page.locator('.tile', { hasText: 'Lonely rig' }).getByText('Ann Driver').waitFor();
  });
});
