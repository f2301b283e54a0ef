import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectCode } from '../support/processes/command-process.ts';
import { lapsProjection } from '../../projections/laps.ts';
import { rigsProjection } from '../../projections/rigs.ts';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import type { NewEvent } from '../../src/kernel/ports/event-store.ts';
import { expectStatus, idOf, type Client } from '../support/api/client.ts';
import { useFaultIn } from '../support/api/projection-fault.ts';
import { newEvent, NO_DATA } from '../support/event-store/events.ts';
import { caughtUp, until } from '../support/processes/waits.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { useWorld } from '../support/processes/world.ts';
import { timing } from '../support/processes/rebuilding.ts';
import { bodies, createLicense, createVenue, registerRig, works, type Venue } from '../support/api/venue.ts';
import { hashOf, newToken, prefixOf } from '../../src/service/access/authenticator.ts';

/** A lap time, in ms, that cannot be projected while the fault is on. */
const POISON_MS = 66_666;

const PARKED = /^\{"level":50.*"msg":"An event could not be projected and is parked as a dead letter"\}$/m;

describe('a poison event', () => {
  const fault = useFaultIn(lapsProjection, ['LapRecorded', 'LapCorrected'], ({ totalTime }) => {
    if (totalTime === POISON_MS) throw new Error('cannot project such a time');
  });
  const rigFault = useFaultIn(rigsProjection, ['RigRegistered'], () => {
    throw new Error('cannot project such a rig');
  });
  const world = useWorld();

  /** Appends an event as another process would; resolves to its position. */
  async function append(stream: string, event: NewEvent): Promise<number> {
    const store = await openLmdbEventStore({ path: join(world.dataDir, 'events') });
    const { position } = await store.append(stream, [event], 'any');
    await store.close();
    return position;
  }

  it('parks its stream visibly while all others continue, even after a restart and a failed retry', async () => {
    const stream = `lap-${randomUUID()}`;
    const { position, behind, line } = await withServiceHere(world.dataDir, async ({ admin, log }) => {
      const venue = await createVenue(admin);
      const parked = await append(stream, newEvent('LapRecorded', NO_DATA));
      const next = await append(stream, newEvent('LapInvalidated'));
      const lapId = idOf(expectStatus(await admin.post('/api/v1/laps', bodies.lap(venue)), 201).body);
      expectStatus(await admin.get(`/api/v1/laps/${lapId}`), 200);
      await expectParked(admin, 2);
      return { position: parked, behind: next, line: log.find((said) => PARKED.test(said)) };
    });
    for (const word of ['LapRecorded', stream, `"position":${position}`]) expect(line).to.include(word);
    const { out } = await expectCode(1, timing(world.dataDir, 'dead-letters', 'show'));
    const [first, second, end] = out.split('\n');
    expect(first).to.match(new RegExp(`^${position}  LapRecorded  ${stream}@0  Cannot (read|destructure) propert`));
    expect(second).to.equal(`${behind}  LapInvalidated  ${stream}@1  an earlier event of its stream is parked`);
    expect(end).to.equal('');
    const projections = await timing(world.dataDir, 'projections', '--json');
    expect(JSON.parse(projections.out)).to.include({
      deadLetters: 2,
      lastError: 'an earlier event of its stream is parked',
    });
    await withServiceHere(world.dataDir, async ({ admin }) => {
      await expectParked(admin, 2);
      const retried = await timing(world.dataDir, 'dead-letters', 'retry');
      expect(retried).to.deep.equal({
        code: 1,
        err: '',
        out: 'Retried 2; 2 are still parked: see sim-racing-timing dead-letters show.\n',
      });
      await expectParked(admin, 2);
    });
  });

  it('is projected by a release that can, with the same documents as without the delay', async () => {
    fault.on = true;
    const { venue, path, existing } = await withServiceHere(world.dataDir, ({ admin }) => parkLaps(admin));
    fault.on = false;

    await withServiceHere(world.dataDir, async ({ admin }) => {
      await rename(admin, venue);
      const retried = await timing(world.dataDir, 'dead-letters', 'retry', '--json');
      expect(JSON.parse(retried.out)).to.deep.equal({ result: 'done', retried: 3, waiting: 0 });
      expect(retried).to.include({ code: 0, err: '' });
      await expectParked(admin, 0);
      const { body } = expectStatus(await admin.get(path), 200);
      expect(body).to.include({ totalTime: POISON_MS, valid: false, participantName: 'Renamed Racer' });
      expect(expectStatus(await admin.get(existing), 200).body).to.include({ totalTime: POISON_MS });
      const verified = await timing(world.dataDir, 'verify', '--json');
      expect(verified, verified.out).to.include({ code: 0 });
    });
    expect((await timing(world.dataDir, 'dead-letters', 'show')).out).to.equal('Nothing is parked.\n');
  });

  describe('of a rig, whose key is in use', () => {
    /** A rig that a newer release has registered, and a key of it that this release understands. */
    async function registerByNewerRelease(licenseId: string) {
      const rigId = randomUUID();
      const registered = newEvent('RigRegistered', { hardwareId: `hw-${rigId}`, licenseId, wheel: 'direct drive' });
      await append(`rig-${rigId}`, { ...registered, metadata: { ...registered.metadata, version: 2 } });
      const token = newToken();
      const keyId = randomUUID();
      const key = {
        licenseId,
        name: 'Rig',
        role: 'CRUD',
        keyPrefix: prefixOf(token),
        tokenHash: hashOf(token),
        rigId,
        registration: rigId,
      };
      await append(`apiKey-${keyId}`, newEvent('ApiKeyIssued', key));
      return { rigId, keyId, token, stream: `rig-${rigId}` };
    }

    it('locks no key out at the next start, and no use of the key becomes a dead letter', async () => {
      const { venue, rig } = await withServiceHere(world.dataDir, async ({ admin }) => {
        const made = await createVenue(admin);
        const newer = await registerByNewerRelease(made.licenseId);
        await caughtUp(admin);
        expect(await works(admin.as(newer.token))).to.equal(true);
        await until(
          () => admin.read(`/api/v1/api-keys/${newer.keyId}`),
          ({ lastUsedAt }) => lastUsedAt !== null,
        );
        // Later uses, as other nodes record them.
        for (let use = 0; use < 3; use += 1) {
          await append(
            `apiKeyUsage-${newer.keyId}`,
            newEvent('ApiKeyUsed', { licenseId: made.licenseId, rigId: newer.rigId }),
          );
        }
        await expectParked(admin, 1);
        return { venue: made, rig: newer };
      });
      await withServiceHere(world.dataDir, async ({ admin }) => {
        for (const { token } of [admin, venue.manager, venue.rig, rig]) {
          expect(await works(admin.as(token))).to.equal(true);
        }
        await expectParked(admin, 1);
      });
    });

    it('shows the use of its key once it is projected, and `verify` finds no difference', async () => {
      rigFault.on = true;
      const rig = await withServiceHere(world.dataDir, async ({ admin }) => {
        const { licenseId, manager } = await createLicense(admin);
        const registered = await registerRig(manager, licenseId);
        expect(await works(registered.rig)).to.equal(true);
        await expectParked(admin, 1);
        return { ...registered, licenseId };
      });
      rigFault.on = false;
      await withServiceHere(world.dataDir, async ({ admin }) => {
        const retried = await timing(world.dataDir, 'dead-letters', 'retry', '--json');
        expect(JSON.parse(retried.out)).to.deep.equal({ result: 'done', retried: 1, waiting: 0 });
        await expectParked(admin, 0);
        const verified = await timing(world.dataDir, 'verify', '--json');
        expect(verified, verified.out).to.include({ code: 0 });
        await append(
          `apiKeyUsage-${rig.rigKeyId}`,
          newEvent('ApiKeyUsed', { licenseId: rig.licenseId, rigId: rig.rigId }),
        );
        await caughtUp(admin);
        expect(await admin.read(`/api/v1/rigs/${rig.rigId}`)).to.include({ lastSeenAt: '2026-01-02T03:04:05.678Z' });
      });
    });
  });

  it('is distinguished from unknown types and versions of another release', async () => {
    await withServiceHere({ DATA_DIR: world.dataDir, LOG_LEVEL: 'warn' }, async ({ admin, log }) => {
      const { lapId } = await createVenue(admin);
      await append(`lap-${lapId}`, newEvent('LapSponsored', { by: 'somebody' }));
      await append('elsewhere-1', newEvent('SomethingOfAnotherApplication'));
      const newer = newEvent('LapInvalidated');
      await append(`lap-${lapId}`, { ...newer, metadata: { ...newer.metadata, version: 2 } });
      await expectParked(admin, 1);
      const said = log.filter((line) => line.includes('"msg":"Events of this type are not projected'));
      expect(said.join('')).to.match(/^\{"level":40.*"type":"LapSponsored".*\}$/m);
      const { text } = await admin.get('/actuator/prometheus');
      expect(text).to.match(/^projection_unknown_events_total 2$/m);
    });
    expect((await timing(world.dataDir, 'dead-letters', 'show', '--json')).out).to.match(
      /"LapInvalidated".*"unknown":true/,
    );
  });
});

/** Sends a lap, and changes of it and of another one, that cannot be projected. */
async function parkLaps(admin: Client) {
  const venue = await createVenue(admin);
  const lap = { ...bodies.lap(venue), totalTime: POISON_MS };
  const accepted = expectStatus(await admin.post('/api/v1/laps', lap), 202);
  const path = accepted.header('Location');
  expectStatus(await admin.patch(path, { valid: false }), 202);
  expectStatus(await admin.get(path), 404);
  const existing = `/api/v1/laps/${venue.lapId}`;
  const { body: before } = expectStatus(await admin.get(existing), 200);
  // A 200 would show the previous times.
  expectStatus(await admin.patch(existing, { totalTime: POISON_MS, sectors: [POISON_MS] }), 202);
  expect(expectStatus(await admin.get(existing), 200).body).to.deep.equal(before);
  await expectParked(admin, 3);
  return { venue, path, existing };
}

async function rename(admin: Client, { participantId }: Venue): Promise<void> {
  const name = { firstName: 'Renamed', lastName: 'Racer' };
  expectStatus(await admin.patch(`/api/v1/participants/${participantId}`, name), 200);
}

/** The count is shown in health, readiness and metrics, and the service stays up. */
async function expectParked(admin: Client, count: number): Promise<void> {
  await caughtUp(admin);
  const seen = new RegExp(`"deadLetters":${count}\\b`);
  const health = await until(
    () => admin.get('/actuator/health'),
    ({ text }) => seen.test(text),
  );
  expectStatus(health, 200);
  const readiness = expectStatus(await admin.get('/actuator/health/readiness'), 200);
  expect(readiness.text).to.match(seen);
  const { text } = expectStatus(await admin.get('/actuator/prometheus'), 200);
  expect(text).to.match(new RegExp(`^projection_dead_letters ${count}$`, 'm'));
}
