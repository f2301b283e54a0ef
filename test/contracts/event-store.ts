import { expect } from 'chai';
import { OtherHistory, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { LineageCheck } from '../../src/kernel/projection/lineage.ts';
import { appendLaws } from '../support/event-store/append-laws.ts';
import { deliveriesUntil, gathered, newEvent, newEvents, newStream } from '../support/event-store/events.ts';
import { readLaws } from '../support/event-store/read-laws.ts';
import { subscriptionLaws } from '../support/event-store/subscription-laws.ts';
import { failureOf } from '../support/failure.ts';
import { declareLaws } from '../support/kernel/laws.ts';
import { manualClock } from '../support/kernel/manual-clock.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';

/** One adapter's store, for the contract. The laws share a store that may hold other events already. */
export interface EventStoreHarness {
  readonly name: string;
  readonly open: () => Promise<EventStore>;
  /** Opens a store that has no event; without it the laws about empty stores are not tested. */
  readonly openEmpty?: () => Promise<EventStore>;
  /** Laws that the adapter does not keep, each with the reason. */
  readonly skip?: Partial<Record<EventStoreLaw, string>>;
}

const harnessLaws = {
  'is empty at first': async (_store, { openEmpty }) => {
    if (openEmpty === undefined) return;
    const store = await openEmpty();
    expect(await store.head()).to.equal(null);
    expect(await gathered(store.readAll(null))).to.deep.equal([]);
    await store.append(newStream(), newEvents(1), 'no_stream');
    expect(await gathered(store.readAll(null))).to.have.lengthOf(1);
    await store.close();
  },

  'is distinguished from every other store by its first event and the last one that read models include': async (
    store,
  ) => {
    const usage = newStream('usage');
    const check = new LineageCheck({ store, clock: manualClock(), replaceable: new Set(['Used']) });
    const models = memoryReadModels();
    const addEvents = async (): Promise<number> => {
      const { position } = await store.append(newStream(), newEvents(3), 'no_stream');
      return Math.max(position, (await store.append(usage, [newEvent('Used')], 'newest_only')).position);
    };
    await addEvents();
    await check.expectSame(models);
    const position = await addEvents();
    const changes = await check.changes(await gathered(store.readAll(null)));
    await models.apply(changes, position);
    for (let n = 0; n < 2; n += 1) {
      await check.expectSame(models);
      await addEvents();
    }
    for (const text of ['"history":"', '"revision":2']) {
      const others = memoryReadModels();
      // As if it had been made from another store, or from another event of that stream.
      const altered = JSON.stringify(changes).replaceAll(text, text.endsWith('"') ? `${text}other-` : '"revision":1');
      await others.apply(JSON.parse(altered) as typeof changes, position);
      expect(await failureOf(check.expectSame(others)), text).to.be.instanceOf(OtherHistory);
    }
  },

  'has everything when it is opened again': async (store, { open }) => {
    const stream = newStream();
    const appended = await store.append(stream, newEvents(3), 'no_stream');
    const other = await open();
    expect(await gathered(other.readStream(stream))).to.deep.equal(await gathered(store.readStream(stream)));
    expect(await other.head()).to.equal(appended.position);
    await other.close();
  },

  'answers all appends when it closes, ends subscriptions, and serves nothing afterwards': async (_store, { open }) => {
    const store = await open();
    const subscription = deliveriesUntil(store.subscribe(null, ['Any'], new AbortController().signal), () => false);
    const appends = Array.from({ length: 50 }, () => store.append(newStream(), newEvents(1), 'no_stream'));
    await store.close();
    expect(await Promise.all(appends)).to.have.lengthOf(50);
    await subscription;
    const late = store.append(newStream(), newEvents(1), 'any');
    for (const refused of [late, store.head(), gathered(store.readAll(null))]) {
      expect(await failureOf(refused)).to.be.instanceOf(StoreUnavailable);
    }
  },
} satisfies Record<string, (store: EventStore, harness: EventStoreHarness) => Promise<void>>;

/** What every event store promises, by name. */
export const eventStoreLaws = { ...appendLaws, ...readLaws, ...subscriptionLaws, ...harnessLaws };

export type EventStoreLaw = keyof typeof eventStoreLaws;

/** Declares one test per law for an adapter. */
export function eventStoreContract(harness: EventStoreHarness): void {
  describe(`event store contract: ${harness.name}`, () => {
    let store: EventStore;
    before(async () => {
      store = await harness.open();
    });
    after(() => store.close());
    declareLaws(eventStoreLaws, harness.skip ?? {}, (law) => law(store, harness));
  });
}
