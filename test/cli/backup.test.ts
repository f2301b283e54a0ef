import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectStatus, idOf, type Client } from '../support/api/client.ts';
import { upload } from '../support/api/uploads.ts';
import { bodies, createVenue, issueLicenseFile, type Venue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import { callCommand } from '../support/processes/command-process.ts';
import { refusalOf, withServiceHere } from '../support/processes/service-here.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { World, type ServiceProcess } from '../support/processes/world.ts';
import { report } from '../support/reliability.ts';

/** Number of backups under load. */
const COPIES = depth({ short: 1, deep: 20 });

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
  const world = new World();
  let [dataDir, directory] = ['', ''];
  beforeEach(() => {
    [dataDir, directory] = [world.directory(), world.directory()];
  });
  afterEach(() => world.clean());

  const backup = (...args: readonly string[]) => callCommand(['backup', ...args], { DATA_DIR: dataDir });

  const expectStarts = (directory: string) =>
    withServiceHere(directory, async ({ admin }) => expectStatus(await admin.get('/api/v1/laps'), 200));

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

  it(`of a service under load holds all that was acknowledged before, and a service starts on it (${COPIES})`, async () => {
    const running = await world.service({ dataDir });
    const venue = await createVenue(running.admin);
    const licenseFile = await issueLicenseFile(running.admin, venue.licenseId);
    expectStatus(await upload(running.admin, 'LOGO/a.svg', '<svg/>'), 201);
    const acknowledged = [...(await drive(running, venue, 100))];
    let reported = '';
    for (let copy = 1; copy <= COPIES; copy++) {
      const to = copy === COPIES ? directory : world.directory();
      const before = [...acknowledged];
      const work = Promise.all([backup(to, '--json'), drive(running, venue, 200), drive(running, venue, 200)]);
      await replaceUntil(running, work);
      const [made, ...meanwhile] = await work;
      expect(made.code, made.err).to.equal(0);
      expect(JSON.parse(made.out)).to.include({ result: 'done', directory: to });
      reported = made.err;
      acknowledged.push(...meanwhile.flat());
      if (to !== directory)
        await withServiceHere(to, ({ admin }) => holds(admin, before, [...acknowledged, venue.lapId]));
    }
    const before = acknowledged.slice(0, -400);
    await running.process.end('SIGTERM');

    const restored = await world.service({ dataDir: directory });
    await holds(restored.admin, before, [...acknowledged, venue.lapId]);
    report('a backup of a service under load, restored', { copies: COPIES, laps: acknowledged.length, lost: 0 });
    // Whoever replaces a file all the time may be faster than every pass of the backup, which says so.
    const isThere = !reported.includes('The uploaded file LOGO/a.svg is missing in the backup');
    const { text } = expectStatus(await restored.admin.get('/cdn/LOGO/a.svg'), isThere ? 200 : 404);
    if (isThere) expect(text).to.match(/^<svg/);
    expectStatus(await restored.admin.post('/api/v1/rigs', { hardwareId: 'after-the-restore', licenseFile }), 201);
    expect(await drive(restored, venue, 10)).to.have.length(10);
    expect(existsSync(join(directory, 'backup.json')), 'it is a data directory like any other now').to.equal(false);
    await restored.process.end('SIGTERM');
    await expectStarts(directory);
  });

  it('that is damaged is refused at the start, naming the file', async () => {
    await withServiceHere(dataDir, ({ admin }) => createVenue(admin));
    expect((await backup(directory)).code).to.equal(0);
    const path = join(directory, 'events', 'data.mdb');
    const bytes = readFileSync(path);
    const flipped = Buffer.from(bytes);
    const middle = Math.floor(bytes.length / 2);
    flipped.writeUInt8(flipped.readUInt8(middle) ^ 1, middle);
    writeFileSync(path, flipped);
    const refused = world.start({ dataDir: directory });
    expect((await refused.ended).code).to.equal(1);
    expect(refused.err).to.include('data.mdb is damaged; restore another backup');
    writeFileSync(path, bytes);
    const key = join(directory, 'license-signing-key.json');
    const text = readFileSync(key);
    rmSync(key);
    expect(await refusalOf(directory)).to.include('license-signing-key.json is missing or cannot be read');
    writeFileSync(key, text);
    await expectStarts(directory);
  });

  it('needs an empty directory, or one with an interrupted backup', async () => {
    const { code, err } = await withServiceHere(dataDir, async ({ admin }) => {
      await createVenue(admin);
      return backup(directory);
    });
    expect(code, err).to.equal(0);
    rmSync(join(directory, 'backup.json'));
    expect((await backup(directory)).code, 'once more where one was broken off').to.equal(0);
    for (const [where, why] of [
      [directory, 'is not empty'],
      [dataDir, 'the data directory of the service itself'],
    ] as const) {
      const refused = await backup(where);
      expect(refused.code).to.equal(2);
      expect(refused.err).to.include(why);
    }
    const nowhere = await callCommand(['backup']);
    expect(nowhere.code).to.equal(2);
    expect(nowhere.err).to.include('say where');
  });
});
