import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { HOSTILE_SVGS } from '../support/api/hostile-svgs.ts';
import { idOf } from '../support/api/client.ts';
import { until } from '../support/api/http.ts';
import { bodies, registerRig, enter } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { listen } from '../support/processes/listen.ts';
import { describeInBrowser } from '../support/web/browser.ts';
import { uploadPicture } from '../support/web/evening.ts';

/** Names that run something, lead elsewhere or break a page if they are not treated as text. */
const NAMES: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "';alert(1)//",
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">click</a>',
  'javascript:alert(1)',
  '<body onload=alert(1)>',
  '<style>*{display:none}</style>',
  '</title><script>alert(1)</script>',
  '<base href="https://example.com/">',
  '<meta http-equiv="refresh" content="0;url=https://example.com">',
  '<form action="https://example.com"><button>',
  '<math><mtext><script>alert(1)</script>',
  '<!--<script>alert(1)</script>-->',
  ']]><script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  ['$', '{alert(1)}'].join(''),
  '<%= alert(1) %>',
  '{name} {time} {seconds}',
  '$& $1 $` %s %d',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '__proto__',
  'constructor',
  '\u202Emoc.elpmaxe\u202D',
  '\u2067שלום\u2069 \u202Bعربى',
  'W'.repeat(60),
  '👩‍👩‍👧‍👦🏁🏎️👩🏽‍🚀 🇩🇪',
  'Z\u0351\u036B\u0343a\u035C\u0321l\u0322\u0353g\u0330o\u034D' + '\u0301'.repeat(40),
  '\u200B\u200D\uFEFFinvisible\u00AD\u2028line\u2029two',
  "Robert'); DROP TABLE laps;--",
];

/** The attacker's server: it serves the files without our headers, and records when it is called. */
async function startHome(called: string[]): Promise<{ readonly home: Server; readonly origin: string }> {
  const files = Object.values(HOSTILE_SVGS);
  const home = createServer(({ url = '', headers }, response) => {
    const [, what = '', which = ''] = url.split('/');
    if (what !== 'file') called.push(`${what} ${which}`);
    const file = what === 'file' ? files[Number(which)]?.(`http://${String(headers.host)}/home/${which}`) : undefined;
    response.setHeader('Content-Type', file === undefined ? 'text/plain' : 'image/svg+xml').end(file ?? '');
  });
  return { home, origin: `http://127.0.0.1:${await listen(home)}` };
}

describeInBrowser(
  `Pages: ${NAMES.length} hostile names, and ${Object.keys(HOSTILE_SVGS).length} SVGs as logos and as files`,
  (browser) => {
    const api = useVenue();
    let eventId = '';
    const called: string[] = [];
    let home: Server;
    let origin = '';
    after(() => home.close());
    before(async () => {
      const { venue, admin } = api;
      ({ home, origin } = await startHome(called));
      const brandIds: string[] = [];
      const elsewhere = [
        'https://example.com/x.svg',
        'javascript:alert(1)',
        'BRAND/../../x',
        '//example.com/x',
        'data:,',
      ];
      for (const [n, logo] of elsewhere.entries()) {
        const brand = { name: NAMES[n] ?? '', websiteUrl: 'https://example.com', logo, logoUrl: n < 2 };
        brandIds.push(idOf(await admin.create('/api/v1/brands', brand)));
      }
      const logos = Object.values(HOSTILE_SVGS).map((svg, n) => svg(`${origin}/victim/${n}`));
      await Promise.all(logos.map((svg, n) => uploadPicture(admin, `hostile-${n}.svg`, svg)));
      for (const n of logos.keys()) {
        const name = NAMES[n % NAMES.length] ?? '';
        const logo = `BRAND/hostile-${n}.svg`;
        const websiteUrl = `https://example.com/${n}"><script>alert(1)</script>`;
        brandIds.push(idOf(await admin.create('/api/v1/brands', { name, websiteUrl, logo })));
      }
      const name = '<img src=x onerror=alert(1)> \u202Egnineve';
      const i18nJson = { de: { name: '<svg onload=alert(1)>' }, en: '<script>' };
      eventId = idOf(await admin.create('/api/v1/events', { ...bodies.event(venue), name, i18nJson, brandIds }));
      const participantIds = await Promise.all(NAMES.map((hostile) => enter(admin, hostile, hostile)));
      for (const [n, hostile] of NAMES.entries()) {
        const participantId = participantIds[n] ?? '';
        const { rigId } = n < 5 ? await registerRig(venue.manager, venue.licenseId) : venue;
        if (n < 5) await admin.change(`/api/v1/rigs/${rigId}`, { name: hostile });
        const lap = { ...bodies.lap({ ...venue, eventId, participantId, rigId }), totalTime: 99_576 + n };
        await admin.create('/api/v1/laps', lap);
      }
    });

    /** Expects that the page is as wide as the screen, and shows each name as text. */
    async function expectWhole(page: Page, width: number): Promise<void> {
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
      expect(await page.evaluate('location.origin')).to.equal(api.service.url);
      const foreign = 'document.querySelectorAll("iframe, object, embed, form, base, body svg, body script").length';
      expect(await page.evaluate(foreign)).to.equal(0);
    }

    for (const [lang, width] of [
      ['en', 1_440],
      ['de', 390],
    ] as const) {
      it(`are texts on the board, and pictures: ${lang}, ${width} pixels wide`, async () => {
        const page = await browser.open(`${api.service.url}/events/${eventId}?lang=${lang}`, {
          viewport: { width, height: 900 },
        });
        await page
          .locator('.standings tbody tr')
          .nth(NAMES.length - 1)
          .waitFor();
        await page.locator('.newest li').nth(9).waitFor();
        await page.locator('.sponsors li').nth(23).waitFor();
        await page.waitForLoadState('networkidle');
        const shown = await page.locator('.standings tbody .driver .name').allTextContents();
        expect(shown).to.deep.equal(NAMES.map((name) => `${name} ${name}`));
        const heights = await page.evaluate(
          '[...new Set([...document.querySelectorAll(".standings tbody tr")].map((row) => row.offsetHeight))].length',
        );
        expect(heights, 'rows are of one height').to.equal(1);
        const links = await page.evaluate(
          '[...document.querySelectorAll(".sponsors a")].every(({ href }) => href.startsWith("https://example.com/"))',
        );
        expect(links).to.equal(true);
        await expectWhole(page, width);
      });
    }

    it('are texts on the overlay, also in its lower third', async () => {
      const query = '?rows=100&columns=position,name,gap,best,last,sectors';
      const page = await browser.open(`${api.service.url}/overlay/${eventId}${query}`);
      await page
        .locator('.ranking tbody tr')
        .nth(NAMES.length - 1)
        .waitFor();
      const participantId = await enter(api.admin, '<img src=x onerror=alert(1)>', '\u202Etsaf');
      await api.admin.create('/api/v1/laps', {
        ...bodies.lap({ ...api.venue, eventId, participantId }),
        totalTime: 90_000,
      });
      await page.locator('.lower-third.shown', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
      await expectWhole(page, 1_280);
    });

    it('run no script, load nothing and lead nowhere, although each does when served without our headers', async () => {
      const tab = await browser.tab();
      const unprotected = await browser.tab();
      for (const n of Object.keys(HOSTILE_SVGS).keys()) {
        const shown = await tab.goto(`${api.service.url}/cdn/BRAND/hostile-${n}.svg`, { waitUntil: 'commit' });
        expect(shown?.status()).to.equal(200);
        // The same without our headers: once it has acted, the other has had enough time, too.
        const frame = `Object.assign(document.createElement('iframe'), { src: '${origin}/file/${n}' })`;
        await unprotected.evaluate(`document.body.append(${frame})`);
        await until(() => called.includes(`home ${n}`));
      }
      expect(called.filter((one) => one.startsWith('victim'))).to.deep.equal([]);
    });
  },
);
