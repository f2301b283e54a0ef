import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { z } from 'zod';
import { useService } from '../support/api/with-service.ts';
import { BROWSERS, describeInBrowser, findProgram } from '../support/web/browser.ts';
import { createEvening } from '../support/web/evening.ts';

/** Lighthouse 12, where it is installed; `LIGHTHOUSE` may name it. It takes 185 MB, so it is no dependency. */
const lighthouse = findProgram(process.env['LIGHTHOUSE'], ['lighthouse']);
const chrome = findProgram(process.env['BROWSER'], BROWSERS);

/** Least score of each category, and most layout shift. How fast a page is depends on the machine: it is only printed. */
const GOALS = { score: 95, shift: 0.1 };
const PRINTED_ONLY = 'performance';

const Report = z.object({
  categories: z.record(z.string(), z.object({ score: z.number() })),
  audits: z.object({ 'cumulative-layout-shift': z.object({ numericValue: z.number() }) }),
});

const without = lighthouse === null || chrome === null ? ' (needs lighthouse and chromium)' : '';

describeInBrowser(`Pages: as Lighthouse sees them${without}`, () => {
  const api = useService();

  it('have at least 95 in each category, and hardly move while they load', async function () {
    // The reason is in the title.
    if (lighthouse === null || chrome === null) return this.skip();
    const { eventId } = await createEvening(api.admin);
    for (const [name, path] of Object.entries({ home: '/', board: `/events/${eventId}`, admin: '/admin' })) {
      const flags = '--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage';
      const options = ['--quiet', '--output=json', '--output-path=stdout', `--chrome-flags=${flags}`];
      const { stdout } = await promisify(execFile)(lighthouse, [api.service.url + path, ...options], {
        env: { ...process.env, CHROME_PATH: chrome },
        maxBuffer: 64 * 1024 * 1024,
      });
      const { categories, audits } = Report.parse(JSON.parse(stdout));
      const scores = Object.entries(categories).map(
        ([category, { score }]) => [category, Math.round(score * 100)] as const,
      );
      const shift = audits['cumulative-layout-shift'].numericValue;
      process.stdout.write(
        `      ${name}: ${scores.map((pair) => pair.join(' ')).join(', ')}, shift ${shift.toFixed(3)}\n`,
      );
      for (const [category, score] of scores) {
        if (category !== PRINTED_ONLY) expect(score, `${name}: ${category}`).to.be.at.least(GOALS.score);
      }
      expect(shift, `${name}: layout shift`).to.be.at.most(GOALS.shift);
    }
  });
});
