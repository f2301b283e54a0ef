import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { idOf, textOf } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { adminOf, fieldOf, fillIn, MAY_LEAVE, press, signIn } from '../support/web/admin.ts';
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

  it('says that a licence has a driver already, and keeps what was entered', async () => {
    const license = await api.admin.create('/api/v1/licenses', bodies.license());
    const name = textOf(license, 'license', 'name');
    const first = { ...bodies.participant(textOf(license, 'license', 'id')), firstName: 'Ada', lastName: 'Lovelace' };
    const id = idOf(await api.admin.create('/api/v1/participants', first));
    const page = await open('/participants/new');
    const entries = { License: name, 'First name': 'Niki', 'Last name': 'Lauda', Email: 'niki@example.org' };
    await fillIn(page, { ...entries, 'Phone number': '2' }, 'Create');
    await page.getByText('“Ada Lovelace” is already here').waitFor();
    expect(await fieldOf(page, 'First name').locator('input').inputValue()).to.equal('Niki');
    await fillIn(page, { 'First name': 'Ada', 'Last name': 'Lovelace' });
    expect(await api.admin.read(`/api/v1/participants/${id}`)).to.include({ firstName: 'Ada' });
  });

  it('asks about a lap in a dialog that is whole, and has the focus as it appears', async () => {
    const page = await open('/review');
    await page.locator('tbody tr').filter({ hasText: '1:39.576' }).first().waitFor();
    const focused = await page.evaluate(`new Promise((resolve) => {
      new MutationObserver(() => {
        const asked = document.querySelector('dialog');
        if (asked !== null) resolve(asked.contains(document.activeElement));
      }).observe(document.body, { childList: true, subtree: true });
      document.querySelector('.row-actions button').click();
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
    for (const name of ['Participant', 'Rig', 'Event', 'Car', 'Track']) {
      const field = fieldOf(page, name);
      await field.locator('[role=combobox]').fill(textOf(bodies.lap(api.venue), `${name.toLowerCase()}Id`));
      await field.locator('[role=option]').first().click();
    }
    await fillIn(page, { Valid: 'Yes', Sectors: '58.12 1:19.330', 'Total time': '2.17' });
    await fillIn(page, { 'Total time': '2:17,450' }, 'Create');
    await page.waitForURL(/[0-9a-f]{8}-[0-9a-f-]{27}$/);
    const stored = await api.anyone.read(`/api/v1/laps/${page.url().split('/').at(-1) ?? ''}`);
    expect(stored).to.deep.include({ totalTime: 137_450, sectors: [58_120, 79_330] });
    await fieldOf(page, 'Total time').locator('input').waitFor();
    expect(await fieldOf(page, 'Total time').locator('input').inputValue()).to.equal('2:17.450');
    expect(await fieldOf(page, 'Sectors').locator('input').inputValue()).to.equal('58.120, 1:19.330');
    await fillIn(page, { 'Total time': 'two minutes' }, 'Save');
    await page.getByText('Needs a time, like 2:17.450.').waitFor();
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
    await box.press('Enter');
    expect(await box.inputValue()).to.equal('Works 49');
  });

  it('shows the last page when there are fewer, and filters laps by times as racing people write them', async () => {
    const page = await open('/laps?page=360');
    await page.getByText(/in all, page 1 of 1$/).waitFor();
    const laps = contentOf(await api.anyone.read('/api/v1/laps/paged'));
    expect(laps).to.have.length(await page.locator('tbody tr').count());
    await page.getByText('Filters').click();
    await page.getByLabel('Max total time').fill('1:00.5');
    await page.keyboard.press('Tab');
    await page.waitForURL((url) => url.searchParams.get('maxTotalTime') === '60500');
    expect(await page.getByLabel('Max total time').inputValue()).to.equal('1:00.500');
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

  it('goes on without unsaved entries when asked to, and asks nothing once they are saved', async () => {
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
