import { expect } from 'chai';
import { Cluster, ready } from '../support/processes/cluster.ts';
import { EventStoreProcess, eventStoreUrl } from '../support/processes/event-store.ts';
import { announcedBy, expectOneLicence, MADE_UP } from '../support/processes/first-key.ts';
import { expectWaiting, expectWaitingUntil, until } from '../support/processes/waits.ts';
import { clientOf, type ServiceProcess } from '../support/processes/world.ts';
import { freePort, noTime } from '../support/processes/servers.ts';
import { depth } from '../support/depth.ts';

const LANES = 4;

/** Writes between two faults. */
const WRITES = depth({ short: 5, deep: 20 }) * LANES;

const brief = noTime();
/** How often a fault comes in one test. */
const times = (many: number): number => (brief === null ? depth({ short: Math.ceil(many / 3), deep: many }) : 1);
/** How long the event store stands still, in ms: far beyond all limits. */
const FROZEN_MS = depth({ short: 10_000, deep: 30_000 });
/** A test that takes long. */
const long = (name: string, work: () => Promise<void>): unknown =>
  brief === null ? it(name, work) : it.skip(`${name} (${brief})`, work); // The reason is in the name: it takes too long here.

describe('an event store on a server', () => {
  let cluster: Cluster;

  describe('at the first start', () => {
    afterEach(() => cluster.clean());

    it('is down: the service lives, waits, gets ready and announces its key once', async () => {
      cluster = await Cluster.start({});
      const port = await freePort();
      cluster.expect({ eventStore: eventStoreUrl(port) });
      const node = await cluster.node(MADE_UP);
      await expectWaiting(node.admin, 'eventStore');
      expect((await node.admin.post('/api/v1/licenses', {})).status).to.equal(503);
      expect(announcedBy(node.process)).to.be.empty;
      cluster.use({ eventStore: await EventStoreProcess.start(port) });
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
      await cluster.eventStore.fault('loseAnswers', 3);
      const node = await cluster.node(MADE_UP);
      await until(
        () => announcedBy(node.process).length,
        (count) => count > 0,
      );
      await cluster.eventStore.fault('loseAnswers', 0);
      const [token = '', ...others] = announcedBy(node.process);
      expect(others).to.be.empty;
      await expectOneLicence(clientOf(node.url, token));
      await cluster.endAll();
    });
  });

  describe('under load', () => {
    let node: ServiceProcess;
    before(async () => {
      cluster = await Cluster.start({ eventStore: true });
      node = await cluster.node();
      await ready(node);
      await cluster.prepare(node, LANES);
    });
    after(() => cluster.clean());

    /** Bad luck comes in the middle of the work, and goes; all is as it should be afterwards. */
    async function survives(rounds: number, fault: () => Promise<void>): Promise<void> {
      const { ledger } = cluster;
      await cluster.underLoad([node], async () => {
        for (let round = 1; round <= rounds; round++) {
          await ledger.more(WRITES);
          await fault();
        }
        await ledger.more(WRITES);
      });
      await cluster.expectKept([node]);
    }
    const refused = async (count: number): Promise<void> => {
      const before = cluster.answers.count(503);
      await until(
        () => cluster.answers.count(503),
        (now) => now >= before + count,
      );
    };

    it('is killed and comes back', () =>
      survives(times(3), async () => {
        await cluster.eventStore.fault('kill');
        await refused(2 * LANES);
        await expectWaiting(node.admin, 'eventStore');
        await cluster.eventStore.fault('restart');
      }));

    long(`is frozen for ${FROZEN_MS / 1_000} s`, () =>
      survives(1, async () => {
        const thaw = Date.now() + FROZEN_MS;
        cluster.eventStore.freeze();
        await refused(LANES);
        await expectWaitingUntil(node.admin, 'eventStore', () => Date.now() >= thaw);
        // Of a key nobody can be sure by now: it may have been revoked on another node.
        expect((await node.admin.get('/api/v1/laps')).status).to.equal(503);
        expect(await node.admin.as(null).list('/api/v1/laps'), 'public reads go on').not.to.be.empty;
        cluster.eventStore.thaw();
      }),
    );

    long('falls silent', () =>
      survives(times(2), async () => {
        await cluster.eventStore.fault('silence');
        await refused(2 * LANES);
        await expectWaiting(node.admin, 'eventStore');
        await cluster.eventStore.fault('speak');
      }),
    );

    it('loses answers after the commit', () => survives(times(10), () => cluster.eventStore.fault('loseAnswers', 3)));

    long('resets connections and drops subscriptions', () =>
      survives(times(5), async () => {
        await cluster.eventStore.fault('dropSubscriptions');
        await cluster.ledger.more(LANES);
        await cluster.eventStore.fault('reset');
      }),
    );

    it('leaves what a rebuild makes', () => cluster.expectWhole([node]));
  });

  describe('at rest', () => {
    afterEach(() => cluster.clean());

    it('restarts: the subscription goes on', async () => {
      cluster = await Cluster.start({ eventStore: true });
      const node = await cluster.node({ PROJECTION_WAIT_MS: '20000', REQUEST_DEADLINE_MS: '30000' });
      await ready(node);
      await cluster.prepare(node, 1);
      await cluster.eventStore.fault('kill');
      await expectWaiting(node.admin, 'eventStore');
      await cluster.eventStore.fault('restart');
      await ready(node);
      await cluster.underLoad([node], () => cluster.ledger.more(20));
      expect(cluster.answers.count(202), 'answered by the read models').to.equal(0);
      await cluster.expectWhole([node]);
    });
  });
});
