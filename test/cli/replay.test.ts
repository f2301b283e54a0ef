import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runReplay } from '../../src/cli/replay.ts';
import { openReadStore } from '../../src/stores.ts';
import { record, runCommand, startCommand } from '../support/command-process.ts';
import { World } from '../support/process-world.ts';
import { until } from '../support/process-waits.ts';

const PEOPLE = ['ada', 'ben', 'cleo'];

/** When the n-th lap is recorded. */
const at = (n: number): string => new Date(Date.UTC(2026, 2, 1) + n * 60_000).toISOString();

function laps(count: number, first = 0) {
  return Array.from({ length: count }, (_, k) => {
    const n = first + k;
    const data = {
      participantId: PEOPLE[n % PEOPLE.length] ?? '', rigId: 'rig', eventId: 'event', sectors: [40_000, 50_000 - n],
      totalTime: 90_000 - n, valid: true, carId: 'car', trackId: 'track',
    };
    const metadata = { version: 1, occurredAt: at(n), commandId: `c${n}`, correlationId: `r${n}` };
    return { stream: `lap-${n}`, event: { id: randomUUID(), type: 'LapRecorded', data, metadata } };
  });
}

/** A module that keeps the best lap of each participant; `body` comes first in its handler. */
function moduleOf(body = ''): string {
  return `
import { lapEvents, projection, table } from 'sim-racing-timing';

const best = table<{ ms: number; at: string; sectors: readonly number[]; note: string | null; _laps: number }>('best');

export default projection(best, { own: {}, others: lapEvents }, {
  LapRecorded: async ({ data, at, recorded }, look) => {
    ${body}
    const before = await look(best, data.participantId);
    const fields = { ms: data.totalTime, at, sectors: data.sectors, _laps: recorded.position };
    if (before === null) return best.insert(data.participantId, { ...fields, note: null });
    return before.ms <= data.totalTime ? null : best.set(data.participantId, fields);
  },
});
`;
}

/** The best laps of so many, as they are written out. */
function bestOf(count: number) {
  return PEOPLE.map((id, k) => {
    const n = Math.floor((count - 1 - k) / PEOPLE.length) * PEOPLE.length + k;
    return { id, ms: 90_000 - n, at: at(n), sectors: [40_000, 50_000 - n], note: null };
  });
}

describe('timing replay', function () {
  this.timeout(120_000);
  const world = new World();
  let [dataDir, folder, file, out] = ['', '', '', ''];

  beforeEach(async () => {
    [dataDir, folder] = [world.directory(), world.directory()];
    [file, out] = [join(folder, 'best.ts'), join(folder, 'best.ndjson')];
    writeFileSync(file, moduleOf());
    await record(dataDir, laps(10));
  });
  afterEach(() => world.clean());

  const replay = (...args: readonly string[]) => runCommand(['replay', ...args], { DATA_DIR: dataDir });
  const rows = (path = out): unknown[] =>
    readFileSync(path, 'utf8').trim().split('\n').map((line): unknown => JSON.parse(line));

  async function eventsIn(directory: string): Promise<number> {
    const { out: text } = await runCommand(['events', '--from', directory]);
    return text.trim().split('\n').length;
  }

  it('explains itself', async () => {
    const { code, out: text, err } = await replay('--help');
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    for (const word of ['usage: timing replay', '--into', '--until', '--follow', '_', 'sim-racing-timing', 'Exit']) {
      expect(text).to.include(word);
    }
  });

  it('ends with 2 and one line when it is used wrongly', async () => {
    const wrong: readonly (readonly [RegExp, readonly string[]])[] = [
      [/file of a projection module is missing/, ['--out', out]],
      [/one argument too many: more/, [file, 'more', '--out', out]],
      [/--out FILE and --into/, [file]],
      [/--out FILE and --into/, [file, '--out', out, '--into', 'mine']],
      [/\.ndjson or \.csv/, [file, '--out', join(folder, 'best.txt')]],
      [/no directory/, [file, '--out', join(folder, 'absent', 'best.csv')]],
      [/belongs to the service/, [file, '--into', 'built-in']],
      [/belongs to the service/, [file, '--into', 'Built-In-2']],
      [/letters, digits/, [file, '--into', '../x']],
      [/--until takes a position/, [file, '--out', out, '--until', 'yesterday']],
      [/--event-timeout takes/, [file, '--out', out, '--event-timeout', '0']],
      [/standard output/, [file, '--out', '-', '--json']],
      [/--follow goes with/, [file, '--out', '-', '--follow']],
      [/no event store in/, [file, '--out', out, '--from', join(folder, 'absent')]],
      [/esdb:/, [file, '--out', out, '--from', 'http://localhost']],
      [/--untl/, [file, '--out', out, '--untl', '3']],
    ];
    for (const [message, args] of wrong) {
      const [said, err]: [string[], string[]] = [[], []];
      const code = await runReplay({
        args, env: { DATA_DIR: dataDir }, signal: new AbortController().signal,
        out: { write: (text) => said.push(text) }, err: { write: (text) => err.push(text) },
      });
      expect({ code, said }, err.join('')).to.deep.equal({ code: 2, said: [] });
      expect(err.join('')).to.match(message).and.to.match(/^timing replay: .*; see timing replay --help\n$/);
    }
  });

  it('writes documents as NDJSON and CSV, leaves out what is internal, and touches nothing else', async () => {
    const first = await replay(file, '--out', out, '--json');
    expect(first.code, first.err).to.equal(0);
    expect(JSON.parse(first.out)).to.deep.include({
      result: 'done', events: 10, from: null, position: 10, documents: { best: 3 }, files: [out],
    });
    expect(rows()).to.deep.equal(bestOf(10));
    const csv = join(folder, 'best.csv');
    expect((await replay(file, '--out', csv, '--until', '1')).code).to.equal(0);
    expect(readFileSync(csv, 'utf8')).to.equal(`id,ms,at,sectors,note\r\nada,90000,${at(0)},"[40000,50000]",\r\n`);
    expect((await replay(file, '--out', '-', '--until', at(2))).out.trim().split('\n')).to.have.lengthOf(3);
    expect(existsSync(join(folder, '.timing-replay'))).to.equal(false);
    expect(existsSync(join(dataDir, 'read-models'))).to.equal(false);
    expect(await eventsIn(dataDir)).to.equal(10);
  });

  it('writes several tables to several files, without those that are there to be looked up', async () => {
    writeFileSync(file, moduleOf()
      .replace('projection, table', 'lookUps, projection, rigEvents, table')
      .replace('export default', "const rigs = table<{ n: number }>('myRigs');\nconst first =")
      + "export default [...lookUps, first, projection(rigs, { own: {}, others: rigEvents }, {\n"
      + '  RigRegistered: ({ id }) => rigs.insert(id, { n: 1 }),\n})];\n');
    await record(dataDir, laps(1, 10).map(({ event }) => ({
      stream: 'rig-1', event: { ...event, type: 'RigRegistered', data: { hardwareId: 'h', licenseId: 'l' } },
    })));
    expect((await replay(file, '--out', out)).code).to.equal(0);
    expect(rows(join(folder, 'best.best.ndjson'))).to.deep.equal(bestOf(10));
    expect(rows(join(folder, 'best.myRigs.ndjson'))).to.deep.equal([{ id: '1', n: 1 }]);
    const { out: text } = await replay(file, '--out', '-');
    expect(text).to.include('{"collection":"best","id":"ada"').and.to.include('{"collection":"myRigs","id":"1","n":1}');
    expect(text.trim().split('\n')).to.have.lengthOf(4);
  });

  it('keeps a namespace of its own, goes on where it was, and refuses what is not its own', async () => {
    const into = (...args: readonly string[]) => replay(file, '--into', 'mine', '--json', ...args);
    expect(JSON.parse((await into()).out)).to.include({ events: 10, position: 10, into: 'mine' });
    await record(dataDir, laps(5, 10));
    expect(JSON.parse((await into()).out)).to.include({ events: 5, from: 10, position: 15 });
    const store = await openReadStore(
      { dataDir, eventStoreUrl: null, mongodbUrl: null, storeTimeoutMs: 1_000 }, null);
    const models = await store.namespace('mine', [{ name: 'best', indexes: [] }]);
    expect(await models.get('best', 'ada')).to.include({ ms: 90_000 - 12, _laps: 13 });
    const foreign = await store.namespace('theirs', [{ name: 'best', indexes: [] }]);
    await foreign.apply([], 3);
    await store.close();
    expect((await replay(file, '--into', 'theirs')).err).to.include('timing replay has not made');
    expect((await into('--until', at(1))).err).to.match(/past --until/);
    writeFileSync(file, moduleOf('// Another version.'));
    const changed = await into();
    expect(changed.code).to.equal(1);
    expect(changed.err).to.include('another version of the module').and.to.include('--fresh');
    expect(JSON.parse((await into('--fresh')).out)).to.include({ events: 15, from: null });
  });

  const stumbles: readonly (readonly [string, string, RegExp])[] = [
    ['throws', "if (recorded.position === 7) throw new RangeError('seven');", /: RangeError: seven\n.*best\.ts:8:/],
    ['loops for ever', 'while (recorded.position === 7) continue;', /has not finished within 1 s/],
    ['waits for ever', 'if (recorded.position === 7) await new Promise(() => undefined);', /has not finished/],
    ['returns nonsense', 'if (recorded.position === 7) return JSON.parse(\'{"kind":"x"}\');', /no effect/],
    ['makes no JSON', "if (recorded.position === 7) return best.insert('x', JSON.parse('1e999'));", /must be an obj/],
    ['ends the process', 'if (recorded.position === 7) Reflect.get(globalThis, "process").exit(0);', /process\.exit/],
  ];
  for (const [what, body, message] of stumbles) {
    it(`names file, event and position when the module ${what}`, async () => {
      writeFileSync(file, moduleOf(body));
      const { code, out: text, err } = await replay(file, '--out', out, '--json', '--event-timeout', '1');
      expect(code, err).to.equal(1);
      expect(err).to.match(message).and.to.include(`${file} `).and.to.include('LapRecorded at position 7 of lap-6');
      expect(JSON.parse(text)).to.deep.include({
        result: 'failed', event: { type: 'LapRecorded', stream: 'lap-6', position: 7 },
      });
      expect(existsSync(out)).to.equal(false);
    });
  }

  it('says what is wrong with a module that cannot be run', async () => {
    const wrong: readonly (readonly [string, string, RegExp])[] = [
      ['none.ts', 'export const x = 1;', /no default export.*\n[\s\S]*import \{ lapEvents/],
      ['other.js', 'export default { a: 1 };', /some other object, no projection/],
      ['empty.js', 'export default [];', /empty list/],
      ['types.ts', moduleOf('const n: number = data.valid;'), /types\.ts:8:11: Type 'boolean' is not assignable/],
      ['syntax.ts', 'export default projection(;', /syntax\.ts:1:27: /],
      ['syntax.js', '\nexport default projection(;', /syntax\.js:2:27: /],
      ['start.js', "throw new Error('not today');", /start\.js cannot be loaded: Error: not today/],
      ['stuck.js', 'while (true);\nexport default 1;', /stuck\.js at its start.* has not finished/],
      ['missing.js', "import './absent.js';\nexport default 1;", /cannot be loaded: .*absent\.js/],
      ['module.txt', '', /is no module/],
      ['twice.ts', `${moduleOf().replace('export default', 'const one =')}export default [one, one];`, /two proj/],
    ];
    for (const [name, text, message] of wrong) {
      const path = join(folder, name);
      writeFileSync(path, text);
      const { code, err } = await replay(path, '--out', out, '--event-timeout', '1');
      expect(code, err).to.equal(1);
      expect(err, name).to.match(message).and.to.include(path);
    }
    expect((await replay(join(folder, 'absent.ts'), '--out', out)).err).to.match(/there is no file .*absent\.ts/);
    mkdirSync(join(folder, 'folder.ts'));
    expect((await replay(join(folder, 'folder.ts'), '--out', out)).err).to.match(/is no module/);
  });

  it('runs JavaScript, and files that a module imports', async () => {
    const { code, err } = await replay(file, '--out', out);
    expect(code, err).to.equal(0);
    rmSync(out);
    writeFileSync(join(folder, 'words.ts'), 'export const NAME: string = "best";\n');
    writeFileSync(file, `import { NAME } from './words.ts';\n${moduleOf().replace("('best')", '(NAME)')}`);
    expect((await replay(file, '--out', out)).code).to.equal(0);
    expect(rows()).to.deep.equal(bestOf(10));
    const plain = join(folder, 'plain.js');
    writeFileSync(plain, moduleOf().replace(/table<.*>\(/, 'table('));
    expect((await replay(plain, '--out', out)).code).to.equal(0);
    expect(rows()).to.deep.equal(bestOf(10));
  });

  it('goes on after kill -9, and when it is told to stop', async () => {
    await record(dataDir, laps(30, 10));
    const flag = join(folder, 'flag');
    // It commits at once after a fan-out too many, and then waits until it is killed: no timing is involved.
    const wait = `if (recorded.position === 31 && !existsSync(${JSON.stringify(flag)})) `
      + 'await new Promise(() => undefined);';
    writeFileSync(file, `import { existsSync } from 'node:fs';\n${moduleOf(wait)}`);
    const scratch = join(folder, '.timing-replay');
    const first = startCommand(['replay', file, '--out', out], { DATA_DIR: dataDir });
    await until(() => existsSync(scratch), (there) => there);
    await first.end('SIGKILL');
    const second = startCommand(['replay', file, '--out', out, '--event-timeout', '60'], { DATA_DIR: dataDir });
    await until(() => existsSync(scratch), (there) => there);
    await second.end('SIGKILL');
    writeFileSync(flag, '');
    const { code, err } = await replay(file, '--out', out);
    expect(code, err).to.equal(0);
    expect(rows()).to.deep.equal(bestOf(40));
    expect(existsSync(scratch)).to.equal(false);
  });

  it('follows until it is told to end, and keeps its file up to date', async () => {
    const running = startCommand(['replay', file, '--out', out, '--follow', '--json'], { DATA_DIR: dataDir });
    await until(() => existsSync(out), (there) => there);
    expect(rows()).to.deep.equal(bestOf(10));
    const second = await replay(file, '--out', out);
    expect(second.code).to.equal(1);
    expect(second.err).to.include('another timing replay is at work').and.to.include(`process ${running.pid} `);
    await record(dataDir, laps(3, 10));
    await until(() => readFileSync(out, 'utf8'), (text) => text.includes(String(90_000 - 12)));
    expect(await running.end('SIGINT')).to.deep.equal({ code: 0, signal: null });
    expect(JSON.parse(running.out)).to.include({ result: 'done', events: 13, position: 13 });
    expect(rows()).to.deep.equal(bestOf(13));
  });
});
