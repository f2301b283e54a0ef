import { randomInt } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { open } from 'lmdb';
import { EventRecords } from '../../infra/lmdb/event-records.ts';
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { expectProblem, expectStatus } from '../support/api/client.ts';
import { upload } from '../support/api/uploads.ts';
import { bodies, createVenue } from '../support/api/venue.ts';
import { newEvents, newStream } from '../support/event-store/events.ts';
import { callCommand, expectCode, record, recordedIn, runCommand } from '../support/processes/command-process.ts';
import { filesBelow } from '../support/processes/memory.ts';
import { refusalOf, withServiceHere } from '../support/processes/service-here.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';
import { depth } from '../support/depth.ts';

/** Number of flipped bits. */
const FLIPS = depth({ short: 20, deep: 2_000 });

const PAGE_BYTES = 4_096;
const METAS_BYTES = 2 * PAGE_BYTES;

/** The place of a byte of an event, by where its text begins and ends in the file. */
type Place = (text: number, end: number) => number;

describe('sim-racing-timing check', () => {
  const world = useWorld();

  const check = (...args: readonly string[]) => callCommand(['check', ...args], { DATA_DIR: world.dataDir });
  const dataOf = (directory: string): string => join(directory, 'events', 'data.mdb');

  /** Appends streams of three events. */
  const fill = (streams: number): Promise<void> =>
    record(
      world.dataDir,
      Array.from({ length: streams }, () => newStream()).flatMap((stream) =>
        newEvents(3).map((event) => ({ stream, event })),
      ),
    );

  it('says what it cannot check', async () => {
    expect(await check()).to.deep.include({ code: 2, out: '' });
    const server = await expectCode(2, callCommand(['check'], { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' }));
    expect(server.err).to.include('only embedded event stores can be checked');
  });

  it('counts the events and pages of an intact store, while a service runs on it too', async () => {
    await fill(400);
    const { code, out, err } = await check('--json');
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    const result: unknown = JSON.parse(out);
    expect(result).to.deep.include({ result: 'whole', events: 1_200 });
    expect(result)
      .to.have.property('bytes')
      .that.is.at.most(statSync(dataOf(world.dataDir)).size);
    await withServiceHere(world.dataDir, async ({ admin }) => {
      const venue = await createVenue(admin);
      await admin.create('/api/v1/laps', bodies.lap(venue));
      expect((await runCommand(['check'], { DATA_DIR: world.dataDir })).out).to.match(
        /^Checked 1,\d{3} events on [\d,]+ pages in .*: nothing is damaged\.\n$/,
      );
    });
  });

  it('names uploaded files that are missing or damaged', async () => {
    await withServiceHere(world.dataDir, async ({ admin }) => {
      for (const name of ['a', 'b', 'c'])
        expectStatus(await upload(admin, `LOGO/${name}.png`, `bytes of ${name}`), 201);
    });
    expect(await check()).to.deep.include({ code: 0 });
    for (const path of filesBelow(join(world.dataDir, 'assets'))) {
      const bytes = readFileSync(path);
      if (bytes.includes('bytes of a')) rmSync(path);
      if (bytes.includes('bytes of b')) writeFileSync(path, bytes.toString('latin1').replace('of b', 'of x'), 'latin1');
    }
    const { out } = await expectCode(1, check());
    expect(out.split('\n').slice(1, -1)).to.have.members(['LOGO/a.png is missing', 'LOGO/b.png is damaged']);
    const json: unknown = JSON.parse((await check('--json')).out);
    expect(json).to.include({ result: 'damaged' });
    const copy = world.directory();
    const { code: done, err } = await callCommand(['backup', copy], { DATA_DIR: world.dataDir });
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
      const older = readFileSync(dataOf(world.dataDir));
      // Pages are reused from the next but one transaction on.
      for (let times = 0; times < 4; times++) await fill(100);
      const copy = world.directory();
      mkdirSync(join(copy, 'events'), { recursive: true });
      writeFileSync(dataOf(copy), damage(readFileSync(dataOf(world.dataDir)), older));
      const start = /event store in .* cannot be opened: data\.mdb is damaged: .*; restore a backup/;
      expect(await refusalOf(copy)).to.match(start);
      const refused = await check('--from', copy);
      expect(refused).to.deep.include({ code: 1, out: '' });
      expect(refused.err).to.match(
        /^sim-racing-timing check: .*data\.mdb is damaged: .*; restore a backup; see DATA_DIR\n$/,
      );
      expect(await refusalOf(copy), 'as the check has noted').to.match(
        /event store in .* is damaged \(data\.mdb is damaged/,
      );
    });
  }

  const events = () => recordedIn(world.dataDir);

  /** Changes a byte of an event wherever it is in the file; returns what changes it back. */
  function flip({ id }: RecordedEvent, at: Place): () => void {
    const bytes = readFileSync(dataOf(world.dataDir));
    const changed = Buffer.from(bytes);
    for (let found = bytes.indexOf(id); found >= 0; found = bytes.indexOf(id, found + 1)) {
      const place = at(bytes.lastIndexOf('["', found), bytes.indexOf('"}', found) + 2);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    }
    writeFileSync(dataOf(world.dataDir), changed);
    return () => writeFileSync(dataOf(world.dataDir), bytes);
  }

  /** Fills the store, and flips a byte of an event in it; returns what a check says of that, and what flips it back. */
  async function damagedAt(at: Place): Promise<{ readonly line: string; readonly restore: () => void }> {
    await fill(40);
    const damaged = (await events())[64] ?? expect.fail('there are too few events');
    const line = `position ${damaged.position}, stream ${damaged.stream}: its checksum is wrong`;
    return { line, restore: flip(damaged, at) };
  }

  const places = {
    'its revision': (text) => text - 20,
    'the link to the event before it': (text) => text - 12,
    'the hash of its type': (text) => text - 4,
    'its type': (text) => text + 3,
    'the name of its stream': (text) => text + 20,
    'its data': (text) => text + 100,
    'its metadata': (_, end) => end - 3,
    'its checksum': (_, end) => end + 4,
  } satisfies Readonly<Record<string, Place>>;
  for (const [part, at] of Object.entries(places)) {
    it(`names position and stream of an event with a flipped byte in ${part}`, async () => {
      const { line } = await damagedAt(at);
      expect(JSON.parse((await check('--json')).out)).to.deep.include({ result: 'damaged', damage: [line] });
    });
  }

  it('explains how to continue, and no service starts until a check finds no damage', async () => {
    const { line, restore } = await damagedAt(places['its data']);
    const { code, out, err } = await check();
    expect({ code, err }).to.deep.equal({ code: 1, err: '' });
    expect(out).to.match(/^Checked 120 events on \d+ pages in .*: these are damaged:\n/);
    expect(out).to.include(`\n${line}\n`);
    expect(out).to.include('To continue: ').and.include('sim-racing-timing restore');
    const refusal = await refusalOf(world.dataDir);
    for (const part of [line, 'restore', '--read-only']) expect(refusal).to.include(part);
    restore();
    expect(await refusalOf(world.dataDir), 'until it is checked again').to.include(line);
    expect(await check()).to.deep.include({ code: 0 });
    await withServiceHere(world.dataDir, async ({ admin }) => void (await createVenue(admin)));
  });

  it(`reports a flipped byte anywhere in the file, or reads what was recorded (${FLIPS})`, async function () {
    this.timeout(FLIPS * 1_000 + 10_000);
    await fill(200);
    const before = await events();
    const whole = readFileSync(dataOf(world.dataDir));
    for (let n = 0; n < FLIPS; n++) {
      const bytes = Buffer.from(whole);
      const at = randomInt(bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << randomInt(8)), at);
      writeFileSync(dataOf(world.dataDir), bytes);
      const { code, err } = await check();
      if (code === 0) expect(await events(), `bit at ${at}`).to.deep.equal(before);
      else expect(code === 1 || err, `bit at ${at}`).to.equal(true);
    }
  });

  it('finds a wrong link to the newest event of a stream, and a wrong number of events', async () => {
    await fill(40);
    const [first, , last] = await events();
    const records = await EventRecords.open(join(world.dataDir, 'events'));
    await records.env.write(() => {
      records.putStreamHead(first?.stream ?? '', { revision: 1, position: 3 });
      records.putHead(119);
    });
    await records.close();
    expect(JSON.parse((await check('--json')).out)).to.deep.include({
      damage: [
        'position 119 is noted as the newest; the newest event is at 120',
        `position ${last?.position}, stream ${last?.stream}: this is not the newest event of the stream`,
      ],
    });
  });

  it('is needed once a read has found damage: no service starts until then, and a read-only one shows the rest', async () => {
    const { rigId, lapId } = await withServiceHere(world.dataDir, async ({ admin }) => {
      const venue = await createVenue(admin);
      // The newest event is what the read models are known by.
      await admin.create('/api/v1/laps', bodies.lap(venue));
      await caughtUp(admin);
      return venue;
    });
    const damaged = (await events()).find(({ stream }) => stream === `lap-${lapId}`) ?? expect.fail('there is no lap');
    flip(damaged, (text) => text + 150);
    await withServiceHere(world.dataDir, async ({ admin }) => {
      const patch = await admin.patch(`/api/v1/laps/${lapId}`, { valid: false, reason: 'cut' });
      expectProblem(patch, 503);
    });
    const what = `the event at position ${damaged.position}, of stream lap-${lapId}, is damaged`;
    expect(await refusalOf(world.dataDir)).to.include(what);
    expect((await callCommand(['keys', 'issue', '--role', 'R'], { DATA_DIR: world.dataDir })).err).to.include(what);

    const { admin, process: service } = await world.service({ dataDir: world.dataDir, args: ['--read-only'] });
    expect(await admin.list('/api/v1/laps')).to.have.length(2);
    expectStatus(await admin.get('/api/v1/api-keys'), 200);
    const { text } = await admin.patch(`/api/v1/rigs/${rigId}`, { name: 'renamed' });
    expect(text).to.include('"status":503').and.to.include('only reads');
    expect(await service.end('SIGTERM')).to.deep.include({ code: 0 });
    expect(service.out).to.include('started with --read-only').and.not.to.include('record of key use');
  });

  it('counts events of earlier releases, which have no checksum until a backup adds it', async () => {
    const venue = await withServiceHere(world.dataDir, ({ admin }) => createVenue(admin));
    const before = await events();
    const records = await EventRecords.open(join(world.dataDir, 'events'));
    const root = open({ path: join(world.dataDir, 'events'), encoding: 'binary', noSubdir: false });
    const stored = root.openDB<Buffer, number>('events', { encoding: 'binary' });
    await root.transaction(() => {
      // The end of an event of theirs is that of its metadata.
      for (const { key, value } of stored.getRange())
        void stored.put(key, Buffer.from(`${value.toString('latin1', 0, value.length - 12)}]`, 'latin1'));
    });
    await records.close();
    expect(await events()).to.deep.equal(before);
    const old = before.length;
    expect((await check()).out).to.include(
      `Checked ${old} events (${old} of them, of earlier releases, without a checksum) on`,
    );
    await withServiceHere(world.dataDir, async ({ admin }) => {
      await admin.create('/api/v1/laps', bodies.lap(venue));
      expect(await admin.list('/api/v1/laps')).to.have.length(2);
    });
    expect((await check()).out).to.include(`Checked ${old + 1} events (${old} of them`);
    const copy = world.directory();
    await callCommand(['backup', copy], { DATA_DIR: world.dataDir });
    expect(JSON.parse((await check('--json', '--from', copy)).out)).to.include({ withoutChecksum: 0 });
  });

  it('is not needed to start on the copy of a stopped service, and names a file that is not a store', async () => {
    await withServiceHere(world.dataDir, async ({ admin }) => void (await createVenue(admin)));
    const copy = world.directory();
    cpSync(world.dataDir, copy, { recursive: true });
    await withServiceHere(copy, async ({ admin }) => {
      expect(await admin.list('/api/v1/laps')).to.have.length(1);
    });
    truncateSync(dataOf(copy), 10);
    rmSync(join(copy, 'events', 'place'));
    expect((await check('--from', copy)).err).to.match(/data\.mdb is damaged: it ends too early/);
  });
});
