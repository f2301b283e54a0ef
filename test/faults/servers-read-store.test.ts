import { expect } from 'chai';
import { Cluster, ready } from '../support/processes/cluster.ts';
import { ANNOUNCED } from '../support/canaries.ts';
import { expectOneLicence, MADE_UP } from '../support/processes/first-key.ts';
import { expectWaiting } from '../support/processes/waits.ts';
import { freePort, noFerret, noTime, startFerret } from '../support/processes/servers.ts';

describe('a read store that is down at the very first start', () => {
  let cluster: Cluster;
  afterEach(() => cluster.clean());

  it('does not lose the ADMIN key, even if the service is killed while it waits', async () => {
    cluster = await Cluster.start({ eventStore: true });
    cluster.expect({ readStore: `mongodb://127.0.0.1:${await freePort()}/test` });
    const first = await cluster.node(MADE_UP);
    await expectWaiting(first.admin, 'readStore');
    await cluster.kill(first.process);
    expect(first.process.err).not.to.match(ANNOUNCED);
    cluster.expect({ readStore: '' });
    const second = await cluster.node(MADE_UP);
    const [, token = ''] = await second.process.said(ANNOUNCED);
    await expectOneLicence(second.admin.as(token));
    await cluster.endAll();
  });
});

const reason = noFerret() ?? noTime();
const suite = `a read store on a server${reason === null ? '' : ` (${reason})`}`;

(reason === null ? describe : describe.skip)(suite, () => {
  let cluster: Cluster;
  afterEach(() => cluster.clean());

  it('is down at start: the service lives, waits and gets ready', async () => {
    cluster = await Cluster.start({ eventStore: true });
    const port = await freePort();
    cluster.expect({ readStore: `mongodb://127.0.0.1:${port}/test` });
    const node = await cluster.node();
    await expectWaiting(node.admin, 'readStore');
    expect((await node.admin.get('/api/v1/laps')).status).to.equal(503);
    cluster.use({ ferret: await startFerret(port) });
    await ready(node);
    await cluster.prepare(node, 1);
    await cluster.underLoad([node], () => cluster.ledger.more(10));
    await cluster.expectWhole([node]);
  });
});
