import { systemClock } from '../../infra/system/system.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { QueryBounds, ReadModels } from '../../src/kernel/ports/read-store.ts';
import { listEndpoint, pageEndpoint } from '../../src/service/api/lists.ts';
import { exportEndpoint } from '../../src/service/api/exports.ts';
import { FairTurns } from '../../src/service/http/fair-turns.ts';
import { racingEventResource } from '../../src/service/resources/events.ts';
import { lapResource } from '../../src/service/resources/laps.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';
import { startToys, until, useToys } from '../support/api/http.ts';

let turns = 0;
let running = 0;

/** Scans documents for ever without a match, like a scan of a huge collection. */
async function scan({ signal }: QueryBounds): Promise<never> {
  running += 1;
  try {
    for (;;) {
      turns += 1;
      await nextTurn();
      signal?.throwIfAborted();
    }
  } finally {
    running -= 1;
  }
}

const models: ReadModels = {
  ...memoryReadModels(),
  // The newest change of a list by the clock is one step of an index.
  find: (_, query) => (query.limit === 1 ? Promise.resolve([]) : scan(query)),
  async *stream(_, query) {
    yield await scan(query);
  },
};
const authorizer = { mayReadContact: () => true, mayReadAllContacts: () => true };
const longReads = new FairTurns();
const api = {
  models,
  overlays: new Map(),
  authorizer,
  clock: systemClock,
  queryBudget: 1_000,
  publicParticipants: false,
};

describe('a client that leaves', () => {
  const lists = [lapResource, racingEventResource].map((resource) => listEndpoint(api, resource));
  const rows = [...lists, pageEndpoint(api, lapResource), exportEndpoint(api, longReads, () => Promise.resolve())];
  const toys = useToys(rows, { limits: { requestDeadlineMs: 60_000 } });

  for (const path of ['/api/v1/laps', '/api/v1/events', '/api/v1/laps/paged', '/api/v1/operations/exports/laps']) {
    it(`ends the work on GET ${path}`, async () => {
      const before = turns;
      const wire = toys.wire(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ADMIN\r\n\r\n`);
      await until(() => turns > before);
      expect(running).to.equal(1);
      wire.socket.destroy();
      await until(() => running === 0);
      expect(toys.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    });
  }

  it('ends the work, as does the deadline', async () => {
    const hasty = await startToys([pageEndpoint(api, lapResource)], { limits: { requestDeadlineMs: 300 } });
    expect((await hasty.send('/api/v1/laps/paged')).status).to.equal(503);
    await until(() => running === 0);
    await hasty.close();
  });
});
