import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { FILES } from '../results/fixtures.ts';
import { planOf } from '../results/reading.ts';
import { callCommand, runCommand } from '../support/processes/command-process.ts';
import { useWorld } from '../support/processes/world.ts';

/** The document that a command has shown. */
function documentIn(out: string): Readonly<Record<string, unknown>> {
  const document: unknown = JSON.parse(out);
  expect(document).to.be.an('object');
  // It is an object, by the line above.
  return document as Readonly<Record<string, unknown>>;
}

describe('sim-racing-timing import', () => {
  const world = useWorld();

  /** Writes a file whose name says nothing about its game. */
  const fileOf = async (bytes: Uint8Array): Promise<string> => {
    await mkdir(world.dataDir, { recursive: true });
    const path = join(world.dataDir, 'results.txt');
    await writeFile(path, bytes);
    return path;
  };

  it('shows the plan of a file of each game as one JSON document, and sends nothing', async () => {
    for (const [name, bytes] of Object.entries(FILES)) {
      const { code, out, err } = await callCommand(['import', '--plan', await fileOf(bytes)]);
      expect({ code, err }, name).to.deep.equal({ code: 0, err: '' });
      expect(documentIn(out), name).to.deep.equal(planOf(bytes));
      expect(Object.keys(documentIn(out)), name).to.deep.equal(['format', 'encoding', 'sessions', 'warnings']);
    }
    const path = await fileOf(FILES['rfactor'] ?? new Uint8Array());
    const { code, out } = await runCommand(['import', path, '--plan']);
    expect({ code, format: documentIn(out)['format'] }).to.deep.equal({ code: 0, format: 'rfactor-xml' });
  });

  it('shows an empty plan with its warnings', async () => {
    const empty = '{"TrackName":"imola","Type":"RACE","Laps":[],"Result":[{"DriverName":""}]}';
    const { code, out } = await callCommand(['import', '--plan', await fileOf(Buffer.from(empty))]);
    expect(code).to.equal(0);
    expect(documentIn(out)).to.deep.include({ sessions: [] });
    expect(documentIn(out)['warnings']).to.have.length(1);
  });

  it('says on standard error why a file cannot be read, and nothing on standard output', async () => {
    const broken = await fileOf(Buffer.from('{"a": }'));
    const large = join(world.dataDir, 'large.json');
    await writeFile(large, '{');
    await truncate(large, 100_000_000);
    const reasons = [
      [broken, /results\.txt cannot be read: the JSON is broken at line 1, column 7 \(\w+\)\n$/],
      [large, /large\.json cannot be read: it has 100000000 bytes; at most 67108864 are read\n$/],
      [world.dataDir, /cannot be read: it is no file\n$/],
      [join(world.dataDir, 'missing.json'), /cannot be read: ENOENT: no such file/],
    ] as const;
    for (const [path, reason] of reasons) {
      const { code, out, err } = await callCommand(['import', '--plan', path]);
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err).to.match(reason);
    }
  });

  it('refuses wrong uses', async () => {
    const path = await fileOf(FILES['rfactor'] ?? new Uint8Array());
    const wrong = [
      [['--plan'], 'FILE is missing'],
      [[], 'FILE is missing'],
      [['--plan', path, path], '--plan takes one FILE'],
      [['--plan', '--send', path], '--plan sends nothing'],
      [[path], '--token is missing'],
      [['--undo', 'x', path], '--undo takes the id of an import'],
      [['--token', 'x', '--driver', 'Ida', path], '--driver takes NAME=ID or NAME=new'],
      [['--token', 'x', '--driven-at', 'then', path], '--driven-at takes a moment in the past'],
      [['--token', 'x', '--driven-at', '2026-05-01T20:15:00', path], '--driven-at takes a moment in the past'],
      [['--token', 'x', '--driven-at', '2026-02-30T20:15:00Z', path], '--driven-at takes a moment in the past'],
      [['--token', 'x', '--driven-at', '2126-05-01T20:15:00Z', path], '--driven-at takes a moment in the past'],
      [['--token', 'x', '--driver', 'Nobody Known=new', path], 'no driver of these files is called "Nobody Known"'],
    ] as const;
    for (const [args, reason] of wrong) {
      const { code, out, err } = await callCommand(['import', ...args]);
      expect({ code, out }).to.deep.equal({ code: 2, out: '' });
      expect(err).to.include(reason);
    }
  });
});
