import { EventStoreDBClient } from '@eventstore/db-client';
import { expect } from 'chai';
import { createAppender } from '../../infra/eventstoredb/append.ts';
import { createConnection, type Connection } from '../../infra/eventstoredb/connection.ts';
import { safePosition } from '../../infra/eventstoredb/events.ts';
import { EventReader } from '../../infra/eventstoredb/event-reader.ts';
import { Subscriptions } from '../../infra/eventstoredb/subscription.ts';
import { openEventStoreDb } from '../../infra/eventstoredb/event-store.ts';
import { StoreUnavailable, WrongExpectedRevision } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import {
  deliveriesUntil,
  eventsOf,
  gathered,
  idsOf,
  never,
  newEvent,
  newEvents,
  newStream,
} from '../support/event-store/events.ts';
import type { EventStoreDouble } from '../support/eventstore-double/double.ts';
import { useDoubles } from '../support/eventstore-double/use-doubles.ts';
import { MOMENT_MS } from '../support/processes/waits.ts';
import { failureOf } from '../support/failure.ts';

const TIMEOUT_MS = 4_000;

/**
 * infra/eventstoredb/README.md, the rows on reads and subscriptions, and what only a stand-in for one part can show.
 */
describe('event store on EventStoreDB, subscriptions', () => {
  const doubles = useDoubles();
  let double: EventStoreDouble;
  let store: EventStore;

  beforeEach(async () => {
    double = await doubles.start();
    store = doubles.open({ url: double.url, timeoutMs: TIMEOUT_MS });
  });

  it('reports a silent server to its consumer within its time limit', async () => {
    const following = deliveriesUntil(store.subscribe(null, ['Any'], never()), () => false);
    await double.counters.until(({ subscriptions }) => subscriptions === 1);
    double.faults.silence();
    const began = performance.now();
    expect(await failureOf(following)).to.be.instanceOf(StoreUnavailable);
    expect(performance.now() - began).to.be.lessThan(TIMEOUT_MS + 2 * MOMENT_MS);
  });

  it('delivers an event to its subscribers without a read', async () => {
    const deliveries = store.subscribe(await store.head(), ['Wanted'], never())[Symbol.asyncIterator]();
    await deliveries.next();
    const { reads } = double.counters.counts;
    const next = deliveries.next();
    const appended = await store.append(newStream(), [newEvent('Wanted')], 'no_stream');
    expect((await next).value).to.deep.include({ upTo: appended.position, caughtUp: true });
    expect(double.counters.counts.reads).to.equal(reads);
    await deliveries.return?.();
  });

  it("reaches the head when the newest events are the server's own, and shows none of those", async () => {
    await store.append(newStream(), [newEvent('Wanted')], 'no_stream');
    const admin = EventStoreDBClient.connectionString(double.url);
    await admin.setStreamMetadata('anything', { maxCount: 5 });
    await admin.dispose();
    const head = await store.head();
    const deliveries = await deliveriesUntil(store.subscribe(null, ['Wanted'], never()), ({ caughtUp }) => caughtUp);
    expect(deliveries.at(-1)?.upTo).to.equal(head);
    expect(eventsOf(deliveries)).to.have.lengthOf(1);
    expect((await gathered(store.readAll(null))).filter(({ type }) => type.startsWith('$'))).to.deep.equal([]);
  });

  it("skips events of other types by the server's checkpoints, without reading them", async () => {
    const stream = newStream();
    for (let count = 0; count < 5_000; count += 500) await store.append(stream, newEvents(500, 'Other'), 'any');
    await store.append(stream, [newEvent('Rare')], 'any');
    const { reads } = double.counters.counts;
    expect(await gathered(store.readAll(null, ['Rare']))).to.have.lengthOf(1);
    expect(double.counters.counts.reads - reads).to.be.lessThan(8);
  });

  it('matches types exactly, whatever characters they have', async () => {
    const types = ['A', 'A+', 'A.B', 'A|B', '(A)', 'A\\', 'A^', '[A]{1}', 'A/B$'];
    const stream = newStream();
    await store.append(
      stream,
      [...types, 'AB', 'AxB', 'AA', 'a'].map((type) => newEvent(type)),
      'no_stream',
    );
    for (const type of types) {
      expect((await gathered(store.readAll(null, [type]))).map((event) => event.type)).to.deep.equal([type]);
    }
  });

  describe('with a client that misbehaves', () => {
    let connection: Connection;
    let subscriptions: Subscriptions;
    let retried: () => void = () => undefined;
    beforeEach(() => {
      connection = createConnection(double.url);
      const reads = new EventReader(connection, TIMEOUT_MS);
      const onRetry = (): void => retried();
      subscriptions = new Subscriptions({ connection, reads, timeoutMs: TIMEOUT_MS, onRetry, isAppending: () => true });
    });
    afterEach(() => {
      subscriptions.close();
      connection.close();
    });

    it('delivers while an append whose event might belong to the delivery is pending', async () => {
      const deliveries = subscriptions.subscribe(null, ['Wanted'], never());
      const events = newEvents(3, 'Wanted');
      await store.append(newStream(), events, 'no_stream');
      const seen = await deliveriesUntil(deliveries, ({ caughtUp }) => caughtUp);
      expect(idsOf(eventsOf(seen))).to.deep.equal(idsOf(events));
    });

    it('delivers after the subscription has silently died, and subscribes again', async () => {
      const { client } = connection.handle;
      const subscribe = client.subscribeToAll.bind(client);
      // Confirmed, it brings nothing, and neither ends nor fails.
      client.subscribeToAll = (...args) => {
        const subscription = subscribe(...args);
        subscription.read = () => null;
        return subscription;
      };
      const again = new Promise<void>((resolve) => {
        retried = resolve;
      });
      const deliveries = subscriptions.subscribe(null, ['Wanted'], never());
      await deliveries.next();
      const events = newEvents(3, 'Wanted');
      await store.append(newStream(), events, 'no_stream');
      const seen = await deliveries.next();
      expect(idsOf(eventsOf(seen.done === true ? [] : [seen.value]))).to.deep.equal(idsOf(events));
      const next = deliveries.next();
      await again;
      subscriptions.close();
      expect((await next).done).to.equal(true);
    });

    it('ends at once when its signal aborts during a read of a silent server, and keeps the connection', async () => {
      const { client } = connection.handle;
      const readAll = client.readAll.bind(client);
      const reading = new Promise<void>((resolve) => {
        client.readAll = (options) => {
          double.faults.silence();
          resolve();
          return readAll(options);
        };
      });
      const stop = new AbortController();
      const next = subscriptions.subscribe(null, ['Wanted'], stop.signal).next();
      await reading;
      stop.abort();
      expect((await next).done).to.equal(true);
      // After the time limit of the read, it would be another one.
      expect(connection.handle.client).to.equal(client);
    });

    it('treats a refused revision as success if the stream holds exactly these events', async () => {
      const reads = new EventReader(connection, TIMEOUT_MS);
      const batchAppend = async () => 'wrong revision' as const;
      const onRetry = (): void => undefined;
      const append = createAppender({
        runningTime: connection.runningTime,
        batchAppend,
        reads,
        timeoutMs: TIMEOUT_MS,
        onRetry,
        isClosed: () => false,
      });
      const stream = newStream();
      const events = newEvents(2);
      const appended = await store.append(stream, events, 'no_stream');
      await store.append(stream, newEvents(1), 1);
      expect(await append(stream, events, 'no_stream')).to.deep.equal(appended);
      const lost = await failureOf(append(stream, newEvents(2), 'no_stream'));
      expect(lost).to.be.instanceOf(WrongExpectedRevision);
    });
  });

  it('refuses positions that a number cannot represent exactly', () => {
    expect(safePosition(9_007_199_254_740_991n)).to.equal(Number.MAX_SAFE_INTEGER);
    for (const position of [9_007_199_254_740_992n, '18446744073709551615']) {
      expect(() => safePosition(position)).to.throw(StoreUnavailable, 'beyond the safe integers');
    }
  });

  it('refuses a malformed connection string at once, without quoting it', () => {
    for (const url of [
      'esdb://admin:s3cret@host:port',
      'http://admin:s3cret@host',
      'esdb://admin:s3cret@',
      's3cret',
      '',
      'esdb://admin:s3cret@host?tls=maybe',
      'esdb://admin:s3cret@host?unknown=1',
      'esdb://admin:s3cret?x=1@host',
      'esdb://admin:s3cret%@host',
      'esdb://admin:s3cret@host?tlsVerifyCert=false',
      'esdb://s3cret@host?tlsCAFile=/no',
    ]) {
      const refused = expect(() => openEventStoreDb({ url }), url).to.throw(TypeError, /settings of EventStoreDB/);
      refused.that.satisfies(({ message, cause }: Error) => cause === undefined && !message.includes('s3cret'));
    }
  });
});
