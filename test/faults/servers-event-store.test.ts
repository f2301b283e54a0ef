import { expect } from 'chai';
import { startEventStoreDouble } from '../support/eventstore-double/double.ts';
import { Cluster, ready } from '../support/processes/cluster.ts';
import { announcedBy, expectOneLicence, MADE_UP } from '../support/processes/first-key.ts';
import { expectWaiting, until } from '../support/processes/waits.ts';
import { clientOf } from '../support/processes/world.ts';
import { freePort } from '../support/processes/servers.ts';

describe('an event store on a server', () => {
  let cluster: Cluster;

  describe('at the first start', () => {
    afterEach(() => cluster.clean());

    it('is down: the service lives, waits, gets ready and announces its key once', async () => {
      cluster = await Cluster.start({});
      const port = await freePort();
      cluster.expect({ eventStore: `esdb://127.0.0.1:${port}?tls=false` });
      const node = await cluster.node(MADE_UP);
      await expectWaiting(node.admin, 'eventStore');
      expect((await node.admin.post('/api/v1/licenses', {})).status).to.equal(503);
      expect(announcedBy(node.process)).to.be.empty;
      cluster.use({ eventStore: await startEventStoreDouble({ port }) });
      await ready(node);
      await until(
        () => announcedBy(node.process).length,
        (count) => count > 0,
      );
      const [token = '', ...others] = announcedBy(node.process);
      expect(others).to.be.empty;
      await expectOneLicence(clientOf(node.url, token));
      const second = await cluster.node(MADE_UP);
      expect(announcedBy(second.process)).to.be.empty;
      cluster.expectGoodManners();
      await cluster.endAll();
    });

    it('loses the answers: the announced key is the one that was made', async () => {
      cluster = await Cluster.start({ eventStore: true });
      cluster.eventStore.faults.answersToLose = 3;
      const node = await cluster.node(MADE_UP);
      await until(
        () => announcedBy(node.process).length,
        (count) => count > 0,
      );
      cluster.eventStore.faults.answersToLose = 0;
      const [token = '', ...others] = announcedBy(node.process);
      expect(others).to.be.empty;
      await expectOneLicence(clientOf(node.url, token));
      await cluster.endAll();
    });
  });

  describe('at rest', () => {
    afterEach(() => cluster.clean());

    it('restarts: the subscription goes on', async () => {
      cluster = await Cluster.start({ eventStore: true });
      const node = await cluster.node({ PROJECTION_WAIT_MS: '20000', REQUEST_DEADLINE_MS: '30000' });
      await ready(node);
      await cluster.prepare(node, 1);
      cluster.eventStore.faults.kill();
      await expectWaiting(node.admin, 'eventStore');
      await cluster.eventStore.faults.restart();
      await ready(node);
      await cluster.underLoad([node], () => cluster.ledger.more(20));
      expect(cluster.answers.count(202), 'answered by the read models').to.equal(0);
      await cluster.expectWhole([node]);
    });
  });
});
