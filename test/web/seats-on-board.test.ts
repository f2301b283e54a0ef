import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectStatus } from '../support/api/client.ts';
import { registerRig } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';
import { describeInBrowser, expectAccessible } from '../support/web/browser.ts';
import { createCrowd } from '../support/web/crowd.ts';
import { readQrCode } from '../support/web/read-qr-code.ts';

const PUBLIC_URL = 'https://timing.venue.example:8443';
const RIGS = 12;
const WALL = { width: 1_920, height: 1_080 };
const NOTEBOOK = { width: 1_366, height: 768 };

describeInBrowser('Pages: who drives and who waits', (browser) => {
  const api = useService({ PUBLIC_URL });
  let crowd: Awaited<ReturnType<typeof createCrowd>>;
  const rigIds: string[] = [];

  before(async () => {
    crowd = await createCrowd(api.admin);
    const { manager, licenseId } = crowd.venue;
    for (let n = 0; n < RIGS; n += 1) {
      const { rigId } = await registerRig(manager, licenseId);
      await api.admin.change(`/api/v1/rigs/${rigId}`, { name: `Rig ${n + 1}` });
      rigIds.push(rigId);
    }
  });

  beforeEach(async () => {
    for (const rigId of rigIds) expectStatus(await api.admin.delete(`/api/v1/rigs/${rigId}/seat`), 204);
    await wait([]);
  });

  async function seat(rig: number, driver: number): Promise<void> {
    const body = { participantId: crowd.participantIds[driver] ?? '', eventId: crowd.eventId };
    expectStatus(await api.admin.put(`/api/v1/rigs/${rigIds[rig] ?? ''}/seat`, body), 200);
  }

  async function wait(drivers: readonly number[]): Promise<void> {
    const participantIds = drivers.map((driver) => crowd.participantIds[driver] ?? '');
    const path = `/api/v1/events/${crowd.eventId}/queue`;
    expectStatus(await api.admin.put(path, { participantIds }, { 'If-Match': '*' }), 200);
  }

  async function open(viewport: { readonly width: number; readonly height: number }): Promise<Page> {
    const reducedMotion = 'no-preference';
    const page = await browser.open('about:blank', { viewport, reducedMotion });
    await page.clock.install();
    await page.goto(`${api.service.url}/events/${crowd.eventId}`);
    await page.locator('[data-status=live]').waitFor();
    await page.locator('.newest li').first().waitFor();
    return page;
  }

  it('is shown by the newest laps as long as no seats are taken', async () => {
    const page = await open(NOTEBOOK);
    await page.getByRole('heading', { name: 'Last on the rigs' }).waitFor();
    expect(await page.locator('.next-up').count()).to.equal(0);
  });

  it('follows seats and the queue, live', async () => {
    const page = await open(NOTEBOOK);
    await seat(1, 24);
    const rigs = page.locator('.rigs', { has: page.getByRole('heading', { name: 'On the rigs', exact: true }) });
    await rigs.getByText('Gżegżółka').waitFor();
    expect(await rigs.locator('dt').allTextContents()).to.deep.equal(['Rig 2']);
    await wait([27, 5, 28]);
    await page.getByRole('heading', { name: 'Next up · 3' }).waitFor();
    expect(await page.locator('.next-up .family').allTextContents()).to.deep.equal([
      'Garrigues',
      'الهاشمي',
      'Carrascal',
    ]);
    await seat(0, 27);
    await page.getByRole('heading', { name: 'Next up · 2' }).waitFor();
    await rigs.getByText('Garrigues').waitFor();
    expect(await rigs.locator('dt').allTextContents(), 'in the order of their names').to.deep.equal(['Rig 1', 'Rig 2']);
    await expectAccessible(page);
    expectStatus(await api.admin.delete(`/api/v1/rigs/${rigIds[1] ?? ''}/seat`), 204);
    await rigs.getByText('Gżegżółka').waitFor({ state: 'detached' });
  });

  it('comes in turn with the last laps where a wall has no room for both, and nothing of it is cut', async () => {
    for (let n = 0; n < RIGS; n += 1) await seat(n, n);
    await wait(Array.from({ length: 20 }, (_, n) => RIGS + n));
    const page = await open(WALL);
    await page.locator('.next-up li').nth(11).waitFor({ state: 'attached' });
    const seen = new Set<string>();
    for (let turn = 0; turn < 2; turn += 1) {
      const shown: unknown = await page.evaluate(`(() => {
        const aside = document.querySelector('.aside').getBoundingClientRect();
        const within = (part) => {
          const { top, bottom, right } = part.getBoundingClientRect();
          return top >= aside.top && bottom <= aside.bottom + 1 && right <= aside.right + 1;
        };
        const panels = [...document.querySelectorAll('.aside .panel')];
        const seen = panels.filter((panel) => panel.getBoundingClientRect().top < aside.bottom);
        return { seen: seen.map(({ className }) => className), whole: seen.every(within),
          rigs: [...document.querySelectorAll('.rigs dd')].filter(within).length };
      })()`);
      const {
        seen: names,
        whole,
        rigs,
      } = shown as { readonly seen: readonly string[]; readonly whole: boolean; readonly rigs: number };
      expect(whole, names.join()).to.equal(true);
      if (names.join().includes('rigs')) expect(rigs).to.equal(RIGS);
      for (const name of names) seen.add(name);
      await page.clock.runFor(10_000);
    }
    expect([...seen]).to.have.members(['newest panel', 'phone-code panel', 'rigs panel', 'next-up panel']);
  });

  it('is on a phone by the QR code of a board, and the results by a link', async () => {
    const page = await open(NOTEBOOK);
    const cells: unknown = await page.evaluate(`(() => {
      const code = document.querySelector('.phone-code svg');
      const size = code.viewBox.baseVal.width - 8;
      const dark = new Set([...code.querySelector('.dark').getAttribute('d').matchAll(/M(\\d+) (\\d+)/g)]
        .map(([, column, row]) => row * size + Number(column)));
      return Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => dark.has(row * size + column)));
    })()`);
    expect(readQrCode(cells as boolean[][])).to.equal(`${PUBLIC_URL}/events/${crowd.eventId}`);
    const link = page.getByRole('link', { name: 'Results' });
    expect(await link.getAttribute('href')).to.equal(`/events/${crowd.eventId}/results`);
  });

  it('says how long the event still goes on', async () => {
    const path = `/api/v1/events/${crowd.eventId}`;
    const { startsAt = null, endsAt = null } = await api.anyone.read(path);
    const hour = 3_600_000;
    const running = {
      startsAt: new Date(Date.now() - hour).toISOString(),
      endsAt: new Date(Date.now() + hour).toISOString(),
    };
    await api.admin.change(path, running);
    const page = await open(NOTEBOOK);
    const timer = page.getByRole('timer');
    await timer.getByText(/^(1:00|59):\d\d( left|:\d\d left)/).waitFor();
    await api.admin.change(path, { finishedAt: new Date().toISOString() });
    await timer.waitFor({ state: 'detached' });
    await page.getByText('Finished').waitFor();
    await api.admin.change(path, { startsAt, endsAt, finishedAt: null });
  });
});

describeInBrowser('Pages: a board that only this machine can reach', (browser) => {
  const api = useService();

  it('says so in the place of the QR code for phones', async () => {
    const crowd = await createCrowd(api.admin, 1);
    const page = await browser.open(`${api.service.url}/events/${crowd.eventId}`, { viewport: NOTEBOOK });
    await page.getByText('Phones cannot reach 127.0.0.1').waitFor();
    expect(await page.locator('.phone-code svg').count()).to.equal(0);
    const answer = await api.anyone.get('/');
    expect(answer.text).to.include('name="public-url" content=""');
  });
});
