import { expect } from 'chai';
import {
  MAX_BATCH_BYTES,
  roughBytesOfEvent,
  type EventStore,
  type NewEvent,
  type RecordedEvent,
} from '../../../src/kernel/ports/event-store.ts';
import { countTo, deliveriesUntil, gathered, idsOf, newEvent, newEvents, newStream } from './events.ts';

function bytesOf(events: readonly NewEvent[]): number {
  return events.reduce((sum, event) => sum + roughBytesOfEvent(event), 0);
}

async function batchesOf(
  batches: AsyncIterable<readonly RecordedEvent[]>,
): Promise<readonly (readonly RecordedEvent[])[]> {
  const all: (readonly RecordedEvent[])[] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}

/** The laws of reads. */
export const readLaws = {
  'reads a stream past one batch, from its beginning or after a revision, and its newest event': async (store) => {
    const stream = newStream();
    const events = newEvents(700);
    for (let at = 0; at < events.length; at += 100) await store.append(stream, events.slice(at, at + 100), 'any');
    for (const after of [null, 0, 1, 255, 256, 400, 698, 699, 700]) {
      const read = await gathered(store.readStream(stream, after));
      expect(idsOf(read), String(after)).to.deep.equal(idsOf(events.slice((after ?? -1) + 1)));
      expect(read.map(({ revision }) => revision)).to.deep.equal([...events.keys()].slice((after ?? -1) + 1));
    }
    expect(await store.readNewest(stream)).to.include({ id: events.at(-1)?.id, revision: 699 });
    expect(await gathered(store.readStream(newStream(), 0))).to.deep.equal([]);
  },

  'reads all events after a position, that event not included': async (store) => {
    const start = await store.head();
    const stream = newStream();
    for (const event of newEvents(5)) await store.append(stream, [event], 'any');
    const all = await gathered(store.readAll(start));
    for (const [at, { position }] of all.entries()) {
      expect(await gathered(store.readAll(position))).to.deep.equal(all.slice(at + 1));
    }
    expect((await gathered(store.readAll(null))).slice(-5)).to.deep.equal(all);
  },

  'reads all events of the types asked for': async (store) => {
    const after = await store.head();
    const stream = newStream();
    const typeOf = (n: number): string => (n % 500 === 0 ? 'Rare' : n % 2 === 0 ? 'Even' : 'Odd');
    const events = Array.from({ length: 3_000 }, (_, n) => newEvent(typeOf(n)));
    for (let at = 0; at < events.length; at += 500) await store.append(stream, events.slice(at, at + 500), 'any');
    for (const types of [['Rare'], ['Rare', 'Odd'], ['Missing'], []]) {
      const expected = events.filter(({ type }) => types.includes(type));
      expect(idsOf(await gathered(store.readAll(after, types)))).to.deep.equal(idsOf(expected));
    }
  },

  'reads and delivers large events in batches of bounded bytes': async (store) => {
    const after = await store.head();
    const stream = newStream();
    const type = newStream('Large');
    const events = newEvents(24, type).map((event) => ({ ...event, data: { text: 'x'.repeat(300_000) } }));
    for (const event of events) await store.append(stream, [event], 'any');
    const deliveries = await deliveriesUntil(store.subscribe(after, null, new AbortController().signal), countTo(24));
    const readings = {
      stream: await batchesOf(store.readStream(stream)),
      all: await batchesOf(store.readAll(after)),
      types: await batchesOf(store.readAll(after, [type])),
      subscription: deliveries.map(({ events: delivered }) => delivered),
    };
    for (const [name, batches] of Object.entries(readings)) {
      expect(idsOf(batches.flat()), name).to.deep.equal(idsOf(events));
      for (const batch of batches) expect(bytesOf(batch.slice(0, -1)), name).to.be.below(MAX_BATCH_BYTES);
    }
  },

  'stops reading all at the head of the moment it began': async (store) => {
    const after = await store.head();
    const stream = newStream();
    await store.append(stream, newEvents(10), 'no_stream');
    let read = 0;
    for await (const batch of store.readAll(after)) {
      read += batch.length;
      await store.append(stream, newEvents(1), 'any');
    }
    expect(read).to.equal(10);
  },
} satisfies Record<string, (store: EventStore) => Promise<void>>;
