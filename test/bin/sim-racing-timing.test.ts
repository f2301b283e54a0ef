import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { World } from '../support/processes/world.ts';

/** A small checkout: the command says its arguments, and what a module of each kind of import has to say. */
const SOURCES = {
  'src/main.ts': `import { name as n, type Name } from '../commands/name.ts';
const name: Name = n;
const { other } = await import('./other.ts');
const text = "import { name } from './text.ts'";
process.stdout.write(JSON.stringify([name, other, text, ...process.argv.slice(2)]));
`,
  'src/other.ts': "export * from './farther.ts';\n",
  'src/farther.ts': "export const other = 'other';\n",
  'commands/name.ts': "export type Name = string;\nexport const name: Name = 'name';\n",
};
const OUT = ['name', 'other', "import { name } from './text.ts'"];

describe('the sim-racing-timing command in a checkout', () => {
  const world = new World();
  let root = '';

  beforeEach(() => {
    root = world.directory();
    for (const path of ['package.json', 'package-lock.json', 'tsconfig.json', 'src/tools/build']) {
      cpSync(path, join(root, path), { recursive: true });
    }
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
    for (const [path, text] of Object.entries(SOURCES)) write(path, text);
  });
  afterEach(() => world.clean());

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  const run = (...args: readonly string[]) =>
    new Promise<{ code: unknown; out: string; err: string }>((done) => {
      execFile(process.execPath, [join(root, 'src/tools/build/sim-racing-timing.js'), ...args], (error, out, err) => {
        done({ code: error === null ? 0 : error.code, out, err });
      });
    });
  const output = (path: string): string => join(root, 'dist', path);

  it('transpiles what was never transpiled or has changed, nothing else, and says so on standard error', async () => {
    const first = await run('replay', '--help');
    expect(first).to.include({ code: 0, out: JSON.stringify([...OUT, 'replay', '--help']) });
    expect(first.err).to.match(/^Transpiled 4 of 4 files in [\d.]+ s\n$/);
    expect(await run()).to.deep.equal({ code: 0, out: JSON.stringify(OUT), err: '' });

    write('src/farther.ts', "export const other = 'OTHER';\n");
    expect(await run()).to.deep.include({ code: 0, out: JSON.stringify(OUT.with(1, 'OTHER')) });
    write('src/farther.ts', SOURCES['src/farther.ts']);
    const old = new Date(0);
    utimesSync(join(root, 'src/farther.ts'), old, old);
    const older = await run();
    expect(older.out, 'an older file in its place').to.equal(JSON.stringify(OUT));
    expect(older.err).to.match(/^Transpiled 1 of 4 /);

    rmSync(output('src/main.js'));
    expect((await run()).err).to.match(/^Transpiled 1 of 4 /);
  });

  it('maps what it has transpiled to the sources, and deletes what has no source any more', async () => {
    write('src/farther.ts', 'interface Nothing {}\n\nexport const other: Nothing = nothing();\n');
    write('src/gone.ts', '');
    const { code, err } = await run();
    expect(code).to.equal(1);
    expect(err).to.match(/src\/farther\.ts:3:/);
    expect(existsSync(output('src/gone.js'))).to.equal(true);
    rmSync(join(root, 'src/gone.ts'));
    await run();
    for (const file of ['src/gone.js', 'src/gone.js.map']) expect(existsSync(output(file)), file).to.equal(false);
  });

  it('says what it cannot transpile, without a trace of its own, and leaves what was there', async () => {
    await run();
    const before = readFileSync(output('src/main.js'), 'utf8');
    write('src/main.ts', 'const = 1;\n');
    for (let times = 0; times < 2; times++) {
      const { code, out, err } = await run('replay');
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err).to.match(/could not transpile the sources[^]*src\/main\.ts:1:6/);
      expect(err).not.to.match(/^ +at /m);
    }
    expect(readFileSync(output('src/main.js'), 'utf8')).to.equal(before);
  });
});
