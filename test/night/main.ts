import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsedOptions, UsageError } from '../bench/options.ts';
import { startService } from '../support/api/service.ts';
import { program, Running } from '../support/web/browser.ts';
import { Night } from './night.ts';

/* Plays a whole night in a browser, and fails where a step costs more than it may. */

const USAGE = `usage: npm run night -- [--pictures DIR]
DIR: where the pictures are written; left out: a temporary directory. The browser is that of the tests (BROWSER).`;

const print = (line: string): unknown => process.stdout.write(`${line}\n`);

async function run(args: readonly string[]): Promise<number> {
  const { pictures: named } = parsedOptions(args, { pictures: { type: 'string' } }, USAGE);
  const pictures = typeof named === 'string' ? named : await mkdtemp(join(tmpdir(), 'night-'));
  if (program === null) throw new UsageError(`There is no browser.\n${USAGE}`);
  await mkdir(pictures, { recursive: true });
  // The wall shows a code of this address.
  const service = await startService({ PUBLIC_URL: 'https://timing.example.com' });
  const browser = new Running();
  try {
    await browser.start(program);
    const failures = await new Night(service, browser, pictures, print).play();
    await browser.closePages();
    print(`The pictures are in ${pictures}.`);
    return failures.length === 0 ? 0 : 1;
  } finally {
    await browser.stop();
    await service.close();
  }
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
