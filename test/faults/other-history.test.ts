import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectCode } from '../support/processes/command-process.ts';
import { expectProblem, expectStatus } from '../support/api/client.ts';
import { bodies, createVenue, type Venue } from '../support/api/venue.ts';
import { expectAsRebuilt, timing, timingApart } from '../support/processes/rebuilding.ts';
import { withServiceHere, type ServiceHere } from '../support/processes/service-here.ts';
import { caughtUp, until } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';

/** Laps in the read models that are missing from the other events. */
const LAPS = 20;

const eventsOf = (dataDir: string): string => join(dataDir, 'events');

async function recordLaps({ admin }: ServiceHere, venue: Venue, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) expectStatus(await admin.post('/api/v1/laps', bodies.lap(venue)), 201);
}

async function lapsOf({ admin }: ServiceHere): Promise<number> {
  return Number((await admin.as(null).read('/api/v1/laps/paged?size=1'))['totalElements']);
}

/** Replaces the events below the read models with those of another data directory. */
function exchangeEvents(dataDir: string, from: string): void {
  rmSync(eventsOf(dataDir), { recursive: true });
  renameSync(eventsOf(from), eventsOf(dataDir));
}

describe('other events under newer read models', () => {
  const world = useWorld();

  /** A data directory with a venue and some laps, and a backup of its events from before the laps. */
  async function withBackup(): Promise<{ readonly dataDir: string; readonly backup: string; readonly venue: Venue }> {
    const dataDir = world.directory();
    const backup = world.directory();
    const venue = await withServiceHere(dataDir, ({ admin }) => createVenue(admin));
    cpSync(eventsOf(dataDir), eventsOf(backup), { recursive: true });
    await withServiceHere(dataDir, async (service) => {
      await recordLaps(service, venue, LAPS);
      await caughtUp(service.admin);
    });
    return { dataDir, backup, venue };
  }

  /** The service logs the problem once, refuses writes, and serves the read models. */
  async function expectRefusal(service: ServiceHere, { venue, laps }: { venue: Venue; laps: number }): Promise<void> {
    const { admin, url, log } = service;
    await until(async () => (await admin.get('/api/v1/licenses/current')).text.includes('sim-racing-timing rebuild'));
    for (const path of ['/actuator/health/readiness', '/actuator/health']) {
      expect((await fetch(`${url}${path}`)).status, path).to.equal(503);
    }
    const { text } = await admin.post('/api/v1/laps', bodies.lap(venue));
    expect(text).to.include('"status":503').and.to.include('sim-racing-timing rebuild');
    expectProblem(await admin.patch(`/api/v1/rigs/${venue.rigId}`, { name: 'renamed' }), 503);
    expect(await lapsOf(service)).to.equal(laps);
    await until(() => log.length > 0);
    expect(log, 'one line').to.have.lengthOf(1);
    expect(log[0]).to.include('belong to another history').and.to.include('sim-racing-timing rebuild');
  }

  async function expectHealed(dataDir: string, { venue, laps }: { venue: Venue; laps: number }): Promise<void> {
    await withServiceHere(dataDir, async (service) => {
      await caughtUp(service.admin);
      expect(await lapsOf(service)).to.equal(laps);
      await recordLaps(service, venue, 1);
      expect(await lapsOf(service)).to.equal(laps + 1);
      expect(service.log).to.deep.equal([]);
    });
    await expectAsRebuilt(dataDir);
  }

  it('are refused on every node when they are an older copy, until a `rebuild`, also while nodes run', async () => {
    const { dataDir, backup, venue } = await withBackup();
    exchangeEvents(dataDir, backup);
    const laps = LAPS + 1;
    await withServiceHere(dataDir, async (service) => {
      await expectRefusal(service, { venue, laps });
      const apart = { PROJECTOR: 'off' };
      await withServiceHere({ DATA_DIR: dataDir, ...apart }, (other) => expectRefusal(other, { venue, laps }));
      const { code, err } = await timing(dataDir, 'verify');
      expect([code, err]).to.satisfy(([status, said]: [number, string]) => status === 1 && said.includes('rebuild'));
      expect((await expectCode(0, timingApart(dataDir, 'rebuild'))).err).not.to.include('another history');
      await until(async () => (await lapsOf(service)) === 1);
    });
    await expectHealed(dataDir, { venue, laps: 1 });
  });

  it('are accepted when they are a complete copy', async () => {
    const { dataDir, venue } = await withBackup();
    const copied = world.directory();
    await expectCode(0, timing(dataDir, 'copy', '--from', dataDir, '--to', copied));
    exchangeEvents(dataDir, copied);
    await expectHealed(dataDir, { venue, laps: LAPS + 1 });
  });
});
