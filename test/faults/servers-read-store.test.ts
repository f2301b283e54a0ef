import { expect } from 'chai';
import { z } from 'zod';
import { Cluster, ready, STORE_TIMEOUT_MS } from '../support/processes/cluster.ts';
import { ANNOUNCED } from '../support/canaries.ts';
import { expectOneLicence, MADE_UP } from '../support/processes/first-key.ts';
import { expectWaiting, expectWaitingUntil, until } from '../support/processes/waits.ts';
import type { ServiceProcess } from '../support/processes/world.ts';
import { freePort, noFerret, noTime, startFerret, startSlowWay, type SlowWay } from '../support/processes/servers.ts';
import { depth } from '../support/depth.ts';

const LANES = 4;

/** How long the read store is away, in ms: far beyond all limits. */
const AWAY_MS = depth({ short: 10_000, deep: 30_000 });

/** Where the event store and the read models are; the latter is unknown while the read store is away. */
const Health = z.object({
  components: z.object({
    eventStore: z.object({ head: z.number() }),
    readStore: z.object({ checkpoint: z.number().optional() }),
  }),
});

describe('a read store that is down at the very first start', () => {
  let cluster: Cluster;
  afterEach(() => cluster.clean());

  it('costs nobody the ADMIN key, even if the service is killed while it waits', async () => {
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

  describe('under load', () => {
    let node: ServiceProcess;
    let way: SlowWay;
    beforeEach(async () => {
      cluster = await Cluster.start({ eventStore: true, readStore: true });
      way = await startSlowWay(cluster.ferret.port);
      cluster.expect({ readStore: `mongodb://127.0.0.1:${way.port}/test` });
      node = await cluster.node();
      await ready(node);
      await cluster.prepare(node, LANES);
    });
    afterEach(() => way.stop());

    const placesNow = async () => Health.parse((await node.admin.get('/actuator/health')).body).components;
    /** The read models come past what is the newest event now, though writes go on. */
    async function drained(): Promise<void> {
      const {
        eventStore: { head },
      } = await placesNow();
      await until(placesNow, ({ readStore: { checkpoint = -1 } }) => checkpoint >= head);
    }

    /** The read store goes away for so many ms, in the middle of the work, and writes go on. */
    async function survives(ms: number, go: () => unknown, come: () => unknown): Promise<void> {
      const { answers, ledger } = cluster;
      await cluster.underLoad([node], async () => {
        await ledger.more(10 * LANES);
        const before = answers.count(202);
        const back = Date.now() + ms;
        await go();
        const isOver = (): boolean => Date.now() >= back && answers.count(202) > before + LANES;
        await expectWaitingUntil(node.admin, 'readStore', isOver);
        expect((await node.admin.get('/api/v1/laps')).status).to.equal(503);
        await come();
        await drained();
        await ledger.more(10 * LANES);
      });
      await cluster.expectWhole([node]);
    }

    it(`is killed for ${AWAY_MS / 1_000} s and comes back`, () =>
      survives(
        AWAY_MS,
        () => cluster.ferret.kill(),
        () => cluster.ferret.restart(),
      ));

    it('is frozen', () =>
      survives(
        5_000,
        () => cluster.ferret.freeze(),
        () => cluster.ferret.thaw(),
      ));

    it('is too slow for its limit', () => {
      const setDelay = (ms: number) => () => {
        way.delayMs = ms;
      };
      return survives(5_000, setDelay(2 * STORE_TIMEOUT_MS), setDelay(0));
    });

    it('is slow within its limit: all is answered, if with 202', async () => {
      const { answers, ledger } = cluster;
      await cluster.kill(node.process);
      node = await cluster.node({ STORE_TIMEOUT_MS: '20000', REQUEST_DEADLINE_MS: '30000' });
      way.delayMs = 300;
      await cluster.underLoad([node], async () => {
        await ledger.more(10 * LANES);
        expect((await node.admin.get('/api/v1/laps')).status).to.equal(200);
        await drained();
      });
      expect(answers.count(503)).to.equal(0);
      way.delayMs = 0;
      await cluster.expectWhole([node]);
    });
  });
});
