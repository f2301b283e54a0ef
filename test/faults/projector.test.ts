import { expect } from 'chai';
import { expectStatus, textOf } from '../support/api/client.ts';
import { until } from '../support/processes/waits.ts';
import { World, type Running } from '../support/processes/world.ts';
import { bodies, createVenue } from '../support/api/venue.ts';

/** Settings of a service that does not project and does not wait long for projectors. */
const APART = { PROJECTOR: 'off', PROJECTION_WAIT_MS: '1000' };

/** Settings of a projector that soon takes over from a killed one. */
const PROJECTOR = { LOG_LEVEL: 'info', LEASE_TERM_MS: '1000' };

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
});
