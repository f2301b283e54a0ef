import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { lapEvents, projection, replay, table } from '../../src/tools/replay/analysis.ts';
import { record } from '../support/processes/command-process.ts';
import { useWorld } from '../support/processes/world.ts';
import { laps } from '../support/history/replaying.ts';

const valid = table<{ readonly ms: number }>('valid');
const projections = projection(
  valid,
  { own: {}, others: lapEvents },
  { LapRecorded: ({ id, data }) => valid.insert(id, { ms: data.totalTime }), LapInvalidated: () => null },
);

describe('replay() of the library', () => {
  const world = useWorld();

  it('runs projections, names corrections that they leave out, and continues with the same version', async () => {
    const dataDir = world.directory();
    const folder = world.directory();
    const notes: string[] = [];
    const run = (version?: string) =>
      replay(projections, {
        destination: { kind: 'namespace', name: 'mine' },
        env: { DATA_DIR: dataDir },
        onNote: (text) => notes.push(text),
        ...(version !== undefined && { version }),
      });
    await record(dataDir, laps(10));
    const written = [{ collection: 'valid', documents: 10, file: null }];
    expect(await run('1')).to.deep.equal({ complete: true, events: 10, from: null, position: 10, written });
    expect(notes).to.have.lengthOf(1);
    expect(notes[0]).to.match(/^the module: it takes LapRecorded but not LapCorrected, LapValidated, LapReassigned, /);
    await record(dataDir, laps(5, 10));
    expect(await run('1')).to.include({ events: 5, from: 10, position: 15 });
    const refused = await run().catch((error: unknown) => String(error));
    expect(refused).to.include('another version of the module');

    const file = join(folder, 'valid.csv');
    const destination = { kind: 'output', target: { file, format: 'csv' } } as const;
    const until = { kind: 'position', position: 2 } as const;
    expect(await replay(projections, { destination, from: { dataDir }, until })).to.include({ events: 2 });
    expect(readFileSync(file, 'utf8')).to.equal('id,ms\r\n0,90000\r\n1,89999\r\n');
  });
});
