import { expect } from 'chai';
import { textOf } from '../support/api/client.ts';
import { bodies } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { describeInBrowser, expectAccessible, expectReadableColours } from '../support/web/browser.ts';

describeInBrowser('Pages: the list of events', (browser) => {
  const api = useVenue();

  it('remembers the chosen colours for the next visit', async () => {
    const page = await browser.open(api.service.url);
    await page.getByRole('button', { name: 'Colours: Dark' }).click();
    const theme = 'document.documentElement.dataset.theme';
    for (const address of ['/', '/admin', '/?theme=light']) {
      await page.goto(api.service.url + address);
      expect(await page.evaluate(theme), address).to.equal(address.endsWith('light') ? 'light' : 'dark');
    }
  });

  it('lists the public events and leads to their boards, in both themes, readable for everybody', async () => {
    const page = await browser.open(api.service.url);
    const name = textOf((await api.anyone.get(`/api/v1/events/${api.venue.eventId}`)).body, 'name');
    await page.getByRole('link', { name }).waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectReadableColours(page);
    await page.getByRole('link', { name }).click();
    await page.waitForURL(`**/events/${api.venue.eventId}`);
  });

  it('says in German that there is nothing yet, and keeps the choices in its links', async () => {
    await api.admin.patch(`/api/v1/events/${api.venue.eventId}`, { enabled: false });
    const page = await browser.open(`${api.service.url}/?lang=de&theme=light`);
    await page.getByText('Noch keine Veranstaltungen').waitFor();
    const link = page.getByRole('link', { name: 'Verwaltung' });
    expect(await link.getAttribute('href')).to.equal('/admin?lang=de&theme=light');
    await api.admin.patch(`/api/v1/events/${api.venue.eventId}`, { enabled: true });
  });

  it('shows more than a page of events on demand, each once', async () => {
    const event = () => api.admin.create('/api/v1/events', { ...bodies.event(api.venue), enabled: true });
    await Promise.all(Array.from({ length: 51 }, event));
    const page = await browser.open(api.service.url);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('.events li').nth(51).waitFor();
    const links = await page.locator('.events a').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(new Set(addresses).size).to.equal(52);
  });

  it('has what runs first, then what comes, then what was, below dates', async () => {
    const day = 24 * 3_600_000;
    const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const plan = async (name: string, startsAt: string, endsAt: string | null = null): Promise<void> => {
      await api.admin.create('/api/v1/events', { ...bodies.event(api.venue), name, startsAt, endsAt, enabled: true });
    };
    await plan('Last week', at(-7 * day), at(-6 * day));
    await plan('Next week', at(7 * day));
    await plan('Tonight', at(-3_600_000));
    const page = await browser.open(api.service.url);
    await page.locator('.past li').first().waitFor();
    const headings = ['Now', 'Coming', 'Without a date', 'Past'];
    expect(await page.locator('main h2').allTextContents()).to.deep.equal(headings);
    expect(await page.locator('.running strong').allTextContents()).to.deep.equal(['Tonight']);
    expect(await page.locator('.coming h3').textContent()).to.match(/^\d+ \w+ \d{4}$/);
    expect(await page.locator('.coming time').textContent()).to.match(/^\d\d:\d\d$/);
    await expectAccessible(page);
  });

  it('tries again while the service does not answer', async () => {
    const page = await browser.open(`${api.service.url}/swagger-ui`);
    await page.route('**/api/v1/events/paged*', (route) => route.abort());
    await page.goto(api.service.url);
    await page.getByText('cannot be reached').waitFor();
    await page.unroute('**/api/v1/events/paged*');
    await page.locator('.events li').first().waitFor();
  });
});
