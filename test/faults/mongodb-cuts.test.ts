import { openMongoReadStore } from '../../infra/mongodb/read-store.ts';
import type { ReadStore } from '../../src/service/kernel/ports/read-store.ts';
import { startSlowWay, type SlowWay } from '../support/processes/servers.ts';
import { startSlowMongo, type SlowMongo } from '../support/processes/slow-mongo.ts';
import { eventually, until } from '../support/processes/waits.ts';
import { insert, thing, THINGS } from '../support/read-store/fixtures.ts';
import { depth } from '../support/depth.ts';

const TIMEOUT_MS = 400;
/** Simultaneous calls, each on its own connection. */
const LANES = 4;
const CUTS = depth({ short: 2, deep: 20 });
/**
 * Delay of an answer in ms, and the number of answers before a cut. The cut hits commands in flight, and the last
 * heartbeat is so old (half a second) that the driver starts the next one at once.
 */
const SLOW_MS = 100;
const ANSWERS = 8;

describe('MongoDB whose connections are cut', () => {
  let server: SlowMongo;
  let way: SlowWay;
  let store: ReadStore;

  beforeEach(async () => {
    server = await startSlowMongo();
    way = await startSlowWay(Number(new URL(server.url).port));
    const url = `mongodb://127.0.0.1:${way.port}/test?heartbeatFrequencyMS=2000`;
    store = openMongoReadStore({ url, timeoutMs: TIMEOUT_MS });
  });
  afterEach(async () => {
    await store.close();
    await way.stop();
    await server.stop();
  });

  it(`is found again each of ${CUTS} times, for reads and for writes`, async () => {
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
    way.delayMs = SLOW_MS;
    for (let cut = 0; cut < CUTS; cut++) {
      const enough = answers + ANSWERS * LANES;
      await until(
        () => answers,
        (now) => now >= enough,
      );
      way.cut();
      await works();
      await eventually(() => models.checkpoint());
    }
    isOver = true;
    await Promise.all(lanes);
  });
});
