import { expect } from 'chai';
import { z } from 'zod';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { recorded, registered, scheduled, eventOn } from '../support/history/lap-events.ts';
import { manualClock, type ManualClock } from '../support/kernel/manual-clock.ts';
import type { HistoryEvent } from '../support/kernel/projecting.ts';
import { ClientBoard, type LiveEvent } from '../support/live/events.ts';
import {
  changesIn,
  quiet,
  requestOf,
  runLive,
  STAYS,
  Watcher,
  type RunningLive,
  type Watching,
} from '../support/live/running.ts';

const EVENING = Date.UTC(2026, 4, 1, 18);
const at = (second: number): string => new Date(EVENING + second * 1_000).toISOString();

// What live boards show after each change, and send to whoever returns, is compared with plain boards in
// `histories.test.ts`.
describe('live boards', () => {
  let clock: ManualClock;
  let store: EventStore;
  let running: RunningLive;

  /** Something happens, so many seconds into the evening. */
  const happens = async (second: number, { stream, type, data }: HistoryEvent): Promise<number> => {
    const metadata = { version: 1, occurredAt: at(second), commandId: 'c', correlationId: 'c' };
    const { position } = await store.append(stream, [{ id: `${second}`, type, data, metadata }], 'any');
    await running.projected();
    await quiet();
    return position;
  };
  const drives = (second: number, ...lap: Parameters<typeof recorded>): Promise<number> =>
    happens(second, recorded(...lap));
  const setTo = (second: number): Promise<void> => {
    clock.pass(EVENING + second * 1_000 - clock.now());
    return quiet();
  };
  /** The lap of each change, `board` for a whole one. */
  const shownTo = ({ events }: Watcher): readonly unknown[] =>
    changesIn(events).map(([first]) => (first?.event === 'board' ? 'board' : lapIn(first)));
  const watch = (others: Watching = {}): Promise<Watcher> => running.watch(requestOf('cup', others));

  beforeEach(async () => {
    clock = manualClock();
    await setTo(0);
    store = memoryEventStore();
    running = await runLive(store, { clock });
    for (const event of [registered('ada', 'Ada'), registered('niki', 'Niki'), scheduled]) await happens(0, event);
  });

  afterEach(async () => {
    await running.stop();
  });

  it('delay everything as requested, the first board too', async () => {
    await drives(10, 'a', [30, 30]);
    await drives(20, 'b', [29, 30]);
    await setTo(45);
    const reader = await watch({ delayMs: 30_000 });
    expect(shownTo(reader)).to.deep.equal(['board']);
    expect(boardOf(reader.events).rows.map(bestLapId)).to.deep.equal(['a']);
    await setTo(49.999);
    expect(shownTo(reader)).to.deep.equal(['board']);
    await setTo(50);
    expect(shownTo(reader)).to.deep.equal(['board', 'b']);
    await setTo(60);
    await drives(60, 'c', [28, 30]);
    await setTo(89.999);
    expect(shownTo(reader)).to.deep.equal(['board', 'b']);
    await setTo(90);
    expect(shownTo(reader)).to.deep.equal(['board', 'b', 'c']);
  });

  it('replay an evening at the requested speed, and continue live at its end', async () => {
    for (const [n, id] of ['a', 'b', 'c', 'd'].entries()) await drives(10 * (n + 1), id, [30 - n, 30]);
    await setTo(1_000);
    const reader = await watch({ replay: { from: EVENING + 15_000, speed: 10 } });
    expect(shownTo(reader)).to.deep.equal(['board']);
    expect(boardOf(reader.events).rows.map(bestLapId)).to.deep.equal(['a']);
    const seen: unknown[] = [];
    for (const second of [1_000.499, 1_000.5, 1_001.499, 1_001.5, 1_002.499, 1_002.5]) {
      await setTo(second);
      seen.push(shownTo(reader).length);
    }
    expect(seen).to.deep.equal([1, 2, 2, 3, 3, 4]);
    await drives(1_003, 'e', [20, 30]);
    expect(shownTo(reader)).to.deep.equal(['board', 'b', 'c', 'd', 'e']);
  });

  it('show the board as of the start of a replay, however soon the next lap came', async () => {
    await drives(10, 'a', [30, 30]);
    await drives(10.001, 'b', [29, 30]);
    await setTo(1_000);
    const subscription = await running.live.watch(
      requestOf('cup', { replay: { from: EVENING + 10_000, speed: 60 } }),
      STAYS,
    );
    clock.pass(10);
    await quiet();
    const reader = new Watcher();
    subscription?.start(reader);
    await quiet();
    expect(shownTo(reader)).to.deep.equal(['board', 'b']);
    subscription?.end();
  });

  it('continue a replay where its reader left it', async () => {
    const positions: number[] = [];
    for (const [n, id] of ['a', 'b', 'c'].entries()) positions.push(await drives(10 * (n + 1), id, [30 - n, 30]));
    await setTo(1_000);
    const reader = await watch({ replay: { from: EVENING, speed: 1 }, after: positions[1] ?? 0 });
    await setTo(1_009.999);
    expect(shownTo(reader)).to.deep.equal([]);
    await setTo(1_010);
    expect(shownTo(reader)).to.deep.equal(['c']);
  });

  it('continue a replay at the time of the last event shown, even if a slow clock recorded it', async () => {
    await drives(10, 'a', [30, 30]);
    const after = await drives(8, 'b', [29, 30]);
    await drives(13, 'c', [28, 30]);
    await setTo(1_000);
    const reader = await watch({ replay: { from: EVENING, speed: 1 }, after });
    await setTo(1_002.999);
    expect(shownTo(reader)).to.deep.equal([]);
    await setTo(1_003);
    expect(shownTo(reader)).to.deep.equal(['c']);
  });

  it('replay events recorded by clocks 2 s apart in the order of the log, without a halt and none early', async () => {
    for (const [second, id] of [
      [10, 'a'],
      [8, 'b'],
      [11, 'c'],
      [9, 'd'],
      [14, 'e'],
    ] as const)
      await drives(second, id, [30, 30]);
    await setTo(1_000);
    const reader = await watch({ replay: { from: EVENING + 9_000, speed: 1 } });
    const seen: number[] = [];
    for (const second of [1_000, 1_000.999, 1_001, 1_001.999, 1_002, 1_004.999, 1_005]) {
      await setTo(second);
      seen.push(shownTo(reader).length - 1);
    }
    expect(seen).to.deep.equal([0, 0, 2, 2, 4, 4, 5]);
    expect(shownTo(reader).slice(1)).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
  });

  it('delay by one clock: a node 2 s behind shows no lap early, and a node ahead delays no others', async () => {
    await setTo(100);
    const reader = await watch({ delayMs: 10_000 });
    await setTo(101);
    await drives(99, 'behind', [30, 30]);
    await setTo(102);
    await drives(104, 'ahead', [29, 30]);
    await setTo(102.5);
    await drives(102.5, 'c', [28, 30]);
    const seen: number[] = [];
    for (const second of [110.999, 111, 111.999, 112, 112.499, 112.5]) {
      await setTo(second);
      seen.push(shownTo(reader).length - 1);
    }
    expect(seen).to.deep.equal([0, 1, 1, 2, 2, 3]);
  });

  it('delay earlier events by their recorded time, which never decreases along the log', async () => {
    await drives(101, 'a', [30, 30]);
    await drives(99, 'b', [29, 30]);
    await drives(104, 'ahead', [28, 30]);
    await setTo(103);
    const reader = await watch({ delayMs: 10_000 });
    const seen: number[] = [];
    for (const second of [110.999, 111, 112.999, 113]) {
      await setTo(second);
      seen.push(shownTo(reader).length - 1);
    }
    expect(seen).to.deep.equal([0, 2, 2, 3]);
  });

  it('delay by the time that passes, even if the clock is set', async () => {
    await setTo(100);
    const reader = await watch({ delayMs: 10_000 });
    clock.set(3_600_000);
    await drives(3_700, 'a', [30, 30]);
    clock.set(-3_600_000);
    await setTo(109.999);
    expect(shownTo(reader)).to.deep.equal(['board']);
    await setTo(110);
    expect(shownTo(reader)).to.deep.equal(['board', 'a']);
  });

  it('delay a replay, too', async () => {
    await drives(10, 'a', [30, 30]);
    await drives(20, 'b', [29, 30]);
    await setTo(40);
    const reader = await watch({ replay: { from: EVENING, speed: 60 }, delayMs: 25_000 });
    await setTo(44.999);
    expect(shownTo(reader)).to.deep.equal(['board', 'a']);
    await setTo(45);
    expect(shownTo(reader)).to.deep.equal(['board', 'a', 'b']);
  });

  it('replay nothing more while their reader does not read what was sent', async () => {
    for (const [n, id] of ['a', 'b', 'c', 'd'].entries()) await drives(10 * (n + 1), id, [30 - n, 30]);
    await setTo(1_000);
    const reader = await watch({ replay: { from: EVENING, speed: 1 } });
    await setTo(1_010);
    reader.waiting = 2_000_000;
    await setTo(1_020);
    await setTo(1_040);
    expect(shownTo(reader)).to.deep.equal(['board', 'a']);
    reader.waiting = 0;
    reader.taken();
    await quiet();
    expect(shownTo(reader)).to.deep.equal(['board', 'a', 'b', 'c', 'd']);
  });

  it('send only the changes that an ordinary lap makes', async () => {
    await drives(1, 'a', [30, 30]);
    const reader = await watch();
    await drives(2, 'b', [31, 31]);
    const [, rows] = changesIn(reader.events).at(-1) ?? [];
    const lastLap = { lapId: 'b', totalTime: 62, valid: true, drivenAt: at(2) };
    expect(rows?.data).to.deep.equal({ rows: [{ participantId: 'ada', lastLap, laps: 2, validLaps: 2 }] });
  });

  it('name the car of the lap that a row falls back on', async () => {
    const car = { brandId: 'b', modelName: '718', carClassId: 'gt4', enabled: true };
    await happens(0, eventOn('car-other', 'CarAdded', car));
    await drives(1, 'a', [31, 31], { carId: 'other' });
    await drives(2, 'b', [30, 30]);
    const reader = await watch();
    await happens(3, eventOn('lap-b', 'LapInvalidated'));
    expect(boardOf(reader.events).rows).to.containSubset([{ bestLap: { lapId: 'a', carDisplayName: '718' } }]);
  });

  it('send the best sectors of all rows when the fastest lap has another number of sectors, and keeps its time', async () => {
    await drives(1, 'a', [30, 30]);
    await drives(2, 'b', [31, 31], { participantId: 'bob' });
    const reader = await watch();
    await happens(3, eventOn('lap-a', 'LapCorrected', { sectors: [20, 20, 20], totalTime: 60 }));
    const bests = boardOf(reader.events).rows.map((row) => 'bestSectors' in row && row.bestSectors);
    expect(bests).to.deep.equal([[20, 20, 20], []]);
  });

  it('follow the shortest lap of a layout that the event no longer lists', async () => {
    const reader = await watch({ trackLayoutId: 'spa' });
    await happens(1, eventOn('event-cup', 'EventTrackLayoutsChanged', { trackLayoutIds: ['monza'] }));
    await happens(2, eventOn('trackLayout-spa', 'TrackLayoutMinLapTimeChanged', { minLapTime: 60 }));
    await drives(3, 'a', [20, 20]);
    expect(boardOf(reader.events).rows).to.deep.equal([]);
  });

  it('send the whole board to readers who return after a car has changed its class', async () => {
    const carId = 'car';
    const carClassId = 'gt3';
    const car = { brandId: 'b', modelName: '911', carClassId, enabled: true };
    await happens(0, eventOn('car-other', 'CarAdded', car));
    await happens(0, eventOn('event-cup', 'EventCarsChanged', { carIds: [carId, 'other'] }));
    const before = await happens(1, eventOn(`car-${carId}`, 'CarAdded', car));
    const reader = await watch({ carClassId });
    await drives(2, 'a', [30, 30]);
    const late = await watch({ carClassId, after: before });
    await quiet();
    expect(shownTo(late)).to.deep.equal(['a']);
    await happens(3, eventOn(`car-${carId}`, 'CarMovedToClass', { from: carClassId, to: 'gt4' }));
    expect(shownTo(reader)).to.deep.equal(['board', 'a', 'board']);
    expect(boardOf(reader.events).rows).to.deep.equal([]);
    const again = await watch({ carClassId, after: before });
    expect(shownTo(again)).to.deep.equal(['board']);
    expect(boardOf(again.events).rows).to.deep.equal([]);
  });

  it('send the whole board to readers with a position that this log does not have', async () => {
    await drives(1, 'a', [30, 30]);
    expect(shownTo(await watch({ after: 1_000 }))).to.deep.equal(['board']);
  });

  it('continue at the id of each change, also after its events were read again', async () => {
    const reader = await watch();
    await drives(1, 'a', [30, 30]);
    await happens(2, eventOn('participant-ada', 'ParticipantRenamed', { firstName: 'Ayrton', lastName: 'Racer' }));
    await happens(3, eventOn('lap-a', 'LapInvalidated'));
    await happens(4, eventOn('event-cup', 'EventRenamed', { name: 'Trophy' }));
    await drives(5, 'b', [31, 30]);
    const changes = changesIn(reader.events);
    expect(changes).to.have.length(6);
    for (const live of [running.live, running.another()]) {
      for (const [n, change] of changes.entries()) {
        const returning = await running.watch(requestOf('cup', { after: change.at(-1)?.lastEventId ?? null }), live);
        await quiet();
        // Names are today's.
        const ids = changesIn(returning.events).map((change) => change.at(-1)?.lastEventId);
        expect(ids, `after ${n}`).to.deep.equal(changes.slice(n + 1).map((change) => change.at(-1)?.lastEventId));
        returning.end();
      }
    }
  });

  it('send the whole board to readers with an id of another history, even if it has a change at that position', async () => {
    const after = await drives(1, 'a', [30, 30]);
    await drives(2, 'b', [31, 30]);
    const reader = await watch();
    await drives(3, 'c', [32, 30]);
    const own = changesIn(reader.events).at(-1)?.at(-1)?.lastEventId ?? '';
    expect(own).to.match(/^\d+-[0-9a-z]+$/);
    const mark = own.split('-')[1] ?? '';
    expect(shownTo(await watch({ after: `${after}-${mark}` }))).to.deep.equal(['board']);
    expect(shownTo(await watch({ after: `${after - 1}-${mark}` }))).to.deep.equal(['board']);
    const plain = await watch({ after });
    await quiet();
    expect(shownTo(plain)).to.deep.equal(['b', 'c']);
  });

  it('wait for a position that another node has sent, and then check its history', async () => {
    await drives(1, 'a', [30, 30]);
    const reader = await watch();
    await drives(2, 'b', [31, 30]);
    const id = changesIn(reader.events).at(-1)?.at(-1)?.lastEventId ?? '';
    const behind = breakable(store);
    await running.stop();
    const errors: unknown[] = [];
    running = await runLive(store, { clock, followed: behind, onError: (error) => errors.push(error) });
    const stays = await watch();
    behind.breakOff();
    await drives(3, 'c', [32, 30]);
    const newest = (await store.head()) ?? 0;
    const coming = watch({ after: `${newest}-0` });
    await quiet();
    behind.mend();
    for (let n = 0; n < 20; n += 1) {
      clock.pass(200);
      await quiet();
    }
    expect(shownTo(await coming)[0], 'it is of another history').to.equal('board');
    const returning = await watch({ after: id });
    await quiet();
    expect(shownTo(returning), 'its own').to.deep.equal(['c']);
    stays.end();
  });

  it('send heartbeats that say how far they are behind', async () => {
    const reader = await watch();
    await setTo(14);
    expect(reader.events.map(({ event }) => event)).to.deep.equal(['board', 'heartbeat']);
    await setTo(30);
    expect(reader.events.slice(1)).to.deep.equal([
      { event: 'heartbeat', id: null, retry: null, data: { now: at(0), behindMs: 0 } },
      { event: 'heartbeat', id: null, retry: null, data: { now: at(15), behindMs: 0 } },
      { event: 'heartbeat', id: null, retry: null, data: { now: at(30), behindMs: 0 } },
    ]);
  });

  it('let a returning reader read what was sent before they send more', async () => {
    for (let n = 1; n <= 5; n += 1) await drives(n, `${n}`, [30, 30 + n]);
    const reader = await watch({ after: 0, replay: null });
    reader.waiting = 2_000_000;
    await quiet();
    expect(shownTo(reader)).to.deep.equal(['1', '2', '3', '4', '5']);
    await drives(6, '6', [30, 36]);
    expect(shownTo(reader)).to.deep.equal(['1', '2', '3', '4', '5']);
    reader.waiting = 0;
    reader.taken();
    await quiet();
    expect(shownTo(reader)).to.deep.equal(['1', '2', '3', '4', '5', '6']);
  });

  it('wait for a store that is unavailable, and lose nothing', async () => {
    const broken = breakable(store);
    const errors: unknown[] = [];
    await running.stop();
    running = await runLive(store, { clock, followed: broken, onError: (error) => errors.push(error) });
    const reader = await watch();
    await drives(31, 'a', [30, 30]);
    broken.breakOff();
    await drives(32, 'b', [29, 30]);
    await setTo(61);
    expect(shownTo(reader)).to.deep.equal(['board', 'a']);
    const behind = reader.events.filter(({ event }) => event === 'heartbeat').at(-1)?.data;
    expect(Object(behind)).to.have.property('behindMs').that.is.greaterThan(0);
    broken.mend();
    await setTo(70);
    expect(shownTo(reader)).to.deep.equal(['board', 'a', 'b']);
    for (const error of errors) expect(error).to.be.an.instanceOf(StoreUnavailable);
  });
});

const OfLap = z.object({ lap: z.object({ lapId: z.string() }) }).transform(({ lap }) => lap.lapId);

function lapIn(event: LiveEvent | undefined): string {
  return OfLap.parse(event?.data);
}

const WithLap = z.object({ bestLap: z.object({ lapId: z.string() }) }).transform(({ bestLap }) => bestLap.lapId);

function bestLapId(row: object): string {
  return WithLap.parse(row);
}

function boardOf(events: readonly LiveEvent[]): ClientBoard {
  const board = new ClientBoard();
  for (const event of events) board.take(event);
  return board;
}

/** An event store whose subscriptions break off. */
function breakable(store: EventStore): EventStore & { readonly breakOff: () => void; readonly mend: () => void } {
  let isBroken = false;
  let breaking = new AbortController();
  return {
    ...store,
    async *subscribe(after, filter, signal) {
      if (isBroken) throw new StoreUnavailable('away');
      for await (const delivery of store.subscribe(after, filter, AbortSignal.any([signal, breaking.signal]))) {
        yield delivery;
      }
      if (!signal.aborted) throw new StoreUnavailable('broken off');
    },
    breakOff() {
      isBroken = true;
      breaking.abort();
      breaking = new AbortController();
    },
    mend() {
      isBroken = false;
    },
  };
}
