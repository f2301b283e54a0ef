import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLmdbEventStore } from '../../infra/event-store/lmdb.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectStatus } from '../support/client.ts';
import { newEvent } from '../support/event-store-events.ts';
import { until } from '../support/process-waits.ts';
import { World, type ServiceProcess } from '../support/process-world.ts';
import { bodies, createVenue, type Venue } from '../support/venue.ts';

/** Past the port: what only a fault of our own could have stored. */
const NOTHING = JSON.parse('null') as JsonObject;

describe('a poison event', function () {
  this.timeout(60_000);
  const world = new World();
  afterEach(() => world.clean());

  /** Appends an event that no projection can digest, as another process; gives its stream and position. */
  async function poison(dataDir: string) {
    const store = openLmdbEventStore({ path: join(dataDir, 'events') });
    const stream = `lap-${randomUUID()}`;
    const { position } = await store.append(stream, [newEvent('LapRecorded', NOTHING)], 'no_stream');
    await store.close();
    return { stream, position };
  }

  it('stops the read models loudly, not the service, and does so again after a restart', async () => {
    const dataDir = world.directory();
    const first = await world.service({ dataDir });
    const venue = await createVenue(first.admin);
    const { stream, position } = await poison(dataDir);
    const culprit = `LapRecorded at position ${position} of ${stream}`;
    await expectStopped(first, venue, culprit);
    expect((await first.process.end('SIGTERM')).code).to.equal(0);
    await expectStopped(await world.service({ dataDir }), venue, culprit);
  });

  it('ends a projector of its own with an error', async () => {
    const dataDir = world.directory();
    const service = await world.service({ dataDir });
    await service.process.end('SIGTERM');
    const { stream } = await poison(dataDir);
    const projector = world.start({ dataDir, command: 'projector' });
    expect((await projector.ended).code).to.equal(1);
    expect(projector.out).to.include(stream);
  });
});

/** The group is down and says why; everything else goes on. */
async function expectStopped({ process, admin }: ServiceProcess, venue: Venue, culprit: string): Promise<void> {
  const health = await until(() => admin.get('/actuator/health'), ({ status }) => status !== 200);
  expectStatus(health, 503);
  expect(health.body).to.deep.include({ status: 'DOWN' });
  expect(health.text).to.include(culprit);
  const [line] = await process.said(/^\{"level":50.*"msg":"projection failed"\}$/m);
  expect(line).to.include(culprit);
  const accepted = expectStatus(await admin.post('/api/v1/laps', bodies.lap(venue)), 202);
  expectStatus(await admin.get(accepted.header('Location')), 404);
  expectStatus(await admin.get(`/api/v1/laps/${venue.lapId}`), 200);
  expectStatus(await admin.get('/actuator/health/liveness'), 200);
  expectStatus(await admin.get('/actuator/prometheus'), 200);
}
