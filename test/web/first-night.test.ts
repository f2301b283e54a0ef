import { expect } from 'chai';
import { textOf } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useService, useVenue } from '../support/api/with-service.ts';
import { until } from '../support/processes/waits.ts';
import { adminOf, fieldOf, fillIn, pick, press } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';

describeInBrowser('Pages: the first night', (browser) => {
  const api = useService();
  const open = adminOf(browser, api);

  it('is made of the starter catalogue, item by item, a rig, and a short form', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'From the catalogue' }).first().click();
    for (const name of ['Assetto Corsa Competizione', 'Circuit de Spa-Francorchamps', 'FIA GT3']) {
      const item = page.locator('.catalogue li').filter({ has: page.getByText(name, { exact: true }) });
      await press(item, `Take over: ${name}`);
      await item.getByText('there').waitFor();
    }
    await expectAccessible(page);
    const layouts = await api.anyone.list('/api/v1/track-layouts');
    expect(layouts.every(({ trackDisplayName }) => trackDisplayName === 'Circuit de Spa-Francorchamps')).to.equal(true);
    await page.getByRole('link', { name: 'Back to tonight' }).click();
    const rig = page.locator('.checklist li[aria-current=step]');
    await press(rig, 'Add');
    await page.locator('dialog').getByRole('textbox', { name: 'Name' }).fill('Left window');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.locator('dialog input[readonly]').waitFor();
    await press(page, 'Done');
    await page.locator('.checklist li[aria-current=step]').filter({ hasText: 'event' }).getByRole('link').click();
    // The only one is chosen already, as are the simulator and the rig.
    await fieldOf(page, 'Track layouts').locator('.chips').getByText('Spa-Francorchamps').waitFor();
    await page.getByRole('button', { name: /^\+ FIA GT3/ }).click();
    await fillIn(page, { Name: 'Opening night' });
    await expectAccessible(page);
    await press(page, 'Start the night');
    const card = page.locator('.event-card').filter({ hasText: 'Opening night' });
    await card.locator('[data-state=live]').waitFor();
    const [event = {}] = await api.anyone.list('/api/v1/events');
    expect(event).to.include({ name: 'Opening night', slug: 'opening-night', enabled: true });
    const rigs = await api.admin.list('/api/v1/rigs');
    expect(event['rigIds']).to.deep.equal(rigs.map(({ id }) => id));
    expect(rigs[0]).to.include({ name: 'Left window' });
    expect(textOf(rigs[0] ?? {}, 'hardwareId')).to.match(/^left-window-[\da-f]{6}$/);
    const cars = await api.anyone.list('/api/v1/cars');
    expect(event['carIds']).to.have.members(cars.map(({ id }) => id));
    await page.getByText('Before the first night').waitFor({ state: 'detached' });
  });
});

describeInBrowser('Pages: choosers that add what they lack', (browser) => {
  const api = useVenue();
  const open = adminOf(browser, api);

  it('do so in a dialog with the focus in its first field, and choose what was made, one above another', async () => {
    const page = await open('/cars/new');
    await fillIn(page, { 'Model name': 'Zonda R' });
    const brand = fieldOf(page, 'Brand').first();
    await brand.locator('[role=combobox]').fill('Pagani Works');
    await brand.getByRole('option', { name: 'Add “Pagani Works” …' }).click();
    const dialog = page.locator('dialog');
    const name = dialog.getByRole('textbox', { name: 'Display name' });
    await name.and(page.locator(':focus')).waitFor();
    expect(await name.inputValue()).to.equal('Pagani Works');
    await dialog.getByRole('combobox').fill('ital');
    await dialog.getByRole('combobox').press('Enter');
    expect(await dialog.getByRole('combobox').inputValue()).to.equal('Italy');
    await expectAccessible(page);
    await press(dialog, 'Create');
    await dialog.waitFor({ state: 'detached' });
    await until(
      () => brand.locator('[role=combobox]').inputValue(),
      (shown) => shown === 'Pagani Works',
    );
    const brands = await api.anyone.list('/api/v1/car-brands');
    expect(brands.find(({ displayName }) => displayName === 'Pagani Works')).to.include({
      slug: 'pagani-works',
      country: 'ITA',
    });
    const carClass = textOf(await api.anyone.read(`/api/v1/car-classes/${api.venue.carClassId}`), 'displayName');
    await pick(fieldOf(page, 'Car class'), carClass);
    await press(page, 'Create');
    await page.getByRole('heading', { name: 'Zonda R' }).waitFor();
  });

  it('name a layout with its track', async () => {
    const track = await api.admin.create('/api/v1/tracks', { ...bodies.track(), displayName: 'Monza' });
    await api.admin.create('/api/v1/track-layouts', {
      ...bodies.trackLayout(textOf(track, 'id')),
      displayName: 'Junior',
    });
    const page = await open('/track-layouts');
    await page.getByRole('link', { name: 'Monza · Junior' }).waitFor();
    await page.goto(`${api.service.url}/admin/events/new`);
    await fieldOf(page, 'Track layouts').locator('[role=combobox]').fill('monza junior');
    await page.getByRole('option', { name: 'Monza · Junior' }).waitFor();
  });

  it('are of no use to a key that may add nothing, and filters add nothing', async () => {
    const page = await open('/cars');
    await page.locator('main summary').click();
    await page.locator('.filters [role=combobox]').first().fill('Nothing of that name');
    await page.getByText('No match.').first().waitFor();
    expect(await page.getByRole('option', { name: /^Add/ }).count()).to.equal(0);
  });
});
