import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { idOf, textOf } from '../support/api/client.ts';
import { bodies, createLicense } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { until } from '../support/processes/waits.ts';
import { adminOf } from '../support/web/admin.ts';
import { describeInBrowser, expectAccessible, expectReadableColours } from '../support/web/browser.ts';

/** Forty people, each with a name of their own. */
const FORTY = Array.from({ length: 40 }, (_, n) => `Walkin Number${String.fromCharCode(97 + (n % 26))}${n}`);

/** What a key of the keyboard and a letter of a text cost, in s. */
const COST = { key: 0.35, letter: 0.25 };

describeInBrowser('Pages: the front desk', (browser) => {
  const api = useVenue();
  const open = (path = '/check-in'): Promise<Page> => adminOf(browser, api)(path, api.venue.manager.token ?? '');

  beforeEach(async () => {
    const { eventId, manager } = api.venue;
    await manager.change(`/api/v1/events/${eventId}`, { startsAt: new Date().toISOString(), finishedAt: null });
    await manager.put(`/api/v1/events/${eventId}/queue`, { participantIds: [] });
  });

  const queue = async (): Promise<readonly string[]> =>
    (await api.anyone.list(`/api/v1/events/${api.venue.eventId}/queue`)).map((one) => textOf(one, 'participantName'));

  /** Waits until these people are shown in the queue, in this order. */
  const showsQueue = async (page: Page, names: readonly string[]): Promise<void> => {
    await until(
      () => page.locator('.queue .name').allTextContents(),
      (shown) => shown.join() === names.join(),
    );
  };

  /** Waits until an element has the focus. */
  const hasFocus = async (page: Page, selector: string): Promise<void> => {
    await until(() => page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`));
  };

  const field = (page: Page) => page.getByLabel('Who is here?');

  it('checks in somebody new by their name and Enter, with the key of a venue, and tells screen readers', async () => {
    const page = await open();
    await field(page).waitFor();
    await page.keyboard.type('Nora van der Lindqvist');
    await page.getByRole('option', { name: 'Add Nora van der Lindqvist' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.locator('[role=status].said', { hasText: 'Nora van der Lindqvist is checked in' }).waitFor();
    await showsQueue(page, ['Nora van der Lindqvist']);
    expect(await field(page).inputValue()).to.equal('');
    const { content } = await api.venue.manager.read('/api/v1/participants/paged?name=nora+lindqvist');
    expect(content).to.have.length(1);
    expect((content as readonly object[])[0]).to.include({ firstName: 'Nora', lastName: 'van der Lindqvist' });
    await expectAccessible(page);
  });

  it('offers regulars as one types, without accents, and tells namesakes apart', async () => {
    const { manager, eventId } = api.venue;
    await manager.create('/api/v1/check-ins', { firstName: 'Åsa', lastName: 'Ångström' });
    for (const email of ['one@example.org', 'two@example.org'])
      await manager.create('/api/v1/check-ins', { firstName: 'Sam', lastName: 'Regular', email });
    const page = await open(`/check-in?eventId=${eventId}`);
    await field(page).fill('asa an');
    await page.getByRole('option', { name: 'Åsa Ångström' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await showsQueue(page, ['Åsa Ångström']);
    await field(page).fill('sam reg');
    await page.getByRole('option', { name: /Sam Regular \(.*two@example\.org/ }).waitFor();
    const shown = await page.getByRole('option').allTextContents();
    expect(
      shown.filter((name) => name.startsWith('Sam Regular')),
      'namesakes',
    ).to.have.length(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.queue li').nth(1).waitFor();
    expect(await queue()).to.deep.equal(['Åsa Ångström', 'Sam Regular']);
    await field(page).fill('Åsa Ångström');
    await page.getByRole('option', { name: 'Åsa Ångström', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('waits already').waitFor();
    expect(await queue()).to.have.length(2);
  });

  it('takes a first and a last name that nobody has for somebody new, and one that somebody has for them', async () => {
    const { manager } = api.venue;
    await manager.create('/api/v1/check-ins', { firstName: 'Anna', lastName: 'Schmidtbauer' });
    const page = await open();
    await field(page).fill('schmidtb');
    await page.getByRole('option', { name: 'Anna Schmidtbauer' }).waitFor();
    await page.keyboard.press('Enter');
    await showsQueue(page, ['Anna Schmidtbauer']);
    await field(page).fill('Anna Schmidt');
    await page.getByRole('option', { name: 'Anna Schmidtbauer' }).waitFor();
    expect(await page.getByRole('option', { selected: true }).textContent()).to.equal('Add Anna Schmidt');
    await page.keyboard.press('Enter');
    await showsQueue(page, ['Anna Schmidtbauer', 'Anna Schmidt']);
    await manager.put(`/api/v1/events/${api.venue.eventId}/queue`, { participantIds: [] });
    for (const typed of ['anna schmidt', 'Schmidt, Anna']) {
      await field(page).fill(typed);
      await page.getByRole('option', { name: 'Anna Schmidt', exact: true }).waitFor();
      expect(await page.getByRole('option', { selected: true }).textContent()).to.equal('Anna Schmidt');
    }
    await page.keyboard.press('Enter');
    await showsQueue(page, ['Anna Schmidt']);
    await expectAccessible(page);
  });

  it('asks who it is where somebody was entered before that could be known', async () => {
    await api.venue.manager.create('/api/v1/check-ins', { firstName: 'Kim', lastName: 'Early-Bird' });
    const page = await open();
    // Nobody waits for the list: what is typed is sent on at once.
    await field(page).waitFor();
    await page.evaluate(`{
      const input = document.querySelector('#arrival');
      const enter = (text) => {
        input.value = text;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        return new Promise((resolve) => requestAnimationFrame(() => {
          input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
          requestAnimationFrame(resolve);
        }));
      };
      globalThis.entered = enter('Kim Early').then(() => enter('Ida Newman'));
    }`);
    await page.getByText('Is it one of these?').waitFor();
    await expectAccessible(page);
    await showsQueue(page, ['Ida Newman']);
    await page.locator('.on-the-way').getByRole('button', { name: 'Kim Early-Bird' }).click();
    await showsQueue(page, ['Ida Newman', 'Kim Early-Bird']);
    expect(await page.locator('.on-the-way').count()).to.equal(0);
  });

  it('asks for an e-mail address only where the form of the event does', async () => {
    const { manager, eventId } = api.venue;
    const asking = await manager.create('/api/v1/signup-fields', {
      ...bodies.signupField(eventId),
      type: 'EMAIL',
      required: true,
    });
    const page = await open(`/check-in?eventId=${eventId}`);
    await field(page).fill('Mia Mailer');
    await page.getByRole('option', { name: 'Add Mia Mailer' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('E-mail address of Mia Mailer').waitFor();
    await expectAccessible(page);
    await page.keyboard.type('mia@example.org');
    await page.keyboard.press('Enter');
    await showsQueue(page, ['Mia Mailer']);
    await hasFocus(page, '#arrival');
    await manager.change(`/api/v1/signup-fields/${idOf(asking)}`, { required: false });
  });

  it('loses and doubles nobody when an answer is lost', async () => {
    const page = await open();
    let lost = 0;
    await page.route('**/api/v1/check-ins', async (route) => {
      if (lost === 2) return route.continue();
      lost += 1;
      // The service has taken it; the answer does not arrive.
      await route.fetch();
      return route.abort();
    });
    await field(page).fill('Lou Loss');
    await page.getByRole('option', { name: 'Add Lou Loss' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('No answer yet').waitFor();
    await page.locator('.said', { hasText: 'Lou Loss is checked in' }).waitFor();
    expect(lost).to.equal(2);
    await showsQueue(page, ['Lou Loss']);
    expect((await api.venue.manager.read('/api/v1/participants/paged?name=lou+loss'))['totalElements']).to.equal(1);
  });

  it('shows a refusal beside whom it is about, and goes on with the others', async () => {
    const stranger = await createLicense(api.admin);
    const page = await adminOf(browser, api)(`/check-in?eventId=${api.venue.eventId}`, stranger.manager.token ?? '');
    await field(page).fill('Rita Refused');
    await page.getByRole('option', { name: 'Add Rita Refused' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.on-the-way', { hasText: 'Your key may not do this' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Leave out' }).click();
    await page.locator('.on-the-way').waitFor({ state: 'detached' });
  });

  it('changes the order by buttons, by dragging and from elsewhere, and takes people out, by keys alone', async () => {
    const { manager, eventId } = api.venue;
    for (const firstName of ['Ann', 'Ben', 'Cid'])
      await manager.create('/api/v1/check-ins', { firstName, lastName: 'Waiting', eventId });
    const page = await open();
    await showsQueue(page, ['Ann Waiting', 'Ben Waiting', 'Cid Waiting']);
    const up = page.getByRole('button', { name: 'Move Cid Waiting up' });
    await up.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await showsQueue(page, ['Cid Waiting', 'Ann Waiting', 'Ben Waiting']);
    await hasFocus(page, '[aria-label="Move Cid Waiting up"]');
    await page
      .locator('.queue [role=status]', { hasText: 'Cid Waiting is number 1 now.' })
      .waitFor({ state: 'attached' });
    await page.locator('.queue li').nth(2).dragTo(page.locator('.queue li').nth(0));
    await showsQueue(page, ['Ben Waiting', 'Cid Waiting', 'Ann Waiting']);
    const ids = (await api.anyone.list(`/api/v1/events/${eventId}/queue`)).map((one) => textOf(one, 'participantId'));
    await manager.put(`/api/v1/events/${eventId}/queue`, { participantIds: ids.toReversed() });
    await showsQueue(page, ['Ann Waiting', 'Cid Waiting', 'Ben Waiting']);
    await page.getByRole('button', { name: 'Take Cid Waiting out' }).focus();
    await page.keyboard.press('Enter');
    await showsQueue(page, ['Ann Waiting', 'Ben Waiting']);
  });

  it('checks forty people in within five minutes of typing, with two keys beyond the text of each', async () => {
    const page = await open();
    await field(page).waitFor();
    let seconds = 0;
    for (const name of FORTY) {
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      seconds += name.length * COST.letter + COST.key;
    }
    await page.locator('.queue li').nth(39).waitFor();
    await page.locator('.on-the-way').waitFor({ state: 'detached' });
    expect(await queue()).to.deep.equal(FORTY);
    expect(seconds).to.be.below(300);
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      await expectReadableColours(page);
    }
  });
});
