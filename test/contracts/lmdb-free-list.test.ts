import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { useDirectories } from '../support/directories.ts';
import type { Outcome } from '../support/lmdb/free-list-defect.ts';
import { forkScript } from '../support/processes/script.ts';

/** More threads than the process runs pieces of work on them: each is then new to lmdb. */
const THREADS = '128';

const DEFECT = /MDB_BAD_TXN.*reserved freelist had a data entry with zero-size/;

/** Where the defect was found and happens each time; elsewhere the compiler may have laid out the stack otherwise. */
const packageFile = join(dirname(createRequire(import.meta.url).resolve('lmdb')), '..', 'package.json');
const lmdb = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string };
const isKnown = lmdb.version === '3.5.6' && process.platform === 'linux' && process.arch === 'x64';

describe('transactions that lmdb 3.5.6 refuses because of its free list', () => {
  const directory = useDirectories();

  for (const adapter of ['event-store', 'read-store']) {
    it(`are repeated by the ${adapter}, which continues`, async function () {
      const env = { ...process.env, UV_THREADPOOL_SIZE: THREADS };
      const child = forkScript('lmdb/free-list-defect', [adapter, directory()], { env, silent: true });
      let outcome: Outcome = { refused: [], isIntact: false };
      child.on('message', (message: Outcome) => (outcome = message));
      const errors = child.stderr === null ? '' : text(child.stderr);
      await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
      if (child.exitCode !== 0 && child.signalCode !== 'SIGABRT') throw new Error(await errors);
      // The defect did not happen, or ended the process.
      if (outcome.refused.length === 0 && !isKnown) this.skip();
      expect(outcome.refused).to.have.lengthOf(1);
      expect(outcome.refused[0]).to.match(DEFECT);
      expect(outcome.isIntact).to.equal(true);
    });
  }
});
