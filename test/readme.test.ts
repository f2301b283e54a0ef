import { expect } from 'chai';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startService, type Service } from './support/api/service.ts';

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

/** A block of README: its text, and the file that it is to be saved as. */
interface Block {
  readonly language: string;
  readonly file: string;
  readonly text: string;
}

/** The blocks of README that are marked with a name, such as ```sh tour. */
async function blocks(name: string): Promise<readonly Block[]> {
  const pattern = new RegExp(`^\`\`\`(\\w+) ${name} ?(\\S*)\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  const found = [...(await readFile('README.md', 'utf8')).matchAll(pattern)];
  if (found.length === 0) expect.fail(`README has no ${name}`);
  return found.map(([, language = '', file = '', text = '']) => ({ language, file, text }));
}

/**
 * Sources run through tsx, compiled files as they are: `npx sim-racing-timing` runs the way this process does. It runs
 * in another folder, from where tsx is not found by its name.
 */
const MAIN = fileURLToPath(new URL(`../src/main${extname(import.meta.url)}`, import.meta.url));
const EXEC_ARGV = process.execArgv.map((argument) => `'${argument.replace(/\btsx$/, import.meta.resolve('tsx'))}'`);
const NPX = `npx() { shift; "$NODE" ${EXEC_ARGV.join(' ')} "$MAIN" "$@"; }`;

async function bash(script: string, { cwd = '.', env }: { cwd?: string; env: Readonly<Record<string, string>> }) {
  return promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, ...env },
  });
}

describe('README', function () {
  this.timeout(120_000);
  let service: Service;

  before(async () => {
    service = await startService({ BOOTSTRAP_ADMIN_TOKEN: ADMIN });
  });
  after(() => service.close());

  const reason = missing();
  const title = (text: string): string => (reason === null ? text : `${text} (${reason})`);
  const runs = reason === null ? it : it.skip;

  runs(title('has a tour that works as it is written'), async () => {
    const [tour] = await blocks('tour');
    const { stdout, stderr } = await bash(tour?.text ?? '', { env: { ADMIN, API: `${service.url}/api/v1` } });
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
  });

  // The history is that of the tour: a lap.
  const embedded = process.env['EVENTSTORE_URL'] === undefined ? runs : it.skip;
  embedded(title('asks history as it is written (on the embedded store)'), async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'timing-readme-'));
    try {
      await symlink(resolve('projections'), join(cwd, 'projections'));
      const env = { DATA_DIR: service.dataDir, NODE: process.execPath, MAIN };
      let said = '';
      for (const { language, file, text } of await blocks('history')) {
        if (language === 'sh') said += (await bash(`${NPX}\n${text}`, { cwd, env })).stdout;
        else await writeFile(join(cwd, file), text);
      }
      expect(JSON.parse(said)).to.include({ participant: 'Ada Kowalski', laps: 1, best: 137_450, gained: 0 });
      for (const [file, part] of RESULTS) {
        const [header, row, ...others] = (await readFile(join(cwd, file), 'utf8')).trim().split('\r\n');
        expect(header, file).to.match(/^id,/);
        expect(row, file).to.include(part);
        expect(others, file).to.be.empty;
      }
    } finally {
      await rm(cwd, { recursive: true });
    }
  });
});

/** What each file of the chapter says of the lap. */
const RESULTS = [
  ['consistency.csv', ',Ada Kowalski,'],
  ['utilisation.csv', ',1,137450,'],
  ['records.csv', ',Ada Kowalski,'],
  ['learning.csv', ',Ada Kowalski,Grand Prix,1,137450,137450,0'],
] as const;
