import { expect } from 'chai';
import { expectStatus, idOf } from '../support/api/client.ts';
import { POISON, useProjectionFault } from '../support/api/projection-fault.ts';
import { bodies, createLicense } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { adminOf, press } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';

describeInBrowser('Pages: operations in the administration', (browser) => {
  const fault = useProjectionFault();
  const api = useVenue();
  const open = adminOf(browser, api);

  it('show health, lag, which process projects, and what is served', async () => {
    const page = await open('/operations');
    await page.getByRole('heading', { name: 'Health UP' }).waitFor();
    await page.getByText(`process ${process.pid} on`).first().waitFor();
    await page.locator('.facts').getByText('running').waitFor();
    await page.getByRole('heading', { name: 'Dead letters: 0' }).waitFor();
  });

  it('show dead letters without personal data, and retry them', async () => {
    const { manager, licenseId } = await createLicense(api.admin);
    fault.on = true;
    const body = { ...bodies.participant(licenseId), lastName: POISON };
    const headers = { Prefer: 'respond-async' };
    const person = idOf(expectStatus(await manager.post('/api/v1/participants', body, headers), 202).body);
    await caughtUp(api.admin);
    const page = await open('/operations');
    const letter = page.locator('tr').filter({ hasText: 'ParticipantRegistered' });
    await letter.locator('summary').click();
    await letter.locator('pre').getByText('"***"').first().waitFor();
    expect(await letter.textContent()).not.to.match(/Poison|Ada|example\.org/);
    await expectAccessible(page);
    await press(letter, 'Retry');
    await page.getByText('still could not be projected: cannot project such a person').waitFor();
    fault.on = false;
    await press(letter, 'Retry');
    await page.getByText('was projected.').waitFor();
    await page.getByRole('heading', { name: 'Dead letters: 0' }).waitFor();
    expect(await api.admin.read(`/api/v1/participants/${person}`)).to.include({ lastName: POISON });
  });

  it('rebuild the read models after a confirmation, and show the progress', async () => {
    const page = await open('/operations');
    await press(page, 'Rebuild the read models');
    await page.locator('dialog').getByRole('button', { name: 'Rebuild the read models' }).click();
    await page.locator('.rebuild').getByText('done').waitFor();
    await page.locator('.rebuild').getByText('Root ADMIN key').waitFor();
    await page.locator('.operations').getByText('built-in-2').first().waitFor();
  });

  it('show the progress of a rebuild: how much is done, how fast, and the time left', async () => {
    const page = await open('/operations');
    const status = await api.admin.read('/api/v1/operations/status');
    const { rebuild: last } = status;
    const progress = {
      events: 61_200,
      position: 61_204,
      head: 102_007,
      percent: 59,
      eventsPerSecond: 8_740,
      etaMs: 4_700,
      at: '2026-05-01T21:10:12.402Z',
    };
    const rebuild = {
      ...Object.fromEntries(Object.entries(last ?? {})),
      phase: 'projecting',
      finishedAt: null,
      progress,
    };
    await page.route('**/operations/status', (route) => route.fulfill({ json: { ...status, rebuild } }));
    await page.getByText('59 %: 61200 events, 8740 per second. About 4.7 s to go.').waitFor();
    expect(await page.locator('progress').getAttribute('value')).to.equal('59');
    expect(await page.getByRole('button', { name: 'Rebuild the read models' }).count()).to.equal(0);
    await expectAccessible(page);
  });
});
