import { expect } from 'chai';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startService, type Service } from './support/api/service.ts';
import { useDirectories } from './support/directories.ts';
import { readPage, type Block } from './support/docs/markdown.ts';
import { bash, itInShell, type Surroundings } from './support/docs/shell.ts';
import { jsonLines } from './support/json-lines.ts';
import { callCommand, expectCode } from './support/processes/command-process.ts';
import { MAIN } from './support/processes/script.ts';

const ADMIN = 'the-token-of-the-readme-tour-0123456789';

/** The blocks of a page that are marked with a name, such as ```sh tour. */
function blocksOf(path: string, name: string): readonly Block[] {
  const found = readPage(path).blocks.filter((block) => block.name.split(' ')[0] === name);
  if (found.length === 0) expect.fail(`${path} has no ${name}`);
  return found;
}

/**
 * Sources run through tsx, compiled files as they are: `npx sim-racing-timing` runs the way this process does. It runs
 * in another folder, from where tsx is not found by its name.
 */
const EXEC_ARGV = process.execArgv.map((argument) => `'${argument.replace(/\btsx$/, import.meta.resolve('tsx'))}'`);
const NPX = `npx() { shift; "$NODE" ${EXEC_ARGV.join(' ')} "$MAIN" "$@"; }`;

/** Nothing for the shell to do. */
const PLAIN_COMMAND = /^npx sim-racing-timing ([\w./ -]+)$/;

/** Runs a block line by line; a plain command in this process. */
async function run(block: string, { cwd, env }: Required<Surroundings>): Promise<string> {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    let said = '';
    for (const line of block.trimEnd().split('\n')) {
      const [, command] = PLAIN_COMMAND.exec(line) ?? [];
      if (command === undefined) said += (await bash(`${NPX}\n${line}`, { env })).stdout;
      else said += (await expectCode(0, callCommand(command.split(' '), env))).out;
    }
    return said;
  } finally {
    process.chdir(before);
  }
}

const directory = useDirectories();

describe('README and the page for analysts', () => {
  let service: Service;

  before(async () => {
    service = await startService({ BOOTSTRAP_ADMIN_TOKEN: ADMIN });
  });
  after(() => service.close());

  itInShell('have a tour that works as it is written', async () => {
    const [tour] = blocksOf('README.md', 'tour');
    const { stdout, stderr } = await bash(tour?.text ?? '', { env: { ADMIN, API: `${service.url}/api/v1` } });
    expect(stderr).to.equal('');
    const [first, second, page] = jsonLines(stdout);
    expect(second).to.deep.equal(first);
    // The key of the rig sees the public name of the driver, too.
    const { publicName, ...shown } = first ?? {};
    expect(publicName).to.equal('Ada Kowalski');
    expect(page).to.deep.include({ totalElements: 1, content: [shown] });
    expect(first).to.deep.include({
      participantName: 'Ada Kowalski',
      trackDisplayName: 'Grand Prix',
      totalTime: 137_450,
    });
  });

  // The history is that of the tour: a lap.
  const embedded = process.env['EVENTSTORE_URL'] === undefined ? itInShell : it.skip;
  embedded('ask history as it is written (on the embedded store)', async () => {
    const cwd = directory();
    await mkdir(join(cwd, 'docs'));
    await symlink(resolve('docs/examples'), join(cwd, 'docs', 'examples'));
    const env = { DATA_DIR: service.dataDir, NODE: process.execPath, MAIN };
    let said = '';
    for (const { language, name, text } of blocksOf('docs/analysts.md', 'history')) {
      if (language === 'sh') said += await run(text, { cwd, env });
      else await writeFile(join(cwd, name.split(' ')[1] ?? ''), text);
    }
    expect(JSON.parse(said)).to.include({ participant: 'Ada Kowalski', laps: 1, best: 137_450, gained: 0 });
    for (const [file, part] of RESULTS) {
      const [header, row, ...others] = (await readFile(join(cwd, file), 'utf8')).trim().split('\r\n');
      expect(header, file).to.match(/^id,/);
      expect(row, file).to.include(part);
      expect(others, file).to.be.empty;
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
