import { expect } from 'chai';
import { openMongoReadStore } from '../../infra/mongodb/read-store.ts';
import { StoreUnavailable } from '../../src/service/kernel/ports/errors.ts';
import type { ReadStore } from '../../src/service/kernel/ports/read-store.ts';
import { eventually, until } from '../support/processes/waits.ts';
import { startSlowMongo, type SlowMongo } from '../support/processes/slow-mongo.ts';
import { insert, set, thing, THINGS } from '../support/read-store/fixtures.ts';

const TIMEOUT_MS = 400;
const CHANGES = 256;

describe('MongoDB that is slow', () => {
  let server: SlowMongo;
  let store: ReadStore;

  beforeEach(async () => {
    server = await startSlowMongo();
    store = openMongoReadStore({ url: server.url, timeoutMs: TIMEOUT_MS });
  });
  afterEach(async () => {
    await store.close();
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
      const late: unknown = await models.apply(changes, CHANGES).catch((error: unknown) => error);
      expect(late).to.be.instanceOf(StoreUnavailable);
      await eventually(() => models.apply(changes, CHANGES));
      expect(server.mostAtOnce, 'commands under way together').to.equal(1);
      server.msPerDocument = 0;
      await inBatchesOf(usual);
    });
  }
});
