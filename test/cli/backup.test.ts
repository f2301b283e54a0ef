import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import { expectStatus, idOf, type Client } from '../support/api/client.ts';
import { upload } from '../support/api/uploads.ts';
import { bodies, createVenue, issueLicenseFile, type Venue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import { callCommand, expectCode, record, recordedIn } from '../support/processes/command-process.ts';
import { newEvent } from '../support/event-store/events.ts';
import { filesBelow } from '../support/processes/memory.ts';
import { refusalOf, withServiceHere } from '../support/processes/service-here.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { useWorld, type ServiceProcess } from '../support/processes/world.ts';
import { report } from '../support/reliability.ts';

/** Number of backups under load, and the laps that each of two clients records beside one. */
const COPIES = depth({ short: 1, deep: 20 });
const LAPS = depth({ short: 80, deep: 200 });

/** The list of a backup. */
const ListedFiles = z.looseObject({ files: z.array(z.unknown()) });

/** The files below a directory, with their bytes. */
function filesOf(directory: string): Readonly<Record<string, string>> {
  const paths = filesBelow(directory);
  return Object.fromEntries(paths.map((path) => [relative(directory, path), readFileSync(path, 'base64')]));
}

/** The service shows all laps acknowledged before, and only laps that were recorded. */
async function holds(admin: Client, before: readonly string[], all: readonly string[]): Promise<void> {
  await caughtUp(admin);
  const laps = new Set((await admin.list('/api/v1/laps')).map(idOf));
  expect(before.filter((id) => !laps.has(id))).to.deep.equal([]);
  const asked = new Set(all);
  expect(
    [...laps].filter((id) => !asked.has(id)),
    'nothing that never was',
  ).to.deep.equal([]);
}

describe('sim-racing-timing backup', () => {
  const world = useWorld();
  let dataDir = '';
  let directory = '';
  beforeEach(() => {
    // What a service makes beside a backup goes with the rest.
    dataDir = world.directory();
    directory = join(world.directory(), 'backup');
  });

  const backup = (...args: readonly string[]) => callCommand(['backup', ...args], { DATA_DIR: dataDir });

  async function drive({ admin }: ServiceProcess, venue: Venue, laps: number): Promise<readonly string[]> {
    const made = await Promise.all(Array.from({ length: laps }, () => admin.create('/api/v1/laps', bodies.lap(venue))));
    return made.map(idOf);
  }

  /** Replaces a file again and again, until something else is done. */
  async function replaceUntil({ admin }: ServiceProcess, others: Promise<unknown>): Promise<void> {
    const state = { isOver: false };
    const over = others.finally(() => (state.isOver = true));
    for (let n = 0; !state.isOver; n += 1) expectStatus(await upload(admin, 'LOGO/a.svg', `<svg id="n${n}"/>`), 201);
    await over;
  }

  it(`of a service under load holds all writes acknowledged before it, and a service starts on it (${COPIES})`, async () => {
    const running = await world.service({ dataDir });
    const venue = await createVenue(running.admin);
    const licenseFile = await issueLicenseFile(running.admin, venue.licenseId);
    expectStatus(await upload(running.admin, 'LOGO/a.svg', '<svg/>'), 201);
    const acknowledged = [...(await drive(running, venue, LAPS))];
    let reported = '';
    for (let copy = 1; copy <= COPIES; copy++) {
      const to = copy === COPIES ? directory : join(world.directory(), 'backup');
      const before = [...acknowledged];
      const work = Promise.all([backup(to, '--json'), drive(running, venue, LAPS), drive(running, venue, LAPS)]);
      await replaceUntil(running, work);
      const [made, ...meanwhile] = await work;
      expect(made.code, made.err).to.equal(0);
      expect(JSON.parse(made.out)).to.include({ result: 'done', directory: to });
      reported = made.err;
      acknowledged.push(...meanwhile.flat());
      if (to !== directory)
        await withServiceHere(to, ({ admin }) => holds(admin, before, [...acknowledged, venue.lapId]));
    }
    const before = acknowledged.slice(0, -2 * LAPS);
    await running.process.end('SIGTERM');

    const files = filesOf(directory);
    const elsewhere = world.directory();
    expect(await callCommand(['restore', directory, elsewhere])).to.deep.include({ code: 0, err: '' });
    const restored = await world.service({ dataDir: elsewhere });
    await holds(restored.admin, before, [...acknowledged, venue.lapId]);
    report('a backup of a service under load, restored', { copies: COPIES, laps: acknowledged.length, lost: 0 });
    // Whoever replaces a file all the time may be faster than every pass of the backup, which says so.
    const isThere = !reported.includes('The uploaded file LOGO/a.svg is missing in the backup');
    const { text } = expectStatus(await restored.admin.get('/cdn/LOGO/a.svg'), isThere ? 200 : 404);
    if (isThere) expect(text).to.match(/^<svg/);
    expectStatus(await restored.admin.post('/api/v1/rigs', { hardwareId: 'after-the-restore', licenseFile }), 201);
    expect(await drive(restored, venue, 10)).to.have.length(10);
    await restored.process.end('SIGTERM');
    expect(filesOf(directory), 'the backup is as it was').to.deep.equal(files);
  });

  it('is recorded in the log of the service, and in the backup itself', async () => {
    await withServiceHere(dataDir, ({ admin }) => createVenue(admin));
    await expectCode(0, backup(directory));
    const by = `${userInfo().username}@${hostname()}`;
    for (const place of [dataDir, directory]) {
      const copies = (await recordedIn(place)).filter(({ type }) => type === 'PersonalDataCopied');
      expect(copies.map(({ data }) => data)).to.deep.equal([{ what: 'backup', where: directory, by }]);
    }
  });

  it('is not changed by services that start on it: they work on a copy, and log so', async () => {
    const venue = await withServiceHere(dataDir, async ({ admin }) => {
      expectStatus(await upload(admin, 'LOGO/a.svg', '<svg/>'), 201);
      return createVenue(admin);
    });
    await expectCode(0, backup(directory));
    const files = filesOf(directory);
    for (const start of [1, 2]) {
      const { admin, process: service } = await world.service({ dataDir: directory });
      await caughtUp(admin);
      expect(await admin.list('/api/v1/laps'), 'what the start before recorded is there').to.have.length(start);
      expectStatus(await admin.get('/cdn/LOGO/a.svg'), 200);
      await admin.create('/api/v1/laps', bodies.lap(venue));
      await service.end('SIGTERM');
      expect(service.out).to.match(
        /DATA_DIR is the backup of 20.*, which stays as it is\. .* copy: .*backup-restored"/,
      );
    }
    const { err } = await expectCode(0, callCommand(['verify'], { DATA_DIR: directory }));
    expect(err).to.include('DATA_DIR is the backup of 20');
    expect(filesOf(directory)).to.deep.equal(files);
    expect(JSON.parse((await backup('--check', directory, '--json')).out)).to.include({ result: 'whole' });
    // A newer backup in the place of this one does not show what was recorded on its copy.
    rmSync(directory, { recursive: true });
    await expectCode(0, backup(directory));
    expect(await refusalOf(directory)).to.match(/backup-restored, where .* is not empty: restore the backup elsewhere/);
  });

  it('is restored without people who were erased since, by the newer log or by a list of it', async () => {
    const { participantId } = await withServiceHere(dataDir, ({ admin }) => createVenue(admin));
    await expectCode(0, backup(directory));
    const stream = `participant-${participantId}`;
    const erased = newEvent('ParticipantErased', {});
    // Of the second one, the backup knows nothing.
    await record(dataDir, [
      { stream, event: erased },
      { stream: 'participant-later', event: newEvent('ParticipantErased', {}) },
    ]);
    const list = join(world.directory(), 'erasures.ndjson');
    const events = await expectCode(
      0,
      callCommand(['events', '--type', 'ParticipantErased', '--personal'], { DATA_DIR: dataDir }),
    );
    writeFileSync(list, events.out);
    for (const path of [dataDir, list]) {
      const elsewhere = world.directory();
      const restored = await expectCode(0, callCommand(['restore', directory, elsewhere, '--erasures', path]));
      expect(restored.out).to.include('Erased again: 1.');
      const found = (await recordedIn(elsewhere)).filter(({ type }) => type === 'ParticipantErased');
      expect(found.map((event) => [event.stream, event.id, event.metadata])).to.deep.equal([
        [stream, erased.id, erased.metadata],
      ]);
    }
    const elsewhere = world.directory();
    writeFileSync(list, 'nobody\n');
    const refused = await expectCode(1, callCommand(['restore', directory, elsewhere, '--erasures', list]));
    expect(refused.err).to.include(`line 1 of ${list} is no event`);
    expect(filesBelow(elsewhere), 'nothing was restored').to.deep.equal([]);
    const missing = await expectCode(2, callCommand(['restore', directory, elsewhere, '--erasures', `${list}.no`]));
    expect(missing.err).to.include('--erasures: there is no');
  });

  it('is refused by check, restore and start when a file is damaged, and they name the file', async () => {
    await withServiceHere(dataDir, async ({ admin }) => issueLicenseFile(admin, (await createVenue(admin)).licenseId));
    await expectCode(0, backup(directory));
    const elsewhere = world.directory();
    /** It is named by the check, by a restore, and by a start; a restore leaves nothing behind. */
    async function expectNamed(fault: string): Promise<void> {
      const checked = await backup('--check', directory);
      expect(checked).to.deep.include({ code: 1, err: '' });
      expect(checked.out).to.match(/^The backup of 20.* cannot be restored; use another one:\n/);
      expect(checked.out).to.include(`\n${fault}\n`);
      expect(JSON.parse((await backup('--check', directory, '--json')).out)).to.deep.include({ faults: [fault] });
      const refused = await expectCode(1, callCommand(['restore', directory, elsewhere]));
      expect(refused.err).to.include(`${fault}; restore another backup`);
      expect(readdirSync(elsewhere)).to.deep.equal([]);
      expect(await refusalOf(directory)).to.include(`${fault}; restore another backup`);
    }
    const path = join(directory, 'events', 'data.mdb');
    const bytes = readFileSync(path);
    const flipped = Buffer.from(bytes);
    const middle = Math.floor(bytes.length / 2);
    flipped.writeUInt8(flipped.readUInt8(middle) ^ 1, middle);
    writeFileSync(path, flipped);
    await expectNamed('events/data.mdb is damaged');
    writeFileSync(path, bytes);
    const key = join(directory, 'license-signing-key.json');
    const text = readFileSync(key);
    rmSync(key);
    await expectNamed('license-signing-key.json is missing or cannot be read');
    writeFileSync(key, text);
    await withServiceHere(directory, async ({ admin }) => expectStatus(await admin.get('/api/v1/laps'), 200));
    for (const [args, why] of [
      [[directory], 'two arguments are needed'],
      [[directory, elsewhere, 'more'], 'unexpected argument'],
      [[directory, dataDir], 'is not empty'],
    ] as const) {
      expect((await expectCode(2, callCommand(['restore', ...args]))).err).to.include(why);
    }
    expect((await callCommand(['restore', dataDir, elsewhere])).err).to.include('holds no complete backup');
    expect((await backup('--check', dataDir)).err).to.include('holds no complete backup');
  });

  it('is refused by check, restore and start when its list names a path outside its directory', async () => {
    await withServiceHere(dataDir, async ({ admin }) => issueLicenseFile(admin, (await createVenue(admin)).licenseId));
    await expectCode(0, backup(directory));
    const manifestFile = join(directory, 'backup.json');
    const whole = readFileSync(manifestFile, 'utf8');
    const outside = join(world.directory(), 'outside');
    const entry = { size: 4, sha256: createHash('sha256').update('evil').digest('hex') };
    writeFileSync(join(directory, '..', 'evil'), 'evil');
    const listed = (path: string): string => {
      const manifest = ListedFiles.parse(JSON.parse(whole));
      return JSON.stringify({ ...manifest, files: [...manifest.files, { path, ...entry }] });
    };
    async function expectRefused(what: string): Promise<void> {
      const elsewhere = world.directory();
      const checked = await backup('--check', directory, '--json');
      expect(checked.code, what).to.equal(1);
      const refused = await expectCode(1, callCommand(['restore', directory, elsewhere]));
      expect(refused.err, what).to.match(/restore another backup|no plain file/);
      expect(readdirSync(elsewhere), what).to.deep.equal([]);
      expect(existsSync(outside), what).to.equal(false);
      expect(await refusalOf(directory), what).to.match(/restore another backup|no plain file/);
    }
    for (const path of [
      '../evil',
      '../../evil',
      outside,
      'assets/../../evil',
      'events/../evil',
      'assets/./a',
      'assets//a',
      'assets/',
      'evil',
      'backup.json',
      'assets/a\\..\\..\\evil',
      'assets/C:evil',
      'assets/a:stream',
      'assets/nul',
      'assets/COM1.txt',
      'assets/a.',
      'assets/a ',
      'assets/a\u0000b',
      'EVENTS/data.mdb',
      'events/DATA.MDB',
      'events/data.mdb',
      'events/data.mdb/a',
    ]) {
      writeFileSync(manifestFile, listed(path));
      await expectRefused(path);
    }
    writeFileSync(manifestFile, JSON.stringify({ ...ListedFiles.parse(JSON.parse(whole)), files: [] }));
    await expectRefused('no files');
    writeFileSync(manifestFile, whole);
    // What the list names may itself be a link, or lie behind one, or wait for ever.
    const key = join(directory, 'license-signing-key.json');
    renameSync(key, join(directory, '..', 'key'));
    symlinkSync(join(directory, '..', 'key'), key);
    await expectRefused('a link in the place of a file');
    rmSync(key);
    execFileSync('mkfifo', [key]);
    await expectRefused('a pipe in the place of a file');
    rmSync(key);
    renameSync(join(directory, '..', 'key'), key);
    const events = join(directory, 'events');
    renameSync(events, join(directory, '..', 'elsewhere'));
    symlinkSync(join(directory, '..', 'elsewhere'), events);
    await expectRefused('a link in the place of a folder');
    rmSync(events);
    renameSync(join(directory, '..', 'elsewhere'), events);
    expect((await backup('--check', directory)).code).to.equal(0);
  });

  it('is refused in a directory with symbolic links, which could lead out of it', async () => {
    await withServiceHere(dataDir, async ({ admin }) => {
      expectStatus(await upload(admin, 'LOGO/a.svg', '<svg/>'), 201);
    });
    const outside = world.directory();
    mkdirSync(directory);
    symlinkSync(outside, join(directory, 'assets'));
    expect((await expectCode(2, backup(directory))).err).to.include('is not empty');
    expect(readdirSync(outside)).to.deep.equal([]);
  });

  it('needs an empty directory, or one with an interrupted backup', async () => {
    const { code, err } = await withServiceHere(dataDir, async ({ admin }) => {
      await createVenue(admin);
      return backup(directory);
    });
    expect(code, err).to.equal(0);
    rmSync(join(directory, 'backup.json'));
    expect((await backup(directory)).code, 'once more where one was interrupted').to.equal(0);
    for (const [where, why] of [
      [directory, 'is not empty'],
      [dataDir, 'the data directory of the service itself'],
    ] as const) {
      expect((await expectCode(2, backup(where))).err).to.include(why);
    }
    expect((await expectCode(2, callCommand(['backup']))).err).to.include('an argument is needed');
  });
});
