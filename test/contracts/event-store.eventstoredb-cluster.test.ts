import { expect } from 'chai';
import { StoreUnavailable, WrongExpectedRevision } from '../../src/kernel/ports/errors.ts';
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
} from '../support/event-store/events.ts';
import { EventStoreCluster } from '../support/eventstore-double/cluster.ts';
import { useDoubles } from '../support/eventstore-double/use-doubles.ts';
import { eventually, until } from '../support/processes/waits.ts';
import { failureOf, outcomeOf } from '../support/failure.ts';

const TIMEOUT_MS = 4_000;

/** A follower is behind: an append is answered by the leader, a read by the node that the connection string prefers. */
describe('event store on a cluster of EventStoreDB', () => {
  const doubles = useDoubles();
  let cluster: EventStoreCluster;
  const open = (nodePreference: 'leader' | 'follower') =>
    doubles.open({ url: cluster.url(nodePreference), timeoutMs: TIMEOUT_MS });

  beforeEach(async () => {
    cluster = await EventStoreCluster.start();
  });
  afterEach(() => cluster.close());

  it('appends through a follower, and the leader decides which appends are refused', async () => {
    const store = open('follower');
    const stream = newStream();
    const events = newEvents(2);
    const appended = await store.append(stream, events, 'no_stream');
    expect(cluster.follower.counters.counts.appends).to.be.at.least(1);
    const late = await failureOf(store.append(stream, newEvents(1), 'no_stream'));
    expect(late).to.be.instanceOf(WrongExpectedRevision);
    expect((await store.append(stream, newEvents(1), 1)).revision).to.equal(2);
    await until(async () => ((await store.head()) ?? 0) >= appended.position);
    expect(idsOf(await gathered(open('leader').readStream(stream))).slice(0, 2)).to.deep.equal(idsOf(events));
    expect(idsOf(await gathered(store.readStream(stream))).slice(0, 2)).to.deep.equal(idsOf(events));
  });

  it('delivers each event once and in order while its follower lags behind its own appends', async () => {
    const store = open('follower');
    const events = newEvents(60, 'Wanted');
    const followed = deliveriesUntil(store.subscribe(null, ['Wanted'], never()), countTo(events.length));
    const stream = newStream();
    for (const [n, event] of events.entries()) await store.append(stream, [event], n === 0 ? 'no_stream' : n - 1);
    expect(idsOf(eventsOf(await followed))).to.deep.equal(idsOf(events));
  });

  for (const preference of ['leader', 'follower'] as const) {
    it(`keeps each acknowledged event exactly once while the leader is deposed (it prefers a ${preference})`, async () => {
      const store = open(preference);
      await store.append(newStream(), newEvents(1), 'no_stream');
      const acknowledged: string[] = [];
      const stop = new AbortController();
      const writers = Array.from({ length: 8 }, async () => {
        while (!stop.signal.aborted) {
          const event = newEvent();
          const failure = await outcomeOf(store.append(newStream(), [event], 'no_stream'));
          if (failure === null) acknowledged.push(event.id);
          else expect(failure).to.be.instanceOf(StoreUnavailable);
        }
      });
      const followed = followThrough(store, null, ({ type }) => type === 'Last');
      await until(() => acknowledged.length > 50);
      await cluster.depose();
      const before = acknowledged.length;
      await until(() => acknowledged.length > before + 50);
      stop.abort();
      await Promise.all(writers);
      await eventually(() => store.append(newStream(), [newEvent('Last')], 'no_stream'));
      const seen = idsOf(await followed);
      expect(new Set(seen).size).to.equal(seen.length);
      expect(acknowledged.filter((id) => !seen.includes(id))).to.deep.equal([]);
      expect(idsOf(await eventually(() => gathered(open('leader').readAll(null))))).to.deep.equal(seen);
    });
  }
});
