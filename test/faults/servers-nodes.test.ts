import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { itIsOneService } from '../support/api/two-nodes.ts';
import { Cluster, ready } from '../support/processes/cluster.ts';
import { PATIENT } from '../support/processes/waits.ts';
import type { ServiceProcess } from '../support/processes/world.ts';
import { createVenue, type Venue } from '../support/api/venue.ts';

/** Settings of nodes that share only their event store, with limits that slow servers do not exceed. */
const ENVIRONMENT = {
  ...PATIENT,
  LICENSE_SIGNING_KEY: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
};

/** Each node builds its own read models from the same events. Nodes that share them too: `api/restart.test.ts`. */
describe('two API nodes on an event store', () => {
  let cluster: Cluster;
  let here: ServiceProcess;
  let there: ServiceProcess;
  let venue: Venue;
  let directories: readonly string[];

  before(async () => {
    cluster = await Cluster.start({ eventStore: true });
    directories = [cluster.directory(), cluster.directory()];
    here = await cluster.node(ENVIRONMENT, directories[0]);
    there = await cluster.node(ENVIRONMENT, directories[1]);
    for (const each of [here, there]) await ready(each);
    venue = await createVenue(here.admin);
  });
  after(() => cluster.clean());

  itIsOneService(() => ({ here, there, venue }));

  it('leave the same read models as a rebuild', async () => {
    await cluster.endAll();
    for (const dataDir of directories) expect(await cluster.rebuilt(dataDir)).to.be.greaterThan(0);
  });
});
