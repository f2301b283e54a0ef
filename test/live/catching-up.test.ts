import { expect } from 'chai';
import { NEAR_CHANGES } from '../../src/service/live/subscriptions.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { FairTurns } from '../../src/service/http/fair-turns.ts';
import { createCheckpointNotifier } from '../../src/kernel/projection/checkpoint-waiter.ts';
import { failureOf } from '../support/failure.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { recorded, registered, scheduled, scheduledAs } from '../support/history/lap-events.ts';
import { manualClock, type ManualClock } from '../support/kernel/manual-clock.ts';
import type { HistoryEvent } from '../support/kernel/projecting.ts';
import {
  changesIn,
  countedUsage,
  quiet,
  requestOf,
  runLive,
  STAYS,
  type CountedUsage,
  type RunningLive,
  type Watcher,
  type Watching,
} from '../support/live/running.ts';

/** Laps of the event: more than a returning reader gets beside others. */
const LAPS = NEAR_CHANGES + 500;

describe('readers of live boards who come back', () => {
  let clock: ManualClock;
  let store: EventStore;
  let running: RunningLive;
  let usage: CountedUsage;
  /** Places of replays that are taken, and how many there are. */
  const places = { taken: 0, most: Infinity };

  const happens = async (...events: readonly HistoryEvent[]): Promise<void> => {
    const occurredAt = new Date(clock.now()).toISOString();
    const metadata = { version: 1, occurredAt, commandId: 'c', correlationId: 'c' };
    for (const { stream, type, data } of events) {
      await store.append(stream, [{ id: `${stream}-${type}`, type, data, metadata }], 'any');
    }
    await running.projected();
  };
  const replays = {
    take: () => {
      if (places.taken >= places.most) throw new Error('no place is left');
      places.taken += 1;
      return () => {
        places.taken -= 1;
      };
    },
  };
  const watch = (others: Watching = {}): Promise<Watcher> =>
    running.watch(requestOf('cup', others), running.live, { ...STAYS, usage, replays });
  const head = async (): Promise<number> => (await store.head()) ?? 0;
  /** Lets everything go on until a reader has as many changes. */
  const comesTo = async (reader: Watcher, changes: number): Promise<void> => {
    while (changesIn(reader.events).length < changes) {
      clock.pass(10);
      await quiet();
    }
  };
  const charged = async (work: () => Promise<unknown>): Promise<CountedUsage['charged']> => {
    const before = { ...usage.charged };
    await work();
    const { documents, bytes, sent } = usage.charged;
    return { documents: documents - before.documents, bytes: bytes - before.bytes, sent: sent - before.sent };
  };

  beforeEach(async () => {
    Object.assign(places, { taken: 0, most: Infinity });
    usage = countedUsage();
    clock = manualClock();
    store = memoryEventStore();
    running = await runLive(store, { clock });
    await happens(registered('ada', 'Ada'), scheduled);
    await happens(...Array.from({ length: LAPS }, (_, n) => recorded(`${n}`, [30_000 + n, 30_000])));
  }).timeout(60_000);

  afterEach(() => running.stop());

  it('after long are sent a replay, which takes a place until they have caught up, and is charged', async () => {
    (await watch()).end();
    let reader: Watcher | undefined;
    const sent = await charged(async () => {
      reader = await watch({ after: 1 });
      expect(places.taken).to.equal(1);
      await comesTo(reader, LAPS);
    });
    await quiet();
    expect(places.taken, 'the place is free again').to.equal(0);
    expect(sent.documents, 'each change').to.be.at.least(LAPS / 10);
    const bytes = Buffer.byteLength(JSON.stringify(reader?.events));
    expect(sent.bytes, 'each byte').to.be.within(bytes / 2, bytes);
    await happens(recorded('next', [29_000, 30_000]));
    await quiet();
    expect(changesIn(reader?.events ?? [])).to.have.length(LAPS + 1);
    reader?.end();
  });

  it('after a moment need no place, and are charged for what they are sent', async () => {
    const stays = await watch();
    places.most = 0;
    const after = await head();
    await happens(...Array.from({ length: 20 }, (_, n) => recorded(`late-${n}`, [29_000, 30_000 - n])));
    await quiet();
    const sent = await charged(async () => {
      const reader = await watch({ after });
      await comesTo(reader, 20);
      reader.end();
    });
    expect(sent.bytes).to.be.above(20 * 300);
    expect(sent.documents, 'the board of then').to.be.at.least(LAPS / 50);
    stays.end();
  });

  it('after a moment do not wait for those who were away for long', async () => {
    const stays = await watch();
    const far = await watch({ after: 1 });
    far.waiting = 10_000_000;
    const resting = await watch({ after: 1 });
    usage.rests = 10_000;
    await quiet();
    const near = await watch({ after: (await head()) - 3 });
    await comesTo(near, 3);
    expect(changesIn(far.events).length).to.be.below(LAPS);
    for (const reader of [stays, far, resting, near]) reader.end();
    expect(places.taken).to.equal(0);
  });

  it('are refused once the share is used up, or no place is left; readers of the board only are not', async () => {
    const stays = await watch();
    places.most = 0;
    expect(await failureOf(watch({ after: 1 }))).to.include({ message: 'no place is left' });
    places.most = Infinity;
    usage.isUsedUp = true;
    for (const after of [1, (await head()) - 3]) {
      expect(await failureOf(watch({ after }))).to.include({ message: 'used up' });
    }
    expect(places.taken).to.equal(0);
    (await watch()).end();
    (await watch({ after: await head() })).end();
    stays.end();
  });

  it('at an old position are sent no more than their address may receive', async () => {
    const reader = await watch({ after: 1 });
    usage.rests = 5_000;
    await quiet();
    const before = changesIn(reader.events).length;
    clock.pass(4_999);
    await quiet();
    expect(changesIn(reader.events)).to.have.length(before).and.to.have.length.below(LAPS);
    usage.rests = 0;
    await comesTo(reader, LAPS);
    reader.end();
  });

  it('get a heartbeat every 5 s while they catch up, and every 15 s from then on', async () => {
    await happens(scheduledAs('other'));
    const reader = await watch({ replay: { from: clock.now() - 1, speed: 1 }, delayMs: 3_600_000 });
    const signs = (): number => reader.events.filter(({ event }) => event === 'heartbeat').length;
    for (let second = 0; second < 20; second += 1) {
      clock.pass(1_000);
      await quiet();
    }
    expect(places.taken).to.equal(0);
    expect(signs(), 'nothing is left of the past').to.be.below(4);
    reader.end();
    const replay = await watch({ after: 1, replay: { from: clock.now() + 100_000, speed: 1 } });
    usage.rests = 10_000;
    const before = replay.events.filter(({ event }) => event === 'heartbeat').length;
    for (let second = 0; second < 20; second += 1) {
      clock.pass(1_000);
      await quiet();
    }
    expect(replay.events.filter(({ event }) => event === 'heartbeat').length - before).to.be.within(4, 6);
    replay.end();
  });

  it('are charged for each change of a board with few readers', async () => {
    const reader = await watch({ carId: 'car' });
    const sent = await charged(async () => {
      await happens(...Array.from({ length: 20 }, (_, n) => recorded(`late-${n}`, [29_000, 30_000 - n])));
      await comesTo(reader, 21);
    });
    expect(sent.documents).to.be.at.least(2);
    expect(sent.bytes).to.be.above(20 * 300);
    reader.end();
  });

  it('are charged for the laps that are read for them, and other readers at the same time are not', async () => {
    const live = running.another();
    const others = countedUsage();
    const sent = await charged(async () => {
      const request = requestOf('cup');
      const both = [usage, others].map((its) => running.watch(request, live, { ...STAYS, usage: its }));
      for (const reader of await Promise.all(both)) reader.end();
    });
    expect(sent.documents).to.be.at.least(LAPS);
    expect(others.charged.documents).to.equal(0);
    usage.isUsedUp = true;
    expect(await failureOf(running.watch(requestOf('cup'), running.another(), { ...STAYS, usage }))).to.include({
      message: 'used up',
    });
  });
}).timeout(120_000);

describe('boards that wait for the read models', () => {
  it('delay no other board', async () => {
    const clock = manualClock();
    const store = memoryEventStore();
    const failures: unknown[] = [];
    const running = await runLive(store, { clock, onError: (error) => failures.push(error) });
    const happens = async (...events: readonly HistoryEvent[]): Promise<void> => {
      const metadata = { version: 1, occurredAt: new Date(0).toISOString(), commandId: 'c', correlationId: 'c' };
      for (const { stream, type, data } of events)
        await store.append(stream, [{ id: `${stream}-${type}`, type, data, metadata }], 'any');
    };
    await happens(registered('ada', 'Ada'), scheduled, scheduledAs('other'));
    await happens(recorded('a', [30, 30]), recorded('b', [30, 30], { eventId: 'other' }));
    await running.projected();
    const errors: unknown[] = [];
    const waiter = createCheckpointNotifier(clock, await store.head());
    const live = running.another(new FairTurns(), waiter);
    const stays = [await running.watch(requestOf('cup'), live), await running.watch(requestOf('other'), live)];
    await quiet();
    await happens(recorded('c', [29, 30]));
    await quiet();
    // The read models never have the newest lap of this event, as far as these boards know.
    const behind = ['car', 'x'].map((_, n) =>
      running.watch(requestOf('cup', { delayMs: n + 1 }), live).catch((error: unknown) => errors.push(error)),
    );
    await quiet();
    const other = await running.watch(requestOf('other', { delayMs: 5 }), live);
    expect(other.events.map(({ event }) => event)).to.include('board');
    expect(errors).to.have.length(0);
    // Both give up at the same time, not one after the other.
    clock.pass(5_000);
    await quiet();
    await Promise.all(behind);
    expect(errors).to.have.length(2);
    for (const error of [...errors, ...failures]) expect(error).to.be.an.instanceOf(StoreUnavailable);
    for (const reader of [...stays, other]) reader.end();
    await running.stop();
  });
});
