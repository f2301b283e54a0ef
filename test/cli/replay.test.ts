import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openReadStore } from '../../src/service/stores/stores.ts';
import {
  expectCode,
  callCommand,
  record,
  runCommand,
  startCommand,
  expectRefusedUses,
} from '../support/processes/command-process.ts';
import { jsonLines } from '../support/json-lines.ts';
import { PATIENCE_MS, untilThere } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';
import { bestOf, laps, lapTime, moduleOf, plainModuleOf } from '../support/history/replaying.ts';

describe('sim-racing-timing replay', () => {
  const world = useWorld();
  let dataDir = '';
  let folder = '';
  let out = '';
  let file = '';

  beforeEach(async () => {
    dataDir = world.directory();
    folder = world.directory();
    file = join(folder, 'best.js');
    out = join(folder, 'best.ndjson');
    writeFileSync(file, plainModuleOf());
    await record(dataDir, laps(10));
  });

  const replay = (...args: readonly string[]) => callCommand(['replay', ...args], { DATA_DIR: dataDir });
  /** For tests of the process's end or of its standard output. */
  const replayApart = (...args: readonly string[]) => runCommand(['replay', ...args], { DATA_DIR: dataDir });
  const rows = (path = out) => jsonLines(readFileSync(path, 'utf8'));

  /** Puts a history in the place of the one that is there. */
  async function recordAnew(events: ReturnType<typeof laps>): Promise<void> {
    rmSync(join(dataDir, 'events'), { recursive: true });
    await record(dataDir, events);
  }

  async function eventsIn(directory: string): Promise<number> {
    const { out: text } = await callCommand(['events', '--from', directory]);
    return text.trim().split('\n').length;
  }

  it('ends with 2 and one line when it is used wrongly', async () => {
    await expectRefusedUses(
      'replay',
      [
        [/file of a projection module is missing/, ['--out', out]],
        [/unexpected argument: more/, [file, 'more', '--out', out]],
        [/--out FILE and --into/, [file]],
        [/--out FILE and --into/, [file, '--out', out, '--into', 'mine']],
        [/\.ndjson or \.csv/, [file, '--out', join(folder, 'best.txt')]],
        [/no directory/, [file, '--out', join(folder, 'absent', 'best.csv')]],
        [/belongs to the service/, [file, '--into', 'built-in']],
        [/belongs to the service/, [file, '--into', 'Built-In-2']],
        [/letters, digits/, [file, '--into', '../x']],
        [/--until takes a position/, [file, '--out', out, '--until', 'yesterday']],
        [/standard output/, [file, '--out', '-', '--json']],
        [/--follow goes with/, [file, '--out', '-', '--follow']],
        [/no event store in/, [file, '--out', out, '--from', join(folder, 'absent')]],
        [/esdb:/, [file, '--out', out, '--from', 'http://localhost']],
      ],
      { DATA_DIR: dataDir },
    );
  });

  it('writes documents as NDJSON and CSV, names corrections that the module leaves out, and touches nothing else', async () => {
    const first = await expectCode(0, replay(file, '--out', out, '--json'));
    expect(first.err).to.match(
      /best\.js: it takes LapRecorded but not LapCorrected, LapValidated, LapInvalidated, .*: what/,
    );
    expect(JSON.parse(first.out)).to.deep.include({
      result: 'done',
      events: 10,
      from: null,
      position: 10,
      documents: { best: 3 },
      files: [out],
    });
    expect(rows()).to.deep.equal(bestOf(10));
    const csv = join(folder, 'best.csv');
    await expectCode(0, replay(file, '--out', csv, '--until', '1'));
    const row = `ada,90000,${lapTime(0)},"[40000,50000]",1,`;
    expect(readFileSync(csv, 'utf8')).to.equal(`id,ms,at,sectors,count,note\r\n${row}\r\n`);
    const corrected = await replay('docs/examples/learning.ts', '--out', csv);
    expect(corrected.err, 'it takes them all').not.to.include('it takes');
    expect(existsSync(join(folder, '.timing-replay'))).to.equal(false);
    expect(existsSync(join(dataDir, 'read-models'))).to.equal(false);
    expect(await eventsIn(dataDir)).to.equal(10);
  });

  it('replays up to an event given by its id, and refuses an id that the history does not have', async () => {
    const recorded = laps(10);
    await recordAnew(recorded);
    await expectCode(0, replay(file, '--out', out, '--until', recorded[3]?.event.id ?? ''));
    expect(rows()).to.deep.equal(bestOf(4));
    const lost = randomUUID();
    const refused = await expectCode(1, replay(file, '--out', out, '--until', lost, '--json'));
    expect(refused.err).to.include(`this history has no event ${lost}`);
    expect(JSON.parse(refused.out)).to.include({ result: 'failed' });
    expect(rows(), 'as they were').to.deep.equal(bestOf(4));
  });

  it('does not add the events of a restored history to documents of the lost one', async () => {
    const recorded = laps(10);
    await recordAnew(recorded);
    const into = (...args: readonly string[]) => replay(file, '--into', 'mine', '--json', ...args);
    await expectCode(0, into());
    // A backup of the first six laps goes on with others.
    await recordAnew([...recorded.slice(0, 6), ...laps(8, 6)]);
    const refused = await expectCode(1, into());
    expect(refused.err).to.match(/mine holds documents made from events that this history does not have.*--fresh/);
    expect(JSON.parse((await expectCode(0, into('--fresh'))).out)).to.include({ events: 14, from: null, position: 14 });
    expect(JSON.parse((await expectCode(0, into())).out)).to.include({ events: 0, from: 14 });
  });

  it('writes each table to a file of its own, without the tables that serve look-ups only', async () => {
    writeFileSync(
      file,
      plainModuleOf()
        .replace('projection, table', 'lookUps, projection, rigEvents, table')
        .replace('export default', "const rigs = table('myRigs');\nconst first =") +
        'export default [...lookUps, first, projection(rigs, { own: {}, others: rigEvents }, {\n' +
        '  RigRegistered: ({ id }) => rigs.insert(id, { n: 1 }),\n})];\n',
    );
    await record(
      dataDir,
      laps(1, 10).map(({ event }) => ({
        stream: 'rig-1',
        event: { ...event, type: 'RigRegistered', data: { hardwareId: 'h', licenseId: 'l' } },
      })),
    );
    await expectCode(0, replay(file, '--out', out));
    expect(rows(join(folder, 'best.best.ndjson'))).to.deep.equal(bestOf(10));
    expect(rows(join(folder, 'best.myRigs.ndjson'))).to.deep.equal([{ id: '1', n: 1 }]);
    const { out: text } = await replayApart(file, '--out', '-');
    expect(text).to.include('{"collection":"best","id":"ada"').and.to.include('{"collection":"myRigs","id":"1","n":1}');
    expect(text.trim().split('\n')).to.have.lengthOf(4);
  });

  it('keeps a namespace of its own, continues where it stopped, and refuses the namespaces of others', async () => {
    const into = (...args: readonly string[]) => replay(file, '--into', 'mine', '--json', ...args);
    expect(JSON.parse((await into()).out)).to.include({ events: 10, position: 10, into: 'mine' });
    await record(dataDir, laps(5, 10));
    expect(JSON.parse((await into()).out)).to.include({ events: 5, from: 10, position: 15 });
    const store = await openReadStore(
      { dataDir, eventStoreUrl: null, mongodbUrl: null, storeTimeoutMs: PATIENCE_MS },
      null,
    );
    const models = await store.namespace('mine', [{ name: 'best', indexes: [] }]);
    expect(await models.get('best', 'ada')).to.include({ ms: 90_000 - 12, count: 5, _last: 13 });
    const foreign = await store.namespace('theirs', [{ name: 'best', indexes: [] }]);
    await foreign.apply([], 3);
    await store.close();
    expect((await replay(file, '--into', 'theirs')).err).to.include('no replay has made');
    expect((await into('--until', lapTime(1))).err).to.match(/past --until/);
    writeFileSync(file, plainModuleOf('// Another version.'));
    expect((await expectCode(1, into())).err).to.match(/another version of the module.*--fresh/s);
    expect(JSON.parse((await into('--fresh')).out)).to.include({ events: 15, from: null });
  });

  const SEVENTH = { type: 'LapRecorded', stream: 'lap-6', position: 7 };
  const AT_SEVENTH = 'LapRecorded at position 7 of lap-6';

  it('names file, line, event and position when the module throws', async () => {
    const path = join(folder, 'best.ts');
    writeFileSync(path, moduleOf("if (recorded.position === 7) throw new RangeError('seven');"));
    const { out: said, err } = await expectCode(1, replay(path, '--out', out, '--json'));
    expect(err).to.match(/: RangeError: seven\n.*best\.ts:10:/);
    expect(err).to.include(`${path} cannot project ${AT_SEVENTH}`);
    expect(JSON.parse(said)).to.deep.include({ result: 'failed', event: SEVENTH });
    expect(existsSync(out)).to.equal(false);
  });

  const unfinished: readonly (readonly [string, string])[] = [
    ['waits for ever', 'if (recorded.position === 7) await new Promise(() => undefined);'],
    ['ends the process', 'if (recorded.position === 7) process.exit(0);'],
  ];
  for (const [what, body] of unfinished) {
    it(`fails, and names file, event and position, when the module ${what}`, async () => {
      writeFileSync(file, plainModuleOf(body));
      const { out: said, err } = await expectCode(1, replayApart(file, '--out', out, '--json'));
      expect(err).to.include(`${file} at ${AT_SEVENTH} has not finished: it called process.exit(), or waits for ever`);
      expect(JSON.parse(said)).to.deep.include({ result: 'failed', event: SEVENTH });
      expect(existsSync(out)).to.equal(false);
    });
  }

  const endless: readonly (readonly [string, (loop: string) => string])[] = [
    ['at an event', (loop) => plainModuleOf(`if (recorded.position === 7) { ${loop} }`)],
    ['at its start', (loop) => `${loop}\nexport default 1;`],
  ];
  for (const [when, moduleWith] of endless) {
    it(`ends at Ctrl-C when the module loops for ever ${when}`, async () => {
      const begun = join(folder, 'begun');
      const loop = `writeFileSync(${JSON.stringify(begun)}, ''); while (true);`;
      writeFileSync(file, `import { writeFileSync } from 'node:fs';\n${moduleWith(loop)}`);
      const running = startCommand(['replay', file, '--out', out], { DATA_DIR: dataDir });
      await untilThere(begun);
      expect(await running.end('SIGINT')).to.deep.equal({ code: null, signal: 'SIGINT' });
      writeFileSync(file, plainModuleOf());
      await expectCode(0, replay(file, '--out', out));
      expect(rows()).to.deep.equal(bestOf(10));
    });
  }

  it('ends although the module has left a timer, and shows what it prints on standard error', async () => {
    writeFileSync(file, `setInterval(() => undefined, 1_000);\nconsole.log('printed');\n${plainModuleOf()}`);
    const { out: said, err } = await expectCode(0, replayApart(file, '--out', '-'));
    expect(said.trim().split('\n')).to.have.lengthOf(3);
    expect(err).to.include('printed');
  });

  it('says what is wrong with a module that cannot be run', async () => {
    const wrong: readonly (readonly [string, string, RegExp])[] = [
      ['none.js', 'export const x = 1;', /no default export.*\n[\s\S]*import \{ lapEvents/],
      ['other.js', 'const a = { b: 1 };\na.a = a;\nexport default a;', /its default export is .*b: 1.*, not a proj/],
      ['empty.js', 'export default [];', /empty list/],
      ['syntax.ts', 'export default projection(;', /syntax\.ts:1:27: /],
      ['syntax.js', '\nexport default projection(;', /syntax\.js:2:27: /],
      ['start.js', "throw new Error('not today');", /start\.js cannot be loaded: Error: not today/],
      ['missing.js', "import './absent.js';\nexport default 1;", /missing\.js:1:8: .*\.\/absent\.js/],
      ['package.js', "import 'absent-package';\nexport default 1;", /package\.js:1:8: .*absent-package/],
      ['module.txt', '', /is not a module/],
      [
        'event.js',
        plainModuleOf().replace('LapRecorded', 'LapRecorder'),
        /no event type LapRecorder; .* LapRecorded$/m,
      ],
      ['twice.js', `${plainModuleOf().replace('export default', 'const one =')}export default [one, one];`, /two proj/],
    ];
    for (const [name, text, message] of wrong) {
      const path = join(folder, name);
      writeFileSync(path, text);
      const { err } = await expectCode(1, replay(path, '--out', out));
      expect(err, name).to.match(message).and.to.include(path);
    }
    expect((await replay(join(folder, 'absent.ts'), '--out', out)).err).to.match(/there is no file .*absent\.ts/);
    mkdirSync(join(folder, 'folder.ts'));
    expect((await replay(join(folder, 'folder.ts'), '--out', out)).err).to.match(/is not a module/);
  });

  it('runs TypeScript, and the files and packages that a module imports', async () => {
    const packages = join(folder, 'node_modules/names');
    mkdirSync(packages, { recursive: true });
    writeFileSync(join(packages, 'package.json'), '{ "type": "module", "exports": { "import": "./main.js" } }');
    writeFileSync(
      join(packages, 'main.js'),
      'export const NAME = import.meta.url.endsWith("names/main.js") && "best";',
    );
    writeFileSync(join(folder, 'words.ts'), 'import { NAME } from "names";\nexport const WORD: string = NAME;\n');
    const module = join(folder, 'importing.ts');
    writeFileSync(module, `import { WORD } from './words.js';\n${moduleOf().replace("('best')", '(WORD)')}`);
    await expectCode(0, replay(module, '--out', out));
    expect(rows()).to.deep.equal(bestOf(10));
    const into = () => replay(module, '--into', 'mine');
    await expectCode(0, into());
    writeFileSync(join(folder, 'words.ts'), 'export const WORD: string = "best";\n');
    expect((await into()).err).to.include('another version of the module');
  });
});
