import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import { expectStatus } from '../support/api/client.ts';
import { upload } from '../support/api/uploads.ts';
import { bodies, createVenue } from '../support/api/venue.ts';
import { newEvents, newStream } from '../support/event-store/events.ts';
import { callCommand, runCommand } from '../support/processes/command-process.ts';
import { refusalOf, withServiceHere } from '../support/processes/service-here.ts';
import { World } from '../support/processes/world.ts';
import { depth } from '../support/depth.ts';

/** Number of manual copies of a store that is being written. */
const COPIES = depth({ short: 3, deep: 20 });

const PAGE_BYTES = 4_096;
const METAS_BYTES = 2 * PAGE_BYTES;

describe('sim-racing-timing check', () => {
  const world = new World();
  let dataDir = '';
  beforeEach(() => {
    dataDir = world.directory();
  });
  afterEach(() => world.clean());

  const check = (...args: readonly string[]) => callCommand(['check', ...args], { DATA_DIR: dataDir });
  const dataOf = (directory: string): string => join(directory, 'events', 'data.mdb');

  /** Appends streams of three events. */
  async function fill(streams: number): Promise<void> {
    const store = await openLmdbEventStore({ path: join(dataDir, 'events') });
    await Promise.all(Array.from({ length: streams }, () => store.append(newStream(), newEvents(3), 'no_stream')));
    await store.close();
  }

  it('explains itself, and says what it cannot check', async () => {
    expect((await check('--help')).out).to.match(/^usage: sim-racing-timing check/);
    expect(await check()).to.deep.include({ code: 2, out: '' });
    const server = await callCommand(['check'], { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' });
    expect(server.code).to.equal(2);
    expect(server.err).to.include('only embedded event stores can be checked');
  });

  it('counts the events and pages of a whole store, while a service runs on it too', async () => {
    await fill(1_000);
    const { code, out, err } = await check('--json');
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    const result: unknown = JSON.parse(out);
    expect(result).to.deep.include({ result: 'whole', events: 3_000 });
    expect(result)
      .to.have.property('bytes')
      .that.is.at.most(statSync(dataOf(dataDir)).size);
    await withServiceHere(dataDir, async ({ admin }) => {
      const venue = await createVenue(admin);
      await admin.create('/api/v1/laps', bodies.lap(venue));
      expect((await runCommand(['check'], { DATA_DIR: dataDir })).out).to.match(
        /^Checked 3,\d{3} events on [\d,]+ pages in .*: nothing is damaged\.\n$/,
      );
    });
  });

  it('names uploaded files that are missing or damaged', async () => {
    await withServiceHere(dataDir, async ({ admin }) => {
      for (const name of ['a', 'b', 'c'])
        expectStatus(await upload(admin, `LOGO/${name}.png`, `bytes of ${name}`), 201);
    });
    expect(await check()).to.deep.include({ code: 0 });
    const places = readdirSync(join(dataDir, 'assets'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const path of places) {
      const bytes = readFileSync(path);
      if (bytes.includes('bytes of a')) rmSync(path);
      if (bytes.includes('bytes of b')) writeFileSync(path, bytes.toString('latin1').replace('of b', 'of x'), 'latin1');
    }
    const { code, out } = await check();
    expect(code).to.equal(1);
    expect(out.split('\n').slice(1, -1)).to.have.members(['LOGO/a.png is missing', 'LOGO/b.png is damaged']);
    const json: unknown = JSON.parse((await check('--json')).out);
    expect(json).to.include({ result: 'damaged' });
    const copy = world.directory();
    const { code: done, err } = await callCommand(['backup', copy], { DATA_DIR: dataDir });
    expect(done, err).to.equal(0);
    expect(err).to.include('The uploaded file LOGO/a.png is missing in the backup');
  });

  const damages: Readonly<Record<string, (whole: Buffer, older: Buffer) => Buffer>> = {
    'a file that is newer at its beginning than at its end': (whole, older) =>
      Buffer.concat([whole.subarray(0, METAS_BYTES), older.subarray(METAS_BYTES)]),
    'a file that is older at its beginning than at its end': (whole, older) =>
      Buffer.concat([older.subarray(0, METAS_BYTES), whole.subarray(METAS_BYTES)]),
    'a file that is cut off': (whole) => whole.subarray(0, Math.floor(whole.length / 2 / PAGE_BYTES) * PAGE_BYTES),
    'a file of zeros from its middle on': (whole) => Buffer.from(whole).fill(0, Math.floor(whole.length / 2)),
  };
  for (const [what, damage] of Object.entries(damages)) {
    it(`finds ${what}, as does the start of a service`, async () => {
      await fill(500);
      const older = readFileSync(dataOf(dataDir));
      // Pages are reused from the next but one transaction on.
      for (let times = 0; times < 4; times++) await fill(100);
      const copy = world.directory();
      mkdirSync(join(copy, 'events'), { recursive: true });
      writeFileSync(dataOf(copy), damage(readFileSync(dataOf(dataDir)), older));
      const refused = await check('--from', copy);
      expect(refused).to.deep.include({ code: 1, out: '' });
      expect(refused.err).to.match(/^sim-racing-timing check: .*data\.mdb is damaged: .*; restore a backup\n$/);
      expect(await refusalOf(copy)).to.match(
        /event store in .* cannot be opened: data\.mdb is damaged: .*; restore a backup/,
      );
    });
  }

  it('is not needed for the copy of a stopped service, which starts; a file that is no store is named', async () => {
    await withServiceHere(dataDir, async ({ admin }) => void (await createVenue(admin)));
    const copy = world.directory();
    cpSync(dataDir, copy, { recursive: true });
    await withServiceHere(copy, async ({ admin }) => {
      expect(await admin.list('/api/v1/laps')).to.have.length(1);
    });
    truncateSync(dataOf(copy), 10);
    rmSync(join(copy, 'events', 'place'));
    expect((await check('--from', copy)).err).to.match(/data\.mdb is damaged: it ends too early/);
  });

  it(`finds ${COPIES} manual copies of a store during writes damaged, or all their events can be read`, async () => {
    await fill(1_000);
    const store = await openLmdbEventStore({ path: join(dataDir, 'events') });
    for (let n = 0; n < COPIES; n++) {
      const copy = world.directory();
      mkdirSync(join(copy, 'events'), { recursive: true });
      const writes = Array.from({ length: 100 }, () => store.append(newStream(), newEvents(3), 'no_stream'));
      await Promise.all([copyFile(dataOf(dataDir), dataOf(copy)), ...writes]);
      const { code, err } = await check('--from', copy);
      expect(code === 0 || err.includes('is damaged'), err).to.equal(true);
      if (code === 0) await withServiceHere(copy, async ({ admin }) => void (await createVenue(admin)));
    }
    await store.close();
  });
});
