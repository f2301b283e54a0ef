import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { HOSTILE_SVGS } from '../support/api/hostile-svgs.ts';
import { until } from '../support/api/http.ts';
import { useService } from '../support/api/with-service.ts';
import { describeInBrowser } from '../support/web/browser.ts';
import { uploadPicture } from '../support/web/evening.ts';

/** The attacker's server: it serves the files without our headers, and records when it is called. */
async function startHome(called: string[]): Promise<Server> {
  const files = Object.values(HOSTILE_SVGS);
  const server = createServer(({ url = '', headers }, response) => {
    const [, what = '', which = ''] = url.split('/');
    if (what !== 'file') called.push(`${what} ${which}`);
    const file = what === 'file' ? files[Number(which)]?.(`http://${String(headers.host)}/home/${which}`) : undefined;
    response.setHeader('Content-Type', file === undefined ? 'text/plain' : 'image/svg+xml').end(file ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const count = Object.keys(HOSTILE_SVGS).length;

describeInBrowser(`API: ${count} hostile SVG files in a browser`, (browser) => {
  const api = useService();
  const called: string[] = [];
  let home: Server;
  before(async () => {
    home = await startHome(called);
  });
  after(() => home.close());

  /** Shows a file in a tab of its own; what it does may take the tab elsewhere. */
  async function show(beside: Page, url: string): Promise<void> {
    await (await beside.context().newPage()).goto(url, { waitUntil: 'commit' });
  }

  it('run no script, load nothing and lead nowhere, though each does when served without our headers', async () => {
    const tab = await browser.tab();
    const address = home.address();
    const origin = `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}`;
    for (const [n, attack] of Object.values(HOSTILE_SVGS).entries()) {
      await uploadPicture(api.admin, `${n}.svg`, attack(`${origin}/victim/${n}`));
      await show(tab, `${api.service.url}/cdn/BRAND/${n}.svg`);
    }
    const shown = () => api.service.log.filter((line) => line.includes('"GET /cdn/{type}/{name*}"')).length;
    await until(() => shown() >= count);
    // The same without protection: once these have acted, the others have had enough time, too.
    for (let n = 0; n < count; n++) await show(tab, `${origin}/file/${n}`);
    const all = Array.from({ length: count }, (_, n) => `home ${n}`);
    await until(() => all.every((one) => called.includes(one)));
    expect(called.filter((one) => one.startsWith('victim'))).to.deep.equal([]);
  });
});
