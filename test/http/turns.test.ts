import { systemClock } from '../../infra/system/system.ts';
import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { z } from 'zod';
import { carClasses } from '../../projections/car-classes.ts';
import { listEndpoint, pageEndpoint } from '../../src/service/api/lists.ts';
import type { ReadApi } from '../../src/service/api/views.ts';
import { exportEndpoint } from '../../src/service/api/exports.ts';
import { historyEndpoint } from '../../src/service/api/history.ts';
import { ClientUsage } from '../../src/service/http/usage.ts';
import { FairTurns } from '../../src/service/http/fair-turns.ts';
import { Aggregates } from '../../src/kernel/aggregate/aggregates.ts';
import { collectionsOf } from '../../src/kernel/projection/projection-runner.ts';
import { carClassResource } from '../../src/service/resources/car-classes.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { json, keyed, toy, until, useToys } from '../support/api/http.ts';
import { insert, thing } from '../support/read-store/fixtures.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';

const LIST = '/api/v1/car-classes';
const EXPORT = '/api/v1/operations/exports/car-classes';
const HISTORY = `${LIST}/018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e11/history`;

const models = memoryReadModels(collectionsOf(builtInProjections));
const authorizer = { mayReadContact: () => true, mayReadAllContacts: () => true, mayReadKeys: () => true };
const api: ReadApi = {
  models,
  overlays: new Map(),
  authorizer,
  clock: systemClock,
  queryBudget: 1_000,
  publicParticipants: false,
};
const another = { address: 'another', signal: new AbortController().signal, usage: new ClientUsage(null, null) };
let histories = 0;

/** Streams without events. */
const store = {
  async *readStream() {
    histories += 1;
    yield await Promise.resolve([]);
  },
  head: () => Promise.resolve(null),
};

describe('turns of long reads', () => {
  const longReads = new FairTurns();
  const gate = new EventEmitter();
  let held: Promise<unknown>;
  const registry = { key: () => null };
  const rows = [
    listEndpoint(api, carClassResource),
    pageEndpoint(api, carClassResource),
    exportEndpoint(api, longReads, () => Promise.resolve()),
    historyEndpoint({ longReads, store, aggregates: new Aggregates(store), authorizer, registry }, carClassResource),
  ];
  const toys = useToys(rows, { longReads });

  before(async () => {
    const fields = { displayName: 'GT3', shortName: 'G', logo: '', svg: false, enabled: true };
    await models.apply([insert(thing('018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e11', fields), carClasses.collection)], 1);
  });

  beforeEach(async () => {
    let isHeld = false;
    held = longReads.run(another, () => {
      isHeld = true;
      return once(gate, 'open');
    });
    await until(() => isHeld);
  });
  afterEach(async () => {
    gate.emit('open');
    await held;
  });

  /** Sends a request that has to wait; the answer comes after the turn of another. */
  async function waits(path: string): Promise<void> {
    let isAnswered = false;
    const answer = toys.send(path, keyed('ADMIN')).finally(() => (isAnswered = true));
    // It has arrived once a later one is answered.
    await toys.send(`${LIST}/paged?sort=displayName`);
    expect(isAnswered).to.equal(false);
    gate.emit('open');
    expect((await answer).status).to.be.oneOf([200, 404]);
  }

  for (const path of [
    LIST,
    EXPORT,
    `${LIST}?format=csv`,
    `${LIST}/paged?sort=shortName`,
    `${LIST}/paged?size=101`,
    HISTORY,
  ]) {
    it(`GET ${path} waits for one`, () => waits(path));
  }

  it('are not needed for a page that an index finds in a few steps', async () => {
    expect((await toys.send(`${LIST}/paged?sort=displayName,desc&size=100`)).status).to.equal(200);
  });

  it('are not needed for cached answers, or for those that the client has', async () => {
    const kept = `${LIST}/paged?sort=shortName`;
    expect((await toys.send(kept)).status).to.equal(200);
    const tag = (await toys.send(kept)).headers.get('ETag') ?? '';
    expect((await toys.send(kept, { headers: { 'If-None-Match': tag } })).status).to.equal(304);
  });

  it('are not given to a request whose client has left', async () => {
    const before = histories;
    const wire = toys.wire(`GET ${HISTORY} HTTP/1.1\r\nHost: a\r\nX-API-Key: CRUD\r\n\r\n`);
    await toys.send(`${LIST}/paged`);
    const left = toys.observed.length;
    wire.socket.destroy();
    await until(() => toys.observed.length > left);
    gate.emit('open');
    await held;
    await longReads.run(another, () => Promise.resolve());
    expect(histories).to.equal(before);
  });
});

describe('turns of large bodies', () => {
  const largeBodies = new FairTurns();
  const counting = toy('POST', '/api/v1/toys', {
    body: z.array(z.string()),
    handle: ({ body }) => ({ kind: 'json', status: 200, body: { items: body.length } }),
  });
  const toys = useToys([counting], { largeBodies, limits: { bodyLimitBytes: 100_000 } });

  it('delay large bodies, and nothing else', async () => {
    const gate = new EventEmitter();
    const post = async (items: number): Promise<unknown> =>
      (await toys.send('/api/v1/toys', json(Array.from({ length: items }, () => 'x'.repeat(20))))).json();
    const held = largeBodies.run(another, () => once(gate, 'open'));
    let isAnswered = false;
    const large = post(1_000).finally(() => (isAnswered = true));
    for (let times = 0; times < 5; times += 1) expect(await post(500)).to.deep.equal({ items: 500 });
    expect(isAnswered).to.equal(false);
    gate.emit('open');
    expect(await large).to.deep.equal({ items: 1_000 });
    await held;
  });
});
