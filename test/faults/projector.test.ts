import { expect } from 'chai';
import { expectStatus, textOf } from '../support/api/client.ts';
import { until } from '../support/processes/waits.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { useWorld } from '../support/processes/world.ts';
import { bodies, createVenue } from '../support/api/venue.ts';

/** Settings of a service that does not project and does not wait long for projectors. */
const APART = { PROJECTOR: 'off', PROJECTION_WAIT_MS: '1000' };

describe('a service whose projector is another process', () => {
  const world = useWorld();

  it('answers writes with 202 while that does not run, and shows them once it does', async () => {
    const dataDir = world.directory();
    const venue = await withServiceHere(dataDir, ({ admin }) => createVenue(admin));
    await withServiceHere({ DATA_DIR: dataDir, ...APART }, async ({ admin }) => {
      const accepted = expectStatus(await admin.post('/api/v1/laps', bodies.lap(venue)), 202);
      const [location, again] = [accepted.header('Location'), accepted.header('Retry-After')];
      expect([textOf(accepted.body, 'id'), Number(again) > 0]).to.deep.equal([location.split('/').at(-1), true]);
      expectStatus(await admin.get(location), 404);
      expectStatus(await admin.patch(`/api/v1/rigs/${venue.rigId}`, { name: 'renamed' }), 202);
      await withServiceHere(dataDir, async () => {
        await until(
          () => admin.get(location),
          ({ status, text }) => status === 200 && text.includes('"rigName":"renamed"'),
        );
        const created = expectStatus(await admin.post('/api/v1/laps', bodies.lap(venue)), 201);
        expect(await admin.read(created.header('Location'))).to.deep.equal(created.body);
      });
    });
  });
});
