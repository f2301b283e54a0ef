import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { bodies, createVenue, type Venue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import {
  expectAsRebuilt,
  generation,
  recordLaps,
  stoppingBefore,
  withStores,
} from '../support/processes/rebuilding.ts';
import { declareAtOnce, onSite, type Site } from '../support/processes/at-once.ts';
import { ready } from '../support/processes/cluster.ts';
import { withServiceHere, type ServiceHere } from '../support/processes/service-here.ts';
import { caughtUp, until, untilStatus } from '../support/processes/waits.ts';

/** Enough laps for many transactions. */
const MANY = depth({ short: 400, deep: 20_000 });

const REBUILD = '/api/v1/operations/rebuild';

describe('a rebuild requested over the API', () => {
  declareAtOnce({
    'goes on in another process when its own is killed, once': onSite(survivesItsProcess),
    'waits for a process that projects, and is seen from every node': onSite(isSeenEverywhere),
  });
});

async function survivesItsProcess({ world, dataDir }: Site): Promise<void> {
  await recordLaps(dataDir, MANY);
  // The second read models that it writes are those of the rebuild.
  const leader = await world.service({ dataDir, env: stoppingBefore(MANY, 2) });
  await caughtUp(leader.admin);
  // Another node requests the rebuild and is to take over.
  const id = await withServiceHere(dataDir, async (taker) => {
    await ready(taker);
    const { admin } = taker;
    const venue = await createVenue(admin);
    const { body: asked } = expectStatus(await admin.send('POST', REBUILD), 202);
    await leader.process.said(/^Stopped$/m);
    const halfway = await until(() => admin.read(REBUILD), isHalfway);
    await leader.process.end('SIGKILL');
    expect(halfway).to.include({ id: asked['id'], phase: 'projecting', generation: generation(2) });
    expect(textOf(halfway, 'process')).to.include(`process ${leader.process.pid} on `);
    const laps: string[] = [];
    const done = await until(
      async () => {
        laps.push(await writeLap(admin, venue));
        return admin.read(REBUILD);
      },
      ({ finishedAt }) => finishedAt !== null,
    );
    expect(done).to.include({ id: asked['id'], phase: 'done', generation: generation(2), error: null, process: null });
    const before = (halfway['progress'] as JsonObject)['position'];
    expect((done['progress'] as JsonObject)['events'], 'not from the beginning').to.be.lessThan(MANY);
    expect((done['progress'] as JsonObject)['position']).to.be.greaterThan(Number(before));
    await caughtUp(admin);
    const shown = (await admin.list('/api/v1/laps')).map(idOf);
    expect(shown).to.include.members(laps);
    return asked['id'];
  });
  const { made, request } = await withStores(dataDir, ({ generations }) => generations.refresh());
  expect(made, 'once').to.equal(2);
  expect(request).to.include({ id, generation: generation(2), error: null });
  expect(await expectAsRebuilt(dataDir)).to.be.greaterThan(MANY);
}

async function isSeenEverywhere({ dataDir }: Site): Promise<void> {
  const apart = <T>(work: (node: ServiceHere) => Promise<T>) =>
    withServiceHere({ DATA_DIR: dataDir, PROJECTOR: 'off' }, work);
  await apart((asking) =>
    apart(async (other) => {
      const asked = await untilStatus(202, () => asking.admin.send('POST', REBUILD));
      expect(asked.body).to.include({ phase: 'requested', startedAt: null, process: null, progress: null });
      const again = expectStatus(await other.admin.send('POST', REBUILD), 202);
      expect(again.body).to.include({ id: asked.body['id'], phase: 'requested' });
      await withServiceHere(dataDir, async (projector) => {
        for (const node of [asking, other, projector]) {
          const done = await until(
            () => node.admin.read(REBUILD),
            ({ finishedAt }) => finishedAt !== null,
          );
          expect(done).to.include({ id: asked.body['id'], phase: 'done', generation: generation(2) });
          const status = await until(() => node.admin.read('/api/v1/operations/status'), isUpToDate);
          expect(status['lease']).to.include({ isHere: node === projector });
          expect(textOf(status, 'lease', 'holder')).to.include(`process ${process.pid} on `);
          expect(textOf(status, 'projection', 'state')).to.equal(node === projector ? 'running' : 'elsewhere');
        }
      });
    }),
  );
}

const isHalfway = ({ phase, progress }: JsonObject): boolean => {
  if (phase !== 'projecting' || progress === null) return false;
  const { position, head } = progress as { readonly position: number; readonly head: number };
  return position > 0.1 * head;
};

function isUpToDate({ projection, generation: served }: JsonObject): boolean {
  return (projection as JsonObject)['lag'] === 0 && (served as JsonObject)['current'] === generation(2);
}

/** Writes a lap, shown at once or later; resolves to its id. */
async function writeLap(admin: Client, venue: Venue): Promise<string> {
  const { body } = await until(
    () => admin.post('/api/v1/laps', bodies.lap(venue)),
    ({ status }) => status === 201 || status === 202,
  );
  return idOf(body);
}
