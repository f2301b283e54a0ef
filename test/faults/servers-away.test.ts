import { expect } from 'chai';
import { bodies, createVenue } from '../support/api/venue.ts';
import { useDoubles } from '../support/eventstore-double/use-doubles.ts';
import { ready } from '../support/processes/cluster.ts';
import { announcedBy, expectOneLicence, firstToken, MADE_UP } from '../support/processes/first-key.ts';
import { freePort } from '../support/processes/servers.ts';
import { withServiceHere, type ServiceHere } from '../support/processes/service-here.ts';
import { expectWaiting } from '../support/processes/waits.ts';
import { clientOf, useWorld } from '../support/processes/world.ts';

/** Settings of a service whose event store listens on this port. */
const on = (port: number) => ({ EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false`, STORE_TIMEOUT_MS: '1500' });

/** The announced key is the only one, and works. */
async function expectOneKey(service: ServiceHere): Promise<void> {
  await expectOneLicence(clientOf(service.url, await firstToken(service)));
}

describe('a service whose store server is unavailable', () => {
  const world = useWorld();
  const doubles = useDoubles();

  it('waits for the event store at its first start, then gets ready and announces its key once', async () => {
    const port = await freePort();
    const dataDir = world.directory();
    const env = { ...MADE_UP, ...on(port) };
    await withServiceHere({ DATA_DIR: dataDir, ...env }, async (service) => {
      await expectWaiting(service.admin, 'eventStore');
      const refused = await service.admin.post('/api/v1/licenses', {});
      expect([refused.status, Number(refused.header('Retry-After')) > 0]).to.deep.equal([503, true]);
      expect(service.announced).to.be.empty;
      await doubles.start({ port });
      await ready(service);
      await expectOneKey(service);
      await withServiceHere({ DATA_DIR: dataDir, ...env }, async ({ announced }) => expect(announced).to.be.empty);
    });
  });

  it('announces the key that was created when the event store loses its first answers', async () => {
    const { faults, port } = await doubles.start();
    faults.answersToLose = 3;
    await withServiceHere({ DATA_DIR: world.directory(), ...MADE_UP, ...on(port) }, async (service) => {
      await firstToken(service);
      faults.answersToLose = 0;
      await expectOneKey(service);
    });
  });

  it('continues its subscription when the event store restarts while nothing is written', async () => {
    const { faults, port } = await doubles.start();
    await withServiceHere({ DATA_DIR: world.directory(), ...on(port) }, async (service) => {
      const venue = await createVenue(service.admin);
      faults.kill();
      await expectWaiting(service.admin, 'eventStore');
      await faults.restart();
      await ready(service);
      // A 202 would not be an answer of the read models.
      for (let n = 0; n < 5; n += 1) await service.admin.create('/api/v1/laps', bodies.lap(venue));
    });
  });

  it('does not lose the ADMIN key when it is killed while it waits for a read store', async () => {
    const { port } = await doubles.start();
    const dataDir = world.directory();
    const env = { ...MADE_UP, ...on(port) };
    const nowhere = { MONGODB_URL: `mongodb://127.0.0.1:${await freePort()}/test` };
    const first = await world.service({ dataDir, env: { ...env, ...nowhere } });
    await expectWaiting(first.admin, 'readStore');
    await first.process.end('SIGKILL');
    expect(announcedBy(first.process)).to.be.empty;
    await withServiceHere({ DATA_DIR: dataDir, ...env }, expectOneKey);
  });
});
