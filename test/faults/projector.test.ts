import { expect } from 'chai';
import { expectStatus, textOf } from '../support/api/client.ts';
import { Checks } from '../support/processes/checks.ts';
import { Ledger } from '../support/processes/ledger.ts';
import { Load, prepare } from '../support/processes/load.ts';
import { expectRebuiltTheSame } from '../support/processes/rebuild.ts';
import { caughtUp, until } from '../support/processes/waits.ts';
import { World, type Running } from '../support/processes/world.ts';
import { bodies, createVenue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';

/** A service that does not project itself, and does not wait long for those who do. */
const APART = { PROJECTOR: 'off', PROJECTION_WAIT_MS: '1000' };

/** A projector that takes over soon from one that was killed. */
const PROJECTOR = { LOG_LEVEL: 'info', LEASE_TERM_MS: '1000' };

/** How often one of two projectors is killed. */
const ROUNDS = depth({ short: 1, deep: 4 });

/** Writes between two kills. */
const WRITES = depth({ short: 50, deep: 150 });

describe('a projector of its own', () => {
  const world = new World();
  afterEach(() => world.clean());

  async function projector(dataDir: string): Promise<Running> {
    const started = world.start({ dataDir, command: 'projector', env: PROJECTOR });
    await started.said(/"msg":"The projector has started"/);
    return started;
  }

  it('lets writes answer with the view while it runs, and 202 while it does not', async () => {
    const dataDir = world.directory();
    const first = await projector(dataDir);
    const { admin } = await world.service({ dataDir, env: APART });
    const venue = await createVenue(admin);
    const created = expectStatus(await admin.post('/api/v1/laps', bodies.lap(venue)), 201);
    expect(await admin.read(created.header('Location'))).to.deep.equal(created.body);
    expect((await first.end('SIGTERM')).code).to.equal(0);

    const accepted = expectStatus(await admin.post('/api/v1/laps', bodies.lap(venue)), 202);
    const [location, again] = [accepted.header('Location'), accepted.header('Retry-After')];
    expect([textOf(accepted.body, 'id'), Number(again) > 0]).to.deep.equal([location.split('/').at(-1), true]);
    expectStatus(await admin.get(location), 404);
    const renamed = await admin.patch(`/api/v1/rigs/${venue.rigId}`, { name: 'renamed' });
    expectStatus(renamed, 202);
    await projector(dataDir);
    await until(
      () => admin.get(location),
      ({ status }) => status === 200,
    );
    await until(
      () => admin.read(location),
      ({ rigName }) => rigName === 'renamed',
    );
    expectStatus(await admin.post('/api/v1/laps', bodies.lap(venue)), 201);
  });

  it('does no harm when there are two, and survives kill -9 under load', async () => {
    const dataDir = world.directory();
    const [survivor, firstVictim] = await Promise.all([projector(dataDir), projector(dataDir)]);
    const service = await world.service({ dataDir, env: APART });
    const ledger = new Ledger();
    const ground = await prepare(service.admin, 8);
    const load = new Load(ground, ledger);
    const stop = new AbortController();
    const lanes = Promise.all(ground.lanes.map((lane) => load.run(lane, service.admin, stop.signal)));
    let victim = firstVictim;
    for (let round = 1; round <= ROUNDS; round++) {
      await ledger.more(WRITES);
      await victim.end('SIGKILL');
      await ledger.more(WRITES / 2);
      victim = await projector(dataDir);
    }
    await ledger.more(WRITES);
    stop.abort();
    await lanes;
    await caughtUp(service.admin);
    await new Checks(ground, ledger).hold(service.admin);
    for (const process of [survivor, victim, service.process]) expect((await process.end('SIGTERM')).code).to.equal(0);
    await expectRebuiltTheSame(dataDir);
  });
});
