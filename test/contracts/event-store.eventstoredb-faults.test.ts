import { expect } from 'chai';
import { openEventStoreDb, type EventStoreDbOptions } from '../../infra/eventstoredb/event-store.ts';
import { AppendTooLarge, StoreUnavailable, WrongExpectedRevision } from '../../src/kernel/ports/errors.ts';
import type { EventStore, NewEvent } from '../../src/kernel/ports/event-store.ts';
import { deliveriesUntil, gathered, idsOf, newEvent, newEvents, newStream } from '../support/event-store/events.ts';
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstore-double/double.ts';
import { useDoubles } from '../support/eventstore-double/use-doubles.ts';
import { failureOf, outcomeOf } from '../support/failure.ts';
import { declareAtOnce } from '../support/processes/at-once.ts';
import { eventually, expectUnavailable, MOMENT_MS, until } from '../support/processes/waits.ts';

/** Time limit of the stores here, in ms. */
const TIMEOUT_MS = 4_000;

/** The tables in infra/eventstoredb/README.md name these tests: each fails without the remedy of its row. */
describe('event store on EventStoreDB, faults', () => {
  const doubles = useDoubles();
  let double: EventStoreDouble;
  let store: EventStore;
  const open = (options: Partial<EventStoreDbOptions>): EventStore =>
    doubles.open({ url: double.url, timeoutMs: TIMEOUT_MS, ...options });

  beforeEach(async () => {
    double = await doubles.start();
    store = open({});
  });

  describe('appends', () => {
    it('keeps two stores in one process apart: an outage of one does not affect appends to the other', async () => {
      let retries = 0;
      const other = await doubles.start();
      const otherStore = open({ url: other.url, timeoutMs: 60_000, onRetry: () => retries++ });
      await Promise.all([works(store), works(otherStore)]);
      double.faults.silence();
      other.faults.silence();
      const broken = outcomes(appendMany(store, 20));
      const whole = outcomes(appendMany(otherStore, 20));
      await double.counters.until(({ appends }) => appends >= 21);
      await other.counters.until(({ appends }) => appends >= 21);
      double.faults.kill();
      expect(new Set(await broken)).to.deep.equal(new Set([StoreUnavailable]));
      other.faults.speak();
      expect(new Set(await whole)).to.deep.equal(new Set([null]));
      expect(retries, 'none was looked for').to.equal(0);
    });

    it('refuses events that the client or the server cannot handle, before it sends them', async () => {
      await works(store);
      const { appends } = double.counters.counts;
      const good = newEvent();
      const large = newEvents(3).map((event) => ({ ...event, data: { text: 'x'.repeat(400_000) } }));
      const bad: readonly (readonly NewEvent[])[] = [
        [{ ...good, type: '' }],
        [{ ...good, type: '$system' }],
        [{ ...good, id: 'no uuid' }],
        [{ ...good, id: '' }],
        [],
      ];
      for (const events of bad) expect(await failure(store.append(newStream(), events, 'any'))).to.equal(TypeError);
      expect(await failure(store.append(newStream(), large, 'any'))).to.equal(AppendTooLarge);
      for (const stream of ['', '$system', 'a\u0000b', 'a\ud800', 'x'.repeat(2_000)]) {
        expect(await failure(store.append(stream, [good], 'any'))).to.equal(TypeError);
      }
      expect(double.counters.counts.appends).to.equal(appends);
      await works(store);
    });

    for (const expected of ['no_stream', 'any', 'newest_only', 1] as const) {
      it(`finds its own append when the answer is lost after the commit (${expected})`, async () => {
        let retries = 0;
        const watched = open({ onRetry: () => retries++ });
        const stream = newStream();
        if (expected === 1) await watched.append(stream, newEvents(2), 'no_stream');
        if (expected === 'newest_only') await watched.append(stream, newEvents(1), 'newest_only');
        const events = newEvents(2);
        double.faults.answersToLose = 1;
        const appended = await watched.append(stream, events, expected);
        const read = await gathered(watched.readStream(stream));
        const last = read.at(-1);
        expect({ revision: last?.revision, position: last?.position }).to.deep.equal(appended);
        expect(idsOf(read).filter((id) => idsOf(events).includes(id)).length).to.be.at.most(2);
        expect(last?.id).to.equal(events.at(-1)?.id);
        expect(retries).to.be.at.least(1);
      });
    }

    it('distinguishes a lost race from its own append, whatever the connection string says about failures', async () => {
      const lenient = open({ url: `${double.url}&throwOnAppendFailure=false` });
      const stream = newStream();
      const events = newEvents(2);
      const appended = await lenient.append(stream, events, 'no_stream');
      expect(await failure(lenient.append(stream, newEvents(1), 'no_stream'))).to.equal(WrongExpectedRevision);
      expect(await failure(lenient.append(stream, newEvents(1), 7))).to.equal(WrongExpectedRevision);
      expect(await lenient.append(stream, events, 'no_stream')).to.deep.equal(appended);
      expect(await gathered(lenient.readStream(stream))).to.have.lengthOf(2);
    });

    it('appends an event to a stream although another stream has one with the same id', async () => {
      const event = newEvent();
      const streams = [newStream(), newStream()];
      for (const stream of streams) await store.append(stream, [event], 'no_stream');
      for (const stream of streams) expect(idsOf(await gathered(store.readStream(stream)))).to.deep.equal([event.id]);
    });

    it('sends simultaneous appends without waiting for the answer to the first', async () => {
      const patient = open({ timeoutMs: 60_000 });
      await works(patient);
      const { appends } = double.counters.counts;
      double.faults.silence();
      const together = outcomes(appendMany(patient, 1_000));
      await double.counters.until((counts) => counts.appends >= appends + 1_000);
      double.faults.speak();
      expect(new Set(await together)).to.deep.equal(new Set([null]));
    });

    it('keeps the order of unawaited appends to one stream, even right after it is opened', async () => {
      const stream = newStream();
      const appends = newEvents(50).map((event, n) => store.append(stream, [event], n === 0 ? 'no_stream' : n - 1));
      expect((await Promise.all(appends)).map(({ revision }) => revision)).to.deep.equal([...appends.keys()]);
    });
  });

  describe('outages', () => {
    it('never mistakes an interrupted read for a complete one', async () => {
      const stream = newStream();
      await store.append(stream, newEvents(200), 'no_stream');
      double.faults.delay(100);
      const reads = Array.from({ length: 20 }, () => store.readNewest(stream));
      const failing = failure(store.append(newStream(), newEvents(1), 'any'));
      await double.counters.until((counts) => counts.reads >= 20);
      await store.close();
      for (const read of reads) {
        if (!((await outcomeOf(read)) instanceof StoreUnavailable)) expect(await read).to.include({ revision: 199 });
      }
      await failing;
    });

    it('fails an append at once while no server listens, as certainly not sent', async () => {
      await works(store);
      double.faults.kill();
      await failure(store.head());
      // The quickest of some: a machine that stands still for a second is not the store's fault.
      let quickest = Infinity;
      for (let n = 0; n < 5; n++) {
        const [outcome, ms] = await timed(failure(store.append(newStream(), newEvents(1), 'any')));
        expect(outcome).to.equal(StoreUnavailable);
        quickest = Math.min(quickest, ms);
      }
      expect(quickest).to.be.lessThan(TIMEOUT_MS / 2);
    });

    it('does not affect appends when a read is slow', async () => {
      let reconnects = 0;
      const mine = open({ onReconnect: () => (reconnects += 1) });
      const slow = newStream();
      const busy = newStream();
      await mine.append(slow, newEvents(1), 'no_stream');
      double.faults.heldStream = slow;
      const read = failureOf(mine.readNewest(slow));
      const isOver = read.then(() => true);
      const appended = () => mine.append(busy, newEvents(1), 'any').then(() => false);
      await until(() => Promise.race([isOver, appended()]));
      expect(await read).to.be.instanceOf(StoreUnavailable);
      await mine.append(busy, newEvents(1), 'any');
      expect(reconnects, 'with a new client').to.equal(0);
    });

    it('closes promptly while the store is silent', async () => {
      const one = open({ timeoutMs: 25_000 });
      await works(one);
      const following = deliveriesUntil(one.subscribe(null, ['Any'], new AbortController().signal), () => false);
      await double.counters.until(({ subscriptions }) => subscriptions === 1);
      double.faults.silence();
      const append = failure(one.append(newStream(), newEvents(1), 'any'));
      const [, ms] = await timed(one.close());
      expect(ms).to.be.lessThan(2 * MOMENT_MS);
      expect(await append).to.equal(StoreUnavailable);
      await following;
      await double.counters.until(({ connections }) => connections === 0);
    });
  });
});

describe('event store on EventStoreDB that cannot be reached', () => {
  const goOn = (begin: (faults: EventStoreDouble['faults']) => void) => () => goesOnAfter(begin);
  const outage = (kind: string) =>
    `says of every operation that the store is unavailable while it ${kind}, and goes on afterwards`;

  declareAtOnce({
    [outage('is down')]: goOn((faults) => faults.kill()),
    [outage('is starting')]: goOn((faults) => void (faults.notReady = 'unavailable')),
    [outage('is too busy')]: goOn((faults) => void (faults.notReady = 'busy')),
    [outage('is silent')]: goOn((faults) => faults.silence()),
    [outage('is frozen')]: goOn((faults) => faults.freeze()),
    'starts while the store is down, by its address or by discovery': startsWhileAway,
    'finds the store within a second of its return, however long it was away': isFoundSoon,
  });
});

async function goesOnAfter(begin: (faults: EventStoreDouble['faults']) => void): Promise<void> {
  const double = await startEventStoreDouble();
  const open = () => openEventStoreDb({ url: double.url, timeoutMs: TIMEOUT_MS });
  const store = open();
  begin(double.faults);
  // A store of its own for each, so that none helps another to find out; and one for all.
  const others = operationsOf(store).map(open);
  const each = others.flatMap((other, n) => operationsOf(other).slice(n, n + 1));
  await Promise.all([...operationsOf(store), ...each].map((operation) => expectUnavailable(operation(), TIMEOUT_MS)));
  await double.faults.heal();
  await eventually(() => works(store));
  await Promise.all([store, ...others].map((one) => one.close()));
  await double.close();
}

async function startsWhileAway(): Promise<void> {
  const double = await startEventStoreDouble();
  double.faults.kill();
  const address = `127.0.0.1:${double.port}`;
  const stores = [
    `esdb://${address}?tls=false`,
    `esdb+discover://${address}?tls=false`,
    `esdb://${address},127.0.0.1:1?tls=false`,
  ].map((url) => openEventStoreDb({ url, timeoutMs: TIMEOUT_MS }));
  for (const store of stores) {
    await expectUnavailable(store.append(newStream(), newEvents(1), 'any'), TIMEOUT_MS);
    await expectUnavailable(store.head(), TIMEOUT_MS);
  }
  await double.faults.restart();
  for (const store of stores) {
    await eventually(() => works(store));
    await store.close();
  }
  await double.close();
}

async function isFoundSoon(): Promise<void> {
  const double = await startEventStoreDouble();
  let reconnects = 0;
  const store = openEventStoreDb({ url: double.url, timeoutMs: TIMEOUT_MS, onReconnect: () => reconnects++ });
  await works(store);
  double.faults.kill();
  const long = performance.now() + 6_000;
  await until(
    async () => expect(await failure(store.head())).to.equal(StoreUnavailable),
    () => performance.now() > long,
  );
  await double.faults.restart();
  const [, ms] = await timed(eventually(() => works(store)));
  expect(ms).to.be.lessThan(MOMENT_MS);
  expect(reconnects).to.be.at.least(1);
  await store.close();
  await double.close();
}

async function works(store: EventStore): Promise<void> {
  const stream = newStream();
  await store.append(stream, newEvents(2), 'no_stream');
  expect(await gathered(store.readStream(stream))).to.have.lengthOf(2);
}

/** Every operation of the port. */
function operationsOf(store: EventStore): readonly (() => Promise<unknown>)[] {
  return [
    () => store.head(),
    () => store.readNewest(newStream()),
    () => gathered(store.readStream(newStream())),
    () => gathered(store.readAll(null)),
    () => gathered(store.readAll(null, ['Any'])),
    () => store.append(newStream(), newEvents(1), 'no_stream'),
    () => store.append(newStream(), newEvents(1), 'newest_only'),
    () => deliveriesUntil(store.subscribe(null, ['Any'], new AbortController().signal), () => false),
  ];
}

function appendMany(store: EventStore, count: number): readonly Promise<unknown>[] {
  return Array.from({ length: count }, () => store.append(newStream(), newEvents(1), 'no_stream'));
}

/** For each promise the class of its error, or null. */
function outcomes(promises: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  return Promise.all(promises.map(failure));
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await outcomeOf(promise);
  return outcome instanceof Error ? outcome.constructor : outcome;
}

/** The outcome and the time it took, in ms. */
async function timed<T>(promise: Promise<T>): Promise<readonly [T, number]> {
  const began = performance.now();
  const outcome = await promise;
  return [outcome, performance.now() - began];
}
