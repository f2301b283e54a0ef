import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { World } from '../support/processes/world.ts';

const FOLDERS = ['src', 'commands', 'projections', 'queries', 'infra', 'src/bin'];

/** Stands for the compiler: it notes that it ran, and leaves a command that says its arguments. */
const BUILD = `
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
if (existsSync('broken')) process.exit(1);
console.log('the compiler speaks');
appendFileSync('builds', '.');
mkdirSync('dist/src', { recursive: true });
writeFileSync('dist/src/main.js', 'process.stdout.write(JSON.stringify(process.argv.slice(2)));');
if (!existsSync('dist/.tsbuildinfo')) writeFileSync('dist/.tsbuildinfo', '');
`;

describe('the timing command in a checkout', () => {
  const world = new World();
  let root = '';

  beforeEach(() => {
    root = world.directory();
    for (const folder of FOLDERS) mkdirSync(join(root, folder));
    copyFileSync('src/bin/timing.js', join(root, 'src/bin/timing.js'));
    writeFileSync(join(root, 'build.cjs'), BUILD);
    writeFileSync(join(root, 'package.json'), '{ "type": "module", "scripts": { "build": "node build.cjs" } }');
    writeFileSync(join(root, 'src/main.ts'), '');
  });
  afterEach(() => world.clean());

  const timing = (...args: readonly string[]) =>
    new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
      execFile(process.execPath, [join(root, 'src/bin/timing.js'), ...args], (error, out, err) => {
        resolve({ code: error === null ? 0 : error.code, out, err });
      });
    });
  const builds = (): number => (existsSync(join(root, 'builds')) ? readFileSync(join(root, 'builds')).length : 0);

  it('compiles first what was never compiled, or has changed since, and nothing else', async () => {
    expect(await timing('replay', '--help')).to.deep.include({ code: 0, out: '["replay","--help"]' });
    expect(builds()).to.equal(1);
    expect(await timing('replay')).to.deep.equal({ code: 0, out: '["replay"]', err: '' });
    expect(builds()).to.equal(1);
    const soon = new Date(Date.now() + 1_000);
    utimesSync(join(root, 'src/main.ts'), soon, soon);
    expect((await timing('replay')).err).to.match(/^Compiling/);
    expect(builds()).to.equal(2);
    rmSync(join(root, 'dist/src/main.js'));
    expect(await timing('replay')).to.include({ code: 0, out: '["replay"]' });
    expect(builds()).to.equal(3);
  });

  it('says that it could not compile, without a trace of its own', async () => {
    writeFileSync(join(root, 'broken'), '');
    const { code, out, err } = await timing('replay');
    expect({ code, out }).to.deep.equal({ code: 1, out: '' });
    expect(err)
      .to.include('timing: it could not be compiled')
      .and.not.to.match(/^ +at /m);
  });
});
