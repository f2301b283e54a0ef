import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { idOf, textOf } from '../support/api/client.ts';
import { until } from '../support/processes/waits.ts';
import { upload } from '../support/api/uploads.ts';
import { bodies, createLicense, issueKey, works } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { adminOf, fieldOf, fillIn, pick, press, save } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>';

describeInBrowser('Pages: laps, keys, rigs, files and licences in the administration', (browser) => {
  const api = useVenue();
  const open = adminOf(browser, api);
  const confirm = async (page: Page, name: string): Promise<void> => {
    await press(page, name);
    await page.locator('dialog').getByRole('button', { name, exact: true }).click();
  };

  it('watches the laps of one event, and validates an invalid one again', async () => {
    const otherId = idOf(await api.admin.create('/api/v1/events', { ...bodies.event(api.venue), name: 'Other night' }));
    const lap = { ...bodies.lap(api.venue), eventId: otherId, totalTime: 77_777, valid: false };
    const lapId = idOf(await api.venue.manager.create('/api/v1/laps', lap));
    const page = await open('/review');
    await page.locator('.lap').nth(1).waitFor();
    await pick(page.locator('.page-head .form-field'), 'Other night');
    const row = page.locator('.lap');
    await row.nth(1).waitFor({ state: 'detached' });
    await row.filter({ hasText: '1:17.777' }).waitFor();
    expect(await row.count()).to.equal(1);
    await row.getByRole('button', { name: 'Validate again' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Validate again' }).click();
    await row.getByRole('button', { name: 'Invalidate' }).waitFor();
    expect(await api.anyone.read(`/api/v1/laps/${lapId}`)).to.include({ valid: true });
  });

  it('refuses a verdict on a lap that somebody else has judged meanwhile', async () => {
    const page = await open('/review');
    const row = page.locator('.lap').filter({ hasText: '1:39.576' }).first();
    await row.getByRole('button', { name: 'Invalidate' }).click();
    await api.admin.change(`/api/v1/laps/${api.venue.lapId}`, { valid: false, reason: 'Cut at turn one' });
    await page.locator('dialog').getByLabel('Reason').fill('Cut');
    await page.locator('dialog').getByRole('button', { name: 'Invalidate' }).click();
    await page.getByText('Somebody else has changed this lap in the meantime').waitFor();
  });

  it('issues keys that are shown once, rotates and revokes them', async () => {
    const page = await open('/api-keys/new');
    await fillIn(page, { Name: 'Front desk', Role: 'CRUD' }, 'Create');
    const shown = page.locator('dialog input[readonly]');
    await shown.waitFor();
    const token = await shown.inputValue();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(page, 'Copy');
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(token);
    await page.keyboard.press('Escape');
    expect(await shown.inputValue()).to.equal(token);
    await expectAccessible(page);
    await press(page, 'Done');
    await page.getByRole('heading', { name: 'Front desk' }).waitFor();
    expect(`${page.url()} ${await page.content()}`).not.to.include(token);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.to.include(token);
    expect(await works(api.admin.as(token))).to.equal(true);

    await confirm(page, 'Rotate now');
    await shown.waitFor();
    const second = await shown.inputValue();
    await press(page, 'Done');
    expect([await works(api.admin.as(token)), await works(api.admin.as(second))]).to.deep.equal([false, true]);
    await confirm(page, 'Revoke');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(await works(api.admin.as(second))).to.equal(false);
  });

  it('replaces the key of a rig, and shows which laps are missing', async () => {
    const { rigId, rig } = api.venue;
    const lap = { ...bodies.lap(api.venue), totalTime: 101_000 };
    for (const number of [1, 4]) await rig.create('/api/v1/laps', { ...lap, sequence: { boot: 'evening', number } });
    const page = await open(`/rigs/${rigId}`);
    await page.locator('.completeness tbody').getByText('2–3').waitFor();
    await expectAccessible(page);
    await confirm(page, 'Issue a new key');
    const token = await page.locator('dialog input[readonly]').inputValue();
    expect([await works(rig), await works(api.admin.as(token))]).to.deep.equal([false, true]);
    await press(page, 'Done');
    await page.goto(`${api.service.url}/admin/events/${api.venue.eventId}`);
    await page.locator('.completeness tbody').getByText('2–3').waitFor();
  });

  it('uploads a file, shows it before and after, and puts its key into the field', async () => {
    const page = await open(`/tracks/${api.venue.trackId}`);
    await press(page, 'Upload: Logo');
    const dialog = page.locator('dialog');
    const file = { name: 'new-logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(SVG) };
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByRole('img', { name: 'Picture: new-logo.svg' }).waitFor();
    expect(await dialog.locator('select').inputValue()).to.equal('TRACK');
    await dialog.getByText('There is no file under this key yet.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await fieldOf(page, 'Logo').locator('input').inputValue()).to.equal('TRACK/new-logo.svg');
    await page.getByRole('img', { name: 'Picture: TRACK/new-logo.svg' }).waitFor();
    await save(page);

    await page.goto(`${api.service.url}/admin/uploads`);
    await page.locator('input[type=file]').setInputFiles({ ...file, name: '../up.svg' });
    await page.getByLabel('Name of the file').fill('../up.svg');
    await press(page, 'Upload');
    await page.getByText('The file was refused').waitFor();
    await page.getByLabel('Name of the file').fill('gt3/up.svg');
    await press(page, 'Upload');
    await page.getByRole('link', { name: 'BRAND/gt3/up.svg' }).waitFor();
    await expectAccessible(page);
  });

  it('lists the stored files with their pictures, page by page, those that were uploaded last first', async () => {
    for (let n = 0; n < 30; n += 1)
      await upload(api.admin, `LOGO/stored-${n}.svg`, SVG.replace('red', `#0000${10 + n}`));
    const { client } = await issueKey(api.venue.manager, 'R');
    const page = await open('', client.token ?? '');
    await page.locator('.menu').getByRole('link', { name: 'Files' }).click();
    const files = page.locator('.files li');
    await files.nth(23).waitFor();
    expect(await files.first().textContent()).to.include('LOGO/stored-29.svg');
    expect(await page.locator('input[type=file]').count(), 'a key that only reads').to.equal(0);
    await until(() =>
      files
        .first()
        .locator('img')
        .evaluate((picture) => Reflect.get(picture, 'naturalWidth') === 40),
    );
    await expectAccessible(page);
    await press(page, 'Next');
    await files.filter({ hasText: 'LOGO/stored-0.svg' }).waitFor();
    await page.getByText('Filters').click();
    await page.getByLabel('Folder').selectOption('LOGO');
    await page.getByText('30 in all, page 1 of 2').waitFor();
    await files.first().getByRole('link').click();
    await page.getByRole('heading', { name: 'stored-29.svg' }).waitFor();
    await page.getByRole('img', { name: 'Picture: LOGO/stored-29.svg' }).waitFor();
    await page.getByRole('navigation', { name: 'Back' }).getByRole('link').click();
    await files.nth(23).waitFor();
  });

  it('issues a licence with its first key, downloads its file, and invalidates older files', async () => {
    const page = await open('/licenses/new');
    await fillIn(page, { Name: 'arena', 'Display name': 'Arena' }, 'Create');
    const token = await page.locator('dialog input[readonly]').inputValue();
    expect(await works(api.admin.as(token))).to.equal(true);
    await press(page, 'Done');
    await page.getByRole('heading', { name: 'arena' }).waitFor();
    const download = page.waitForEvent('download');
    await press(page, 'Licence file');
    expect((await download).suggestedFilename()).to.equal('license-arena.json');
    const before = await api.admin.as(token).read('/api/v1/licenses/current');
    await confirm(page, 'New licence key');
    await page.getByText(textOf(before, 'licenseKey')).waitFor({ state: 'detached' });
  });

  it('reads a record again, and not twice at a time, if it was changed while it was read', async () => {
    const path = `/api/v1/licenses/${(await createLicense(api.admin)).licenseId}`;
    const page = await open(path.replace('/api/v1', ''));
    await page.getByText(textOf(await api.admin.read(path), 'licenseKey')).waitFor();
    let answered = 0;
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch();
      answered += 1;
      await held;
      await route.fulfill({ response });
    });
    for (const _ of [1, 2]) {
      await confirm(page, 'New licence key');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await until(async () => answered === 1);
    }
    answer();
    await page.getByText(textOf(await api.admin.read(path), 'licenseKey')).waitFor();
    expect(answered).to.equal(2);
  });
});
