import fs, { existsSync, fstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { lapQuery } from '../../queries/laps.ts';
import { KEY_CLAIMED } from '../../src/kernel/aggregate/claims.ts';
import { COPIES_STREAM } from '../../src/service/resources/copy-events.ts';
import { EXPORT_VIEWS } from '../../src/service/exports/views.ts';
import { VIEW_NAMES } from '../../src/tools/export/views.ts';
import { gathered, newEvent } from '../support/event-store/events.ts';
import { laps } from '../support/history/replaying.ts';
import {
  expectCode,
  callCommand,
  record,
  runCommand,
  expectRefusedUses,
} from '../support/processes/command-process.ts';
import { withStores } from '../support/processes/rebuilding.ts';
import { useWorld } from '../support/processes/world.ts';

const PERSON = {
  licenseId: '01890000-0000-7000-8000-000000000001',
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@example.org',
  phoneNumber: '555-0100',
  extraFieldsJson: { allergies: 'nuts' },
};
const LICENSE = { name: 'grace-1906', displayName: 'Club of one', licenseKey: 'licence-key-1' };
/** Written only on request. */
const PERSONAL = /Grace|Hopper|example\.org|555-0100|nuts|grace-1906|Club of one|licence-key-1/;

/** A participant with a licence, and a rig. */
const VENUE = [
  { stream: `license-${PERSON.licenseId}`, event: newEvent('LicenseIssued', LICENSE) },
  {
    stream: 'participantLicense-x',
    event: newEvent(KEY_CLAIMED, { owner: 'participant-ada', revision: 0, events: [] }),
  },
  { stream: 'participant-ada', event: newEvent('ParticipantRegistered', PERSON) },
  {
    stream: 'rig-01890000-0000-7000-8000-0000000000e0',
    event: newEvent('RigRegistered', { hardwareId: 'left', licenseId: PERSON.licenseId }),
  },
];

describe('sim-racing-timing export', () => {
  const world = useWorld();
  let dataDir = '';
  let folder = '';
  let out = '';

  beforeEach(async () => {
    dataDir = world.directory();
    folder = world.directory();
    out = join(folder, 'laps.csv');
    for (const one of VENUE) await record(dataDir, [one]);
    await record(dataDir, laps(10));
  });

  const run = (...args: readonly string[]) => callCommand(['export', ...args], { DATA_DIR: dataDir });

  it('ends with 2 and one line when it is used wrongly', async () => {
    await expectRefusedUses(
      'export',
      [
        [/what to export is missing: it is one of laps, /, ['--out', out]],
        [/there is no list lapses: it is one of laps, /, ['lapses', '--out', out]],
        [/there is no list licenses/, ['licenses', '--out', out]],
        [/unexpected argument: rigs/, ['laps', 'rigs', '--out', out]],
        [/--out is missing/, ['laps']],
        [/--out is missing/, ['laps', '--out', '']],
        [/\.parquet, \.csv or \.ndjson, or a directory/, ['laps', '--out', join(folder, 'laps.xlsx')]],
        [/no directory/, ['laps', '--out', join(folder, 'absent', 'laps.csv')]],
        [/--format takes parquet, csv, ndjson/, ['laps', '--out', folder, '--format', 'xlsx']],
        [/--format goes with a directory/, ['laps', '--out', out, '--format', 'csv']],
        [/--month goes with a directory/, ['laps', '--out', out, '--month']],
        [/simulator-cars do not say/, ['simulator-cars', '--out', folder, '--month']],
        [/--until takes a position/, ['laps', '--out', out, '--until', 'yesterday']],
        [/no event store in/, ['laps', '--out', out, '--from', join(folder, 'absent')]],
        [/esdb:/, ['laps', '--out', out, '--from', 'http://localhost']],
      ],
      { DATA_DIR: dataDir },
    );
  });

  it('writes a file and touches nothing else', async () => {
    const first = await expectCode(0, runCommand(['export', 'laps', '--out', out, '--json'], { DATA_DIR: dataDir }));
    const [header, row, ...others] = readFileSync(out, 'utf8').trim().split('\r\n');
    const shown = lapQuery.shown.filter((field) => field !== 'participantName');
    expect(header).to.equal([...shown, 'position'].join(','));
    expect(row).to.match(
      /^0,ada,rig,,event,"","\[40000,50000\]",90000,true,car,track,"",2026-03-01 00:00:00\.000,.*,5$/,
    );
    expect(others).to.have.lengthOf(9);
    const bytes = readFileSync(out).length;
    expect(JSON.parse(first.out)).to.deep.include({
      result: 'done',
      view: 'laps',
      after: null,
      position: 14,
      rows: 10,
      files: [{ file: out, rows: 10, bytes }],
    });
    expect(readdirSync(folder)).to.deep.equal(['laps.csv']);
    expect(existsSync(join(dataDir, 'read-models'))).to.equal(false);
  });

  it('adds new events to a directory', async () => {
    const to = `${join(folder, 'exports', 'laps')}/`;
    expect((await run('laps', '--out', to, '--format', 'csv', '--until', '9')).err).to.match(
      /5 laps in .*-0000000000000009\.csv/,
    );
    await record(dataDir, [{ stream: 'lap-3', event: newEvent('LapInvalidated', {}) }]);
    expect((await run('laps', '--out', to, '--format', 'csv')).err).to.match(
      /6 laps in .*laps-0000000000000010-0000000000000015\.csv/,
    );
    const again = await run('laps', '--out', to, '--format', 'csv');
    expect(again.err).to.include('Nothing has changed since position 15.');
    expect(again.code).to.equal(0);
  });

  it('refuses Parquet when ids are not UUIDs, which no service creates', async () => {
    const refused = await expectCode(1, run('laps', '--out', join(folder, 'laps.parquet')));
    expect(refused.err).to.include('is no UUID').and.include('CSV or NDJSON');
  });

  it('leaves out personal data unless it is requested', async () => {
    const written = async (names: readonly string[], ...args: readonly string[]): Promise<string> => {
      let all = '';
      for (const name of names) {
        const file = join(folder, `${name}.ndjson`);
        await expectCode(0, run(name, '--out', file, ...args));
        all += readFileSync(file, 'utf8');
      }
      return all;
    };
    expect(await written(VIEW_NAMES)).to.not.match(PERSONAL);
    const personal = EXPORT_VIEWS.filter(({ query }) => query.personal.length > 0).map(({ name }) => name);
    const requested = await written(personal, '--names', '--replace');
    for (const word of ['Grace Hopper', 'nuts', 'Club of one']) expect(requested).to.include(word);
    expect(requested).to.not.include('licence-key-1');
  });

  it('records when personal data were exported, by whom and where to, and nothing else', async () => {
    const copies = () => withStores(dataDir, ({ store }) => gathered(store.readStream(COPIES_STREAM)));
    await expectCode(0, run('participants', '--out', join(folder, 'nameless.csv')));
    await expectCode(0, run('cars', '--names', '--out', join(folder, 'cars.csv')));
    await expectCode(0, run('participants', '--names', '--from', dataDir, '--out', join(folder, 'other.csv')));
    expect(await copies()).to.deep.equal([]);
    const where = join(folder, 'people.csv');
    await expectCode(0, run('participants', '--names', '--out', where));
    const [{ type, data, metadata } = expect.fail('nothing was recorded'), ...others] = await copies();
    expect(others).to.deep.equal([]);
    const by = `${userInfo().username}@${hostname()}`;
    expect({ type, data }).to.deep.equal({ type: 'PersonalDataCopied', data: { what: 'export', where, by } });
    expect(metadata).to.include({ correlationId: `cli:${by}` });
    expect(Date.now() - Date.parse(metadata.occurredAt)).to.be.within(0, 60_000);
  });

  it('names the event that it cannot project, and exports up to it', async () => {
    const event = newEvent('LapInvalidated', {});
    const later = { ...event, metadata: { ...event.metadata, version: 99 } };
    await record(dataDir, [{ stream: 'lap-3', event: later }]);
    const { err } = await expectCode(1, run('laps', '--out', out));
    expect(err).to.match(/LapInvalidated at position 15 of lap-3 could not be projected: .*--until 14 exports/);
    expect(existsSync(out)).to.equal(false);
    // Files kept for the next attempt are private.
    expect(statSync(join(folder, '.timing-replay')).mode & 0o077).to.equal(0);
    await expectCode(0, run('laps', '--out', out, '--until', '14'));
  });

  it('says so when the disk is full', async () => {
    writeFileSync(out, 'mine');
    const { writeSync } = fs;
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const part = join(folder, '.laps.csv.part');
    replaceWriteSync((handle, bytes) => {
      const isPart = statSync(part, { throwIfNoEntry: false })?.ino === fstatSync(handle).ino;
      if (isPart) throw full;
      return writeSync(handle, bytes);
    });
    try {
      const { err } = await expectCode(1, run('laps', '--out', out, '--replace'));
      expect(err).to.match(/laps\.csv cannot be written: ENOSPC: no space left on device/);
    } finally {
      replaceWriteSync(writeSync);
    }
    expect(readFileSync(out, 'utf8')).to.equal('mine');
  });
});

/** Makes every module write to files with this function. */
function replaceWriteSync(writeSync: (handle: number, bytes: Uint8Array) => number): void {
  Object.assign(fs, { writeSync });
  syncBuiltinESMExports();
}
