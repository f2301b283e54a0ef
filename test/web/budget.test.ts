import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';

const ASSETS = 'dist/web/assets';

/** Most bytes of script, gzipped, that a page loads: a phone at the track has them in a second. */
const BUDGETS: Readonly<Record<string, number>> = { board: 45_000, overlay: 45_000 };

describe('Pages: budgets', () => {
  for (const [page, budget] of Object.entries(BUDGETS)) {
    it(`the script of ${page} has at most ${budget} bytes, gzipped`, async () => {
      const names = await readdir(ASSETS);
      const scripts = names.filter((name) => name.startsWith(`${page}-`) && name.endsWith('.js'));
      expect(scripts).to.have.length(1);
      const text = await readFile(join(ASSETS, scripts[0] ?? ''));
      expect(gzipSync(text).length).to.be.at.most(budget);
    });
  }
});
