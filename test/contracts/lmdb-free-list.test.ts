import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Outcome } from '../support/lmdb/free-list-defect.ts';
import { temporaryDirectory } from '../support/read-store/fixtures.ts';

/** Sources run through tsx, compiled files as they are; the script has the extension that this file has. */
const extension = import.meta.url.slice(-3);
const execArgv = extension === '.ts' ? ['--import=tsx'] : [];
const script = fileURLToPath(new URL(`../support/lmdb/free-list-defect${extension}`, import.meta.url));

/** More threads than the process runs pieces of work on them: each is then new to lmdb. */
const THREADS = '128';

const DEFECT = /MDB_BAD_TXN.*reserved freelist had a data entry with zero-size/;

/** Where the defect was found and happens each time; elsewhere the compiler may have laid out the stack otherwise. */
const packageFile = join(dirname(createRequire(import.meta.url).resolve('lmdb')), '..', 'package.json');
const lmdb = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string };
const isKnown = lmdb.version === '3.5.6' && process.platform === 'linux' && process.arch === 'x64';

describe('transactions that lmdb 3.5.6 refuses because of its free list', () => {
  let path: string;
  beforeEach(() => {
    path = temporaryDirectory();
  });
  afterEach(() => rmSync(path, { recursive: true }));

  /** What happened; null where the defect did not, or ended the process, as it may on another system. */
  const outcomeOf = async (adapter: string, repetition: string): Promise<Outcome | null> => {
    const child = fork(script, [adapter, path, repetition], {
      execArgv,
      env: { ...process.env, UV_THREADPOOL_SIZE: THREADS },
      silent: true,
    });
    let outcome: Outcome | null = null;
    child.on('message', (message: Outcome) => {
      outcome = message.refused.length === 0 ? null : message;
    });
    const errors = child.stderr === null ? '' : text(child.stderr);
    await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    if (child.exitCode !== 0 && child.signalCode !== 'SIGABRT') throw new Error(await errors);
    return outcome;
  };

  for (const adapter of ['event-store', 'read-store']) {
    it(`fail in the ${adapter} when they are not repeated, with nothing written`, async function () {
      const outcome = await outcomeOf(adapter, 'once');
      if (outcome === null && !isKnown) this.skip();
      expect(outcome?.refused).to.have.lengthOf(1);
      expect(outcome?.refused[0]).to.match(DEFECT);
      expect(outcome?.failure).to.match(/^StoreUnavailable: /);
      expect(outcome?.isWhole).to.equal(true);
    });

    it(`are repeated in the ${adapter}, which goes on`, async function () {
      const outcome = await outcomeOf(adapter, 'repeated');
      if (outcome === null && !isKnown) this.skip();
      expect(outcome?.refused).to.have.lengthOf(1);
      expect(outcome?.refused[0]).to.match(DEFECT);
      expect(outcome).to.include({ failure: null, isWhole: true });
    });
  }
});
