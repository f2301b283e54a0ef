import { expect } from 'chai';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { openMongoReadStore } from '../../infra/mongodb/read-store.ts';
import { outcomeOf } from '../support/failure.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';
import { eventually, expectUnavailable, MOMENT_MS, until, untilFails } from '../support/processes/waits.ts';
import { by, idsOf, insert, set, thing, THINGS } from '../support/read-store/fixtures.ts';
import { eventChanges, WRITTEN } from '../support/read-store/history.ts';
import { describeUnless } from '../support/unless.ts';
import { freePort, noFerret, startFerret, startListener, type Ferret } from '../support/processes/servers.ts';

const TIMEOUT_MS = 4_000;

/** The limit in tests without a server, which wait for it. */
const SHORT_TIMEOUT_MS = 2_000;

/** More than two batches of a stream. */
const DOCUMENTS = 1_100;

/** Expects a call to fail with StoreUnavailable in time; resolves to the message. */
async function unavailable(call: () => Promise<unknown>, timeoutMs = TIMEOUT_MS): Promise<string> {
  const { message, cause } = await expectUnavailable(call(), timeoutMs);
  expect(cause, String(call)).to.be.instanceOf(Error);
  return message;
}

/** Every call of the port. */
async function callsOf(store: ReadStore): Promise<(() => Promise<unknown>)[]> {
  const models = await store.namespace('n', [THINGS]);
  return [
    () => models.get('things', 'a'),
    () => models.find('things', { where: {}, sort: by('value'), offset: 0, limit: 1 }),
    () => models.count('things', {}),
    () => models.stream('things', { where: {} })[Symbol.asyncIterator]().next(),
    () => models.apply([insert(thing('a'))], 1),
    () => models.checkpoint(),
    () => store.readRegister('r'),
    () => store.writeRegister('r', {}, 0),
    () => store.drop('n'),
  ];
}

function open(url: string): ReadStore {
  return openMongoReadStore({ url, timeoutMs: TIMEOUT_MS });
}

describe('MongoDB: faults without a server', () => {
  it('refuses a URL that is malformed or names no database, and quotes no credentials', () => {
    const urls = [
      '',
      'localhost/db',
      'http://user:secret@localhost/db',
      'mongodb://user:secret@localhost',
      'mongodb://user:secret@localhost/',
      'mongodb://user:secret@localhost/?ssl=true',
      'mongodb://user:sec/ret@host/db',
      'mongodb://user:sec%ret@host/db',
      'mongodb://user:secret@localhost:port/db',
      'mongodb+srv://user:secret@/db',
      'mongodb://user:secret@localhost/db?option=secret',
      'mongodb://user:secret@localhost/d.b',
    ];
    for (const url of urls) {
      const refused = expect(() => open(url), url).to.throw(TypeError, /MongoDB URL/);
      refused.with.property('message').that.does.not.match(/sec/);
    }
  });

  it('throws StoreUnavailable in time for a server that is down or silent, and closes without hanging', async () => {
    const silence = await startListener(() => undefined);
    await Promise.all(
      [await freePort(), silence.port].map(async (port) => {
        const retries: Error[] = [];
        const store = openMongoReadStore({
          url: `mongodb://user:secret@127.0.0.1:${port}/db?authSource=admin`,
          timeoutMs: SHORT_TIMEOUT_MS,
          onRetry: (error) => retries.push(error),
        });
        const calls = await callsOf(store);
        const refused = (call: () => Promise<unknown>) => unavailable(call, SHORT_TIMEOUT_MS);
        for (const message of await Promise.all(calls.map(refused))) expect(message).not.to.contain('secret');
        for (const call of calls.slice(0, 2)) await refused(call);
        expect(retries).not.to.be.empty;
        const started = Date.now();
        await store.close();
        expect(Date.now() - started).to.be.below(MOMENT_MS);
        await refused(calls[0] ?? (() => Promise.resolve()));
      }),
    );
    await silence.stop();
  });
});

describeUnless(noFerret(), 'MongoDB: faults', () => {
  let ferret: Ferret;
  let store: ReadStore;

  beforeEach(async () => {
    ferret = await startFerret();
    store = open(ferret.url);
  });
  afterEach(async () => {
    ferret.thaw();
    await store.close();
    await ferret.stop();
  });

  it('may be down when it is opened, and works once it is up', async () => {
    const port = await freePort();
    const early = open(`mongodb://127.0.0.1:${port}/test`);
    const calls = await callsOf(early);
    await Promise.all(calls.map((call) => unavailable(call)));
    const late = await startFerret(port);
    const models = await early.namespace('n', [THINGS]);
    await eventually(() => models.checkpoint());
    for (const call of calls) await call();
    await early.close();
    await late.stop();
  });

  it('has the same documents as a model when applies are repeated after it was killed', async () => {
    const models = await store.namespace('killed', [WRITTEN]);
    const model = memoryReadModels();
    let position = 0;
    for (let round = 0; round < 3; round += 1) {
      const last = position + 400;
      const changes = Array.from({ length: 400 }, (_, at) => eventChanges(position + at + 1)).flat();
      const before = await models.count('written', {});
      const applying = outcomeOf(models.apply(changes, last));
      await until(async () => (await models.count('written', {}).catch(() => 0)) > before);
      await ferret.kill();
      const outcome = await applying;
      if (outcome !== null) expect(outcome).to.be.instanceOf(StoreUnavailable);
      await ferret.restart();
      // Applied until it succeeds, as a runner does.
      await eventually(() => models.apply(changes, last));
      await model.apply(changes, last);
      position = last;
      const query = { where: {}, sort: by('value'), offset: 0, limit: 1e6 };
      expect(await models.find('written', query)).to.deep.equal(await model.find('written', query));
      expect(await models.checkpoint()).to.equal(last);
    }
  });

  it('throws StoreUnavailable in time from every call while it is frozen, and works again afterwards', async () => {
    const calls = await callsOf(store);
    for (const call of calls) await call();
    ferret.freeze();
    await untilFails(() => store.readRegister('r'));
    await Promise.all(calls.map((call) => unavailable(call)));
    ferret.thaw();
    await eventually(() => store.readRegister('r'));
    for (const call of calls) await call();
  });

  it('streams each document once and in order across its restart', async () => {
    const models = await store.namespace('streamed', [THINGS]);
    const all = Array.from({ length: DOCUMENTS }, (_, at) => thing(`t${at}`, { group: at % 10 === 0 ? 'no' : 'g' }));
    await models.apply(
      all.map((document) => insert(document)),
      1,
    );
    for (const where of [{}, { group: 'g' }]) {
      const seen: string[] = [];
      for await (const batch of models.stream('things', { where, isById: true })) {
        seen.push(...idsOf(batch));
        await ferret.kill();
        await ferret.restart();
      }
      const expected = all.filter(({ group }) => where.group === undefined || group === where.group);
      expect(seen).to.deep.equal(idsOf(expected).toSorted());
    }
  });

  it('says which collection refused a document, and by which code', async () => {
    const models = await store.namespace('n', [THINGS]);
    const refused = [insert(thing('a', { 'x.y': 1 })), set('b', { value: Infinity }, 2)];
    await models.apply([insert(thing('b'))], 1);
    for (const change of refused) {
      const message = await unavailable(() => models.apply([insert(thing('c')), change], 2));
      expect(message).to.match(/failed to write n\.things: refused with code 2\b/);
    }
    expect(await models.checkpoint()).to.equal(1);
  });
});
