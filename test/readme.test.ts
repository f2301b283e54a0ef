import { expect } from 'chai';
import { execFile, execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { startService, type Service } from './support/service.ts';

const ADMIN = 'the-token-of-the-readme-tour-0123456789';

/** Why the tour cannot be run here, or null. */
function missing(): string | null {
  for (const tool of ['bash', 'curl']) {
    try {
      execFileSync(tool, ['--version'], { stdio: 'ignore' });
    } catch {
      return `needs ${tool}`;
    }
  }
  return null;
}

/** The shell block of README that is marked `tour`. */
async function tour(): Promise<string> {
  const [, script] = /^```sh tour\n([\s\S]*?)^```$/m.exec(await readFile('README.md', 'utf8')) ?? [];
  if (script === undefined) expect.fail('README has no tour');
  return script;
}

describe('README', () => {
  let service: Service;

  before(async () => {
    service = await startService({ BOOTSTRAP_ADMIN_TOKEN: ADMIN });
  });
  after(() => service.close());

  const reason = missing();
  (reason === null ? it : it.skip)(
    `has a tour that works as it is written${reason === null ? '' : ` (${reason})`}`,
    async () => {
      const env = { ...process.env, ADMIN, API: `${service.url}/api/v1` };
      const bash = ['--norc', '-euo', 'pipefail', '-c', await tour()];
      const { stdout, stderr } = await promisify(execFile)('bash', bash, { env });
      expect(stderr).to.equal('');
      const [first, second, page] = stdout
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      expect(second).to.deep.equal(first);
      expect(page).to.deep.include({ totalElements: 1, content: [first] });
      expect(first).to.deep.include({
        participantName: 'Ada Kowalski',
        trackDisplayName: 'Grand Prix',
        totalTime: 137_450,
      });
    },
  );
});
