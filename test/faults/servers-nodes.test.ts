import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { itIsOneService } from '../support/api/two-nodes.ts';
import { Cluster, ready, type Servers } from '../support/processes/cluster.ts';
import { PATIENT } from '../support/processes/waits.ts';
import type { ServiceProcess } from '../support/processes/world.ts';
import { noFerret, noTime } from '../support/processes/servers.ts';
import { createVenue, type Venue } from '../support/api/venue.ts';

/** Settings of nodes that share only their servers, with limits that slow servers do not exceed. */
const ENVIRONMENT = {
  ...PATIENT,
  LICENSE_SIGNING_KEY: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
};

const noServer = noFerret() ?? noTime();

/** With embedded read stores, each node builds its own read models from the same events. */
const SET_UPS: readonly (readonly [stores: string, servers: Servers, lacking: string | null])[] = [
  ['an event store', { eventStore: true }, null],
  ['an event store and a read store', { eventStore: true, readStore: true }, noServer],
];

for (const [stores, servers, lacking] of SET_UPS) {
  const suite = `two API nodes on ${stores}${lacking === null ? '' : ` (${lacking})`}`;
  (lacking === null ? describe : describe.skip)(suite, () => {
    let cluster: Cluster;
    let here: ServiceProcess;
    let there: ServiceProcess;
    let venue: Venue;

    let directories: readonly string[];

    before(async () => {
      cluster = await Cluster.start(servers);
      directories = [cluster.directory(), cluster.directory()];
      here = await cluster.node(ENVIRONMENT, directories[0]);
      there = await cluster.node(ENVIRONMENT, directories[1]);
      for (const each of [here, there]) await ready(each);
      venue = await createVenue(here.admin);
    });
    after(() => cluster.clean());

    itIsOneService(() => ({ here, there, venue }));

    it('the read models are those of a rebuild', async () => {
      await cluster.endAll();
      for (const dataDir of directories) expect(await cluster.rebuilt(dataDir)).to.be.greaterThan(0);
    });
  });
}
