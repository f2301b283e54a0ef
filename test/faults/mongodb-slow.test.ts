import { expect } from 'chai';
import { openMongoReadStore } from '../../infra/mongodb/read-store.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { depth } from '../support/depth.ts';
import { failureOf } from '../support/failure.ts';
import { startFaultyProxy, type FaultyProxy } from '../support/processes/servers.ts';
import { eventually, until } from '../support/processes/waits.ts';
import { startSlowMongo, type SlowMongo } from '../support/processes/slow-mongo.ts';
import { insert, set, thing, THINGS } from '../support/read-store/fixtures.ts';

const TIMEOUT_MS = 400;
const CHANGES = 256;

/** Simultaneous calls, each on its own connection, and the number of cuts. */
const LANES = 4;
const CUTS = depth({ short: 2, deep: 20 });
/**
 * Delay of an answer in ms, and the number of answers before a cut. The cut hits commands in flight, and the last
 * heartbeat is so old (half a second) that the driver starts the next one at once.
 */
const SLOW_MS = 100;
const ANSWERS = 8;

describe('MongoDB that is slow, or whose connections are cut', () => {
  let server: SlowMongo;
  let proxy: FaultyProxy;
  let store: ReadStore;

  beforeEach(async () => {
    server = await startSlowMongo();
    proxy = await startFaultyProxy(server.port);
    const url = `mongodb://127.0.0.1:${proxy.port}/test?heartbeatFrequencyMS=2000`;
    store = openMongoReadStore({ url, timeoutMs: TIMEOUT_MS });
  });
  afterEach(async () => {
    await store.close();
    await proxy.stop();
    await server.stop();
  });

  const updates = Array.from({ length: CHANGES }, (_, n) => set(`t${n}`, { value: n }, 1 + n));
  const inserts = Array.from({ length: CHANGES }, (_, n) => insert(thing(`t${n}`)));

  for (const [kind, changes] of [
    ['updates', updates],
    ['inserts', inserts],
  ] as const) {
    it(`gets smaller batches of ${kind} until they are done in time, one at a time, and larger ones once it is quick`, async () => {
      const models = await store.namespace('n', [THINGS]);
      /** Applies the changes until they are sent in batches of this size. */
      const inBatchesOf = (size: number | undefined): Promise<unknown> =>
        until(
          async () => {
            server.batches.length = 0;
            await eventually(() => models.apply(changes, CHANGES));
            return Math.max(...server.batches);
          },
          (largest) => largest === size,
          { everyMs: 0 },
        );
      await eventually(() => models.apply(changes, CHANGES));
      const usual = server.batches[0];
      await inBatchesOf(usual);
      // A full batch takes three times the limit.
      server.msPerDocument = (TIMEOUT_MS * 3) / CHANGES;
      expect(await failureOf(models.apply(changes, CHANGES))).to.be.instanceOf(StoreUnavailable);
      await eventually(() => models.apply(changes, CHANGES));
      expect(server.mostAtOnce, 'commands under way together').to.equal(1);
      server.msPerDocument = 0;
      await inBatchesOf(usual);
    });
  }

  it(`is reconnected each of ${CUTS} times, for reads and for writes`, async () => {
    const models = await store.namespace('n', [THINGS]);
    const works = () => eventually(() => models.apply([insert(thing('a'))], 1));
    await works();
    let isOver = false;
    let answers = 0;
    async function ask(lane: number): Promise<void> {
      if (lane === 0) await models.apply([insert(thing('a'))], 1);
      else await models.checkpoint();
      answers += 1;
    }
    const lanes = Array.from({ length: LANES }, (_, lane) =>
      until(
        () => ask(lane).catch(() => undefined),
        () => isOver,
        { everyMs: 0 },
      ),
    );
    proxy.delayMs = SLOW_MS;
    for (let cut = 0; cut < CUTS; cut++) {
      const enough = answers + ANSWERS * LANES;
      await until(() => answers >= enough);
      proxy.cut();
      await works();
      await eventually(() => models.checkpoint());
    }
    isOver = true;
    await Promise.all(lanes);
  });
});
