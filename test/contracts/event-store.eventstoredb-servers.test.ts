import { EventStoreDBClient } from '@eventstore/db-client';
import { expect } from 'chai';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import {
  countTo,
  deliveriesUntil,
  eventsOf,
  followThrough,
  gathered,
  idsOf,
  never,
  newEvent,
  newEvents,
  newStream,
  restOf,
} from '../support/event-store/events.ts';
import type { EventStoreDouble } from '../support/eventstore-double/double.ts';
import { useDoubles } from '../support/eventstore-double/use-doubles.ts';
import type { Version } from '../support/eventstore-double/world.ts';
import { failureOf, outcomeOf } from '../support/failure.ts';
import { eventually, PATIENCE_MS, until } from '../support/processes/waits.ts';

/** What servers do by themselves, without anybody's bad luck; what differs from version to version is named. */
describe('event store on EventStoreDB, servers', () => {
  const doubles = useDoubles();
  let double: EventStoreDouble;
  let store: EventStore;
  let retries: number;
  let reconnects: number;

  async function start(version: Version = '22.10'): Promise<void> {
    retries = 0;
    reconnects = 0;
    double = await doubles.start({ version });
    store = doubles.open({
      url: double.url,
      timeoutMs: PATIENCE_MS,
      onRetry: () => (retries += 1),
      onReconnect: () => (reconnects += 1),
    });
  }

  /** Works with the server as its administrator does. */
  async function asAdmin(work: (client: EventStoreDBClient) => Promise<unknown>): Promise<void> {
    const client = EventStoreDBClient.connectionString(double.url);
    await work(client);
    await client.dispose();
  }

  it('delivers the event that 23.10 skips, which begins after the first match', async () => {
    await start('23.10');
    const first = await store.append(newStream(), [newEvent('Other')], 'no_stream');
    const events = newEvents(3, 'Wanted');
    await store.append(newStream(), events, 'no_stream');
    const seen = await deliveriesUntil(
      store.subscribe(first.position, ['Wanted'], never()),
      ({ caughtUp }) => caughtUp,
    );
    expect(idsOf(eventsOf(seen))).to.deep.equal(idsOf(events));
    expect(idsOf(await gathered(store.readAll(first.position, ['Wanted'])))).to.deep.equal(idsOf(events));
  });

  it('resumes a subscription that the server drops for being slow, unnoticed by its consumer', async () => {
    await start();
    const stream = newStream();
    const events = newEvents(1_500, 'Wanted');
    const deliveries = store.subscribe(null, ['Wanted'], never())[Symbol.asyncIterator]();
    await deliveries.next();
    let following: ReturnType<typeof deliveriesUntil> | null = null;
    for (let at = 0; at < events.length; at += 250) {
      await store.append(stream, events.slice(at, at + 250), 'any');
      // After a drop the subscription is away for a moment: the first time, until its consumer asks for more.
      if (at % 500 === 0) await until(() => double.faults.dropSubscriptions() > 0);
      following ??= deliveriesUntil(restOf(deliveries), countTo(events.length));
    }
    expect(idsOf(eventsOf((await following) ?? []))).to.deep.equal(idsOf(events));
    expect(reconnects, 'on the same connection').to.equal(0);
  });

  it('ignores a checkpoint at the largest number, which means the end of the log', async () => {
    await start();
    const deliveries = store.subscribe(null, ['Wanted'], never())[Symbol.asyncIterator]();
    await deliveries.next();
    double.faults.checkpointAtEnd();
    const events = newEvents(2, 'Wanted');
    await store.append(newStream(), events, 'no_stream');
    const seen = await deliveriesUntil(restOf(deliveries), countTo(events.length));
    expect(idsOf(eventsOf(seen))).to.deep.equal(idsOf(events));
    expect(retries, 'the subscription was never lost').to.equal(0);
  });

  it('continues when a server shuts down: acknowledged events are stored once, and all are delivered', async () => {
    await start();
    const followed = followThrough(store, null, ({ type }) => type === 'Last');
    const acknowledged: string[] = [];
    for (let round = 1; round <= 3; round++) {
      const { appends } = double.counters.counts;
      const load = newEvents(100).map(async (event) => {
        const done = await outcomeOf(store.append(newStream(), [event], 'no_stream'));
        if (done === null) acknowledged.push(event.id);
        else expect(done).to.be.instanceOf(StoreUnavailable);
      });
      // All may fail at once, on the connection that said goodbye before.
      await Promise.race([double.counters.until((counts) => counts.appends > appends + 20), Promise.all(load)]);
      double.faults.goAway();
      await Promise.all(load);
    }
    await eventually(() => store.append(newStream(), [newEvent('Last')], 'any'));
    const ids = idsOf(await eventually(() => gathered(store.readAll(null))));
    expect(new Set(ids).size).to.equal(ids.length);
    expect(acknowledged.filter((id) => !ids.includes(id))).to.deep.equal([]);
    const seen = idsOf(await followed);
    expect(seen).to.deep.equal(ids);
  });

  it('reads past events that others delete meanwhile, and past the gaps that a scavenge leaves', async () => {
    await start();
    const own = newStream();
    const usage = newStream();
    const kept: string[] = [];
    const others = [newStream('other'), newStream('other')];
    const positions = [];
    for (let n = 0; n < 20; n++) {
      const [event] = newEvents(1, 'Wanted');
      if (event === undefined) continue;
      kept.push(event.id);
      await store.append(own, [event], n === 0 ? 'no_stream' : n - 1);
      positions.push((await store.append(usage, newEvents(1, 'Used'), 'newest_only')).position);
      await store.append(others[n % 2] ?? '', newEvents(1, 'Wanted'), 'any');
    }
    await asAdmin(async (admin) => {
      await admin.deleteStream(others[0] ?? '');
      await admin.tombstoneStream(others[1] ?? '');
    });
    double.faults.scavenge();
    const wanted = (ids: readonly string[]): readonly string[] => ids.filter((id) => kept.includes(id));
    const everything = idsOf(await gathered(store.readAll(null, ['Wanted'])));
    expect(everything).to.deep.equal(kept);
    for (const position of positions) {
      const after = idsOf(await gathered(store.readAll(position)));
      const seen = await deliveriesUntil(store.subscribe(position, ['Wanted'], never()), ({ caughtUp }) => caughtUp);
      expect(wanted(after)).to.deep.equal(idsOf(eventsOf(seen)));
      expect(wanted(after)).to.deep.equal(kept.slice(positions.indexOf(position) + 1));
    }
    expect(await gathered(store.readStream(usage))).to.have.length(1);
    await store.append(own, newEvents(1), 19);
  });

  it('finds nothing in a deleted stream, reports a tombstone, and does not affect other streams', async () => {
    await start();
    const deleted = newStream();
    const dead = newStream();
    const other = newStream();
    for (const stream of [deleted, dead, other]) await store.append(stream, newEvents(2), 'no_stream');
    await asAdmin(async (admin) => {
      await admin.deleteStream(deleted);
      await admin.tombstoneStream(dead);
    });
    expect(await gathered(store.readStream(deleted))).to.deep.equal([]);
    expect(await store.readNewest(deleted)).to.equal(null);
    expect((await store.append(deleted, newEvents(1), 'no_stream')).revision, 'counted on').to.equal(2);
    for (const refused of [() => gathered(store.readStream(dead)), () => store.append(dead, newEvents(1), 'any')]) {
      expect(await failureOf(refused())).to.be.instanceOf(StoreUnavailable);
    }
    expect(await gathered(store.readStream(other))).to.have.length(2);
    expect(reconnects, 'on the same connection').to.equal(0);
  });

  it('reports that the store cannot be read at a position where no event begins, and continues otherwise', async () => {
    await start();
    const { position } = await store.append(newStream(), newEvents(3), 'no_stream');
    const bad = position - 1;
    expect(await failureOf(gathered(store.readAll(bad)))).to.be.instanceOf(StoreUnavailable);
    const followed = deliveriesUntil(store.subscribe(bad, ['Any'], never()), () => false);
    expect(await failureOf(followed)).to.be.instanceOf(StoreUnavailable);
    await store.append(newStream(), newEvents(1), 'any');
    expect(await gathered(store.readAll(position))).to.have.length(1);
    expect(reconnects, 'as the connection was not at fault').to.equal(0);
  });

  it('serves appends and reads beside the maximum number of subscriptions, and refuses one more', async () => {
    await start();
    const open = Array.from({ length: 64 }, () =>
      deliveriesUntil(store.subscribe(null, ['Any'], never()), () => false),
    );
    await double.counters.until(({ subscriptions }) => subscriptions === 64);
    // The server takes a hundred calls on a connection; another would wait unsaid.
    const reads = Array.from({ length: 30 }, () => store.head());
    const appended = await store.append(newStream(), newEvents(1), 'no_stream');
    expect(new Set(await Promise.all(reads)).size).to.be.at.most(2);
    expect(await store.head()).to.equal(appended.position);
    const refused = deliveriesUntil(store.subscribe(null, ['Any'], never()), () => false);
    expect(await failureOf(refused), 'one more').to.be.instanceOf(StoreUnavailable);
    await store.append(newStream(), newEvents(1), 'no_stream');
    await store.close();
    await Promise.all(open);
  });
});
