import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Night } from '../night/night.ts';
import { useService } from '../support/api/with-service.ts';
import { describeInBrowser } from '../support/web/browser.ts';

describeInBrowser('Pages: a whole night', (browser) => {
  const api = useService();

  it('costs people no more than it may, from an empty store to the results', async () => {
    const pictures = await mkdtemp(join(tmpdir(), 'night-'));
    const lines: string[] = [];
    const failures = await new Night(api.service, browser, pictures, (line) => lines.push(line)).play();
    expect(failures, lines.join('\n')).to.deep.equal([]);
    await rm(pictures, { recursive: true });
  });
});
