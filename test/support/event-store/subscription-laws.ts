import { expect } from 'chai';
import type { Delivery, EventStore } from '../../../src/kernel/ports/event-store.ts';
import {
  countTo,
  deliveriesUntil,
  eventsOf,
  gathered,
  idsOf,
  never,
  newEvent,
  newEvents,
  newStream,
} from './events.ts';

/** Fewest events of a delivery of a backlog, on average. */
const LEAST_BATCH = 8;

/** Events that are appended and awaited one by one. */
const SINGLES = 40;

/** The laws of subscriptions. */
export const subscriptionLaws = {
  'delivers past events from a position on, then reports that it caught up': async (store) => {
    const type = newStream('From');
    const stream = newStream();
    const { position } = await store.append(stream, newEvents(1, type), 'no_stream');
    const later = newEvents(2_000, type);
    await store.append(stream, later, 'any');
    for (const [after, expected] of [
      [null, 2_001],
      [position, 2_000],
    ] as const) {
      const deliveries = await deliveriesUntil(store.subscribe(after, [type], never()), ({ caughtUp }) => caughtUp);
      const events = eventsOf(deliveries);
      expect(events).to.have.lengthOf(expected);
      expect(idsOf(events).slice(-2_000)).to.deep.equal(idsOf(later));
      expectHonest(deliveries, after ?? 0);
    }
  },

  'delivers a backlog in batches, however fast its consumer is, of all events and of some': async (store) => {
    const type = newStream('Backlog');
    const after = await store.head();
    for (let n = 0; n < 6; n++) {
      await store.append(newStream(), [...newEvents(250, type), ...newEvents(250)], 'no_stream');
    }
    for (const [filter, total] of [
      [null, 3_000],
      [[type], 1_500],
    ] as const) {
      const deliveries = await deliveriesUntil(store.subscribe(after, filter, never()), countTo(total));
      expect(total / deliveries.length, 'events of a delivery').to.be.at.least(LEAST_BATCH);
    }
  },

  'delivers an event that comes alone without waiting for another': async (store) => {
    const after = await store.head();
    const stream = newStream();
    const deliveries = store.subscribe(after, null, never())[Symbol.asyncIterator]();
    for (let n = 0, reached = after ?? 0; n < SINGLES; n++) {
      const { position } = await store.append(stream, [newEvent()], 'any');
      while (reached < position) reached = ((await deliveries.next()) as IteratorYieldResult<Delivery>).value.upTo;
    }
    expect((await store.head()) ?? 0).to.be.greaterThan(after ?? 0);
    await deliveries.return?.();
  },

  'reports at once that it caught up if there is nothing to deliver': async (store) => {
    await store.append(newStream(), newEvents(1), 'no_stream');
    const head = await store.head();
    const deliveries = await deliveriesUntil(store.subscribe(head, ['Any'], never()), () => true);
    expect(deliveries).to.deep.equal([{ events: [], upTo: head, caughtUp: true }]);
  },

  'delivers each event once and in order while several writers append': async (store) => {
    const type = newStream('Live');
    const after = await store.head();
    const total = 400;
    const all = deliveriesUntil(store.subscribe(after, [type], never()), countTo(total));
    const slow = takeSlowly(store, store.subscribe(after, [type], never()), total);
    const writers = Array.from({ length: 8 }, async () => {
      const stream = newStream();
      for (let n = 0; n < total / 8; n++) await store.append(stream, [newEvent(), newEvent(type)], 'any');
    });
    await Promise.all(writers);
    const expected = await gathered(store.readAll(after, [type]));
    expect(eventsOf(await all)).to.deep.equal(expected);
    expect(eventsOf(await slow)).to.deep.equal(expected);
    expectHonest(await all, after ?? 0);
  },

  'delivers everything to a consumer that falls far behind': async (store) => {
    const type = newStream('Behind');
    const stream = newStream();
    const deliveries = store.subscribe(await store.head(), [type], never())[Symbol.asyncIterator]();
    await deliveries.next();
    const events = newEvents(5_000, type);
    for (let at = 0; at < events.length; at += 250) await store.append(stream, events.slice(at, at + 250), 'any');
    const rest = await deliveriesUntil({ [Symbol.asyncIterator]: () => deliveries }, countTo(events.length));
    expect(idsOf(eventsOf(rest))).to.deep.equal(idsOf(events));
    expectHonest(rest, 0);
  },

  'follows streams of some categories, whatever the types of their events': async (store) => {
    const after = await store.head();
    const category = `wanted${newStream('').slice(1, 9)}`;
    const wanted = newStream(category);
    await store.append(newStream(`${category}Not`), newEvents(3, 'Any'), 'no_stream');
    await store.append(wanted, [newEvent('One'), newEvent('Two')], 'no_stream');
    await store.append(newStream(), newEvents(3, 'One'), 'no_stream');
    const { position } = await store.append(wanted, [newEvent('Three')], 1);
    const filter = { categories: [category, 'none'] };
    const backlog = await deliveriesUntil(store.subscribe(after, filter, never()), ({ upTo }) => upTo >= position);
    expect(eventsOf(backlog).map(({ type }) => type)).to.deep.equal(['One', 'Two', 'Three']);
    const live = deliveriesUntil(store.subscribe(position, filter, never()), countTo(1));
    await store.append(newStream(), newEvents(2, 'One'), 'no_stream');
    await store.append(wanted, [newEvent('Four')], 2);
    expect(eventsOf(await live).map(({ type }) => type)).to.deep.equal(['Four']);
  },

  'moves past events of other types': async (store) => {
    const after = await store.head();
    const { position } = await store.append(newStream(), newEvents(3_000), 'no_stream');
    const behind = await deliveriesUntil(store.subscribe(after, ['Missing'], never()), ({ upTo }) => upTo >= position);
    expect(eventsOf(behind)).to.deep.equal([]);
    const live = deliveriesUntil(store.subscribe(position, ['Missing'], never()), ({ upTo }) => upTo > position);
    await store.append(newStream(), newEvents(1), 'no_stream');
    expect((await live).at(-1)).to.deep.equal({ events: [], upTo: await store.head(), caughtUp: true });
  },

  'ends when its signal aborts: before it begins, while it waits, while its consumer works': async (store) => {
    expect(await deliveriesUntil(store.subscribe(null, ['Any'], AbortSignal.abort()), () => false)).to.deep.equal([]);
    const waiting = new AbortController();
    const head = await store.head();
    const ended = deliveriesUntil(store.subscribe(head, ['Any'], waiting.signal), () => false);
    setImmediate(() => waiting.abort());
    expect((await ended).length).to.be.at.most(1);
    const working = new AbortController();
    const seen = await deliveriesUntil(store.subscribe(null, ['Any'], working.signal), () => {
      working.abort();
      return false;
    });
    expect(seen).to.have.lengthOf(1);
  },
} satisfies Record<string, (store: EventStore) => Promise<void>>;

/** A consumer that appends something of its own between two deliveries, so that the store runs ahead of it. */
function takeSlowly(
  store: EventStore,
  deliveries: AsyncIterable<Delivery>,
  total: number,
): Promise<readonly Delivery[]> {
  async function* slowly(): AsyncGenerator<Delivery> {
    for await (const delivery of deliveries) {
      for (let n = 0; n < 3; n++) await store.append(newStream(), newEvents(1), 'no_stream');
      yield delivery;
    }
  }
  return deliveriesUntil(slowly(), countTo(total));
}

/** `upTo` covers the events delivered and moves on with each delivery; positions increase over all of them. */
function expectHonest(deliveries: readonly Delivery[], after: number): void {
  let reached = after;
  for (const { events, upTo } of deliveries) {
    for (const { position } of events) {
      expect(position).to.be.greaterThan(reached);
      reached = position;
    }
    expect(upTo).to.be.at.least(reached);
    reached = upTo;
  }
}
