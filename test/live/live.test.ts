import { expect } from 'chai';
import { z } from 'zod';
import { StoreUnavailable } from '../../src/service/kernel/ports/errors.ts';
import type { EventStore } from '../../src/service/kernel/ports/event-store.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { recorded, registered, scheduled, told } from '../support/history/lap-events.ts';
import { manualClock, type ManualClock } from '../support/kernel/manual-clock.ts';
import type { HistoryEvent } from '../support/kernel/projecting.ts';
import { ClientBoard, type LiveEvent } from '../support/live/events.ts';
import { changesIn, quiet, requestOf, runLive, STAYS, Watcher, type RunningLive } from '../support/live/running.ts';

const EVENING = Date.UTC(2026, 4, 1, 18);
const at = (second: number): string => new Date(EVENING + second * 1_000).toISOString();

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
  const watch = (others: Parameters<typeof requestOf>[1] = {}): Promise<Watcher> =>
    running.watch(requestOf('cup', others));

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

  it('continue a replay where its reader has left it', async () => {
    const positions: number[] = [];
    for (const [n, id] of ['a', 'b', 'c'].entries()) positions.push(await drives(10 * (n + 1), id, [30 - n, 30]));
    await setTo(1_000);
    const reader = await watch({ replay: { from: EVENING, speed: 1 }, after: positions[1] ?? 0 });
    await setTo(1_009.999);
    expect(shownTo(reader)).to.deep.equal([]);
    await setTo(1_010);
    expect(shownTo(reader)).to.deep.equal(['c']);
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

  it('replay nothing more while their reader does not take what was sent', async () => {
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

  it('send that a lap has left, with the rows that move up', async () => {
    await drives(1, 'a', [30, 30]);
    await drives(2, 'b', [31, 31], { participantId: 'niki' });
    const reader = await watch();
    await happens(3, told('event-other', scheduled.type, scheduled.data));
    await happens(4, told('lap-a', 'LapMovedToEvent', { from: 'cup', to: 'other' }));
    const change = changesIn(reader.events).at(-1);
    expect(change?.map(({ event, data }) => ({ event, data }))).to.containSubset([
      { event: 'lap', data: { left: true, cause: 'LapMovedToEvent', lap: { lapId: 'a' } } },
      {
        event: 'rows',
        data: {
          rows: [
            { participantId: 'niki', position: 1, gapToLeader: null, gapToNext: null },
            { participantId: 'ada', position: null },
          ],
        },
      },
      {
        event: 'heads',
        data: { bestSectors: [{ participantId: 'niki', time: 31 }, { time: 31 }], theoreticalBest: 62 },
      },
    ]);
    await happens(5, told('lap-a', 'LapMovedToEvent', { from: 'other', to: 'cup' }));
    expect(boardOf(reader.events).rows.map(bestLapId)).to.deep.equal(['a', 'b']);
    const fresh = await watch();
    expect(boardOf(reader.events).rows).to.deep.equal(boardOf(fresh.events).rows);
  });

  it('send only the changes that an ordinary lap makes', async () => {
    await drives(1, 'a', [30, 30]);
    const reader = await watch();
    await drives(2, 'b', [31, 31]);
    const [, rows] = changesIn(reader.events).at(-1) ?? [];
    const lastLap = { lapId: 'b', totalTime: 62, valid: true, drivenAt: at(2) };
    expect(rows?.data).to.deep.equal({ rows: [{ participantId: 'ada', lastLap, laps: 2, validLaps: 2 }] });
  });

  it('show present names, and a new one at once', async () => {
    await drives(1, 'a', [30, 30]);
    const reader = await watch();
    await happens(2, told('participant-ada', 'ParticipantRenamed', { firstName: 'Augusta', lastName: 'King' }));
    expect(
      changesIn(reader.events)
        .at(-1)
        ?.map(({ event }) => event),
    ).to.deep.equal(['rows', 'heads']);
    expect(boardOf(reader.events).rows[0]).to.include({ participantName: 'Augusta King' });
    await happens(3, registered('tazio', 'Tazio'));
    await drives(4, 'b', [31, 31], { participantId: 'tazio' });
    expect(boardOf(reader.events).rows[1]).to.include({ participantName: 'Tazio Racer' });
  });

  it('send the whole board again when it is another one: on another layout, or of another class', async () => {
    const reader = await watch();
    await happens(1, told('event-cup', 'EventTrackLayoutsChanged', { trackLayoutIds: ['monza', 'spa'] }));
    await drives(2, 'a', [30, 30], { trackId: 'monza' });
    expect(shownTo(reader)).to.deep.equal(['board', 'board', 'a']);
    expect(boardOf(reader.events).head).to.include({ trackLayoutId: 'monza' });
  });

  it('send the whole board again when a car or the layout has another name, also to returning readers', async () => {
    const car = { brandId: 'b', modelName: '911', carClassId: 'gt3', enabled: true };
    await happens(1, told('car-car', 'CarAdded', car));
    const position = await drives(2, 'a', [30, 30]);
    const reader = await watch();
    await happens(3, told('car-car', 'CarRenamed', { modelName: '992' }));
    await happens(4, told('car-other', 'CarAdded', car));
    await happens(5, told('car-other', 'CarRenamed', { modelName: '718' }));
    expect(shownTo(reader)).to.deep.equal(['board', 'board']);
    expect(boardOf(reader.events).rows).to.containSubset([{ bestLap: { carDisplayName: '992' } }]);
    const again = await running.watch(requestOf('cup', { after: position }), running.another());
    await quiet();
    expect(again.events).to.deep.equal(reader.events.slice(1));
  });

  it('show the maker that a car has now, also to returning readers', async () => {
    const maker = (id: string, displayName: string): HistoryEvent =>
      told(`carBrand-${id}`, 'CarBrandAdded', {
        ...{ displayName, slug: id, logo: '', svg: false, country: 'DEU', enabled: true },
      });
    const renamed = (id: string, displayName: string) => told(`carBrand-${id}`, 'CarBrandRenamed', { displayName });
    for (const id of ['p', 'q', 'r']) await happens(0, maker(id, id.toUpperCase()));
    const car = { brandId: 'p', modelName: '911', carClassId: 'gt3', enabled: true };
    const makerOn = ({ events }: Watcher) =>
      z.object({ bestLap: z.object({ carBrandDisplayName: z.string() }) }).parse(boardOf(events).rows[0]).bestLap
        .carBrandDisplayName;
    await happens(1, told('car-car', 'CarAdded', car));
    const position = await drives(2, 'a', [30, 30]);
    const reader = await watch();
    expect(makerOn(reader)).to.equal('P');
    await happens(3, renamed('p', 'P2'));
    expect(makerOn(reader)).to.equal('P2');
    await happens(4, renamed('r', 'R2'));
    expect(shownTo(reader)).to.deep.equal(['board', 'board']);
    await happens(5, told('car-car', 'CarMovedToBrand', { from: 'p', to: 'r' }));
    expect(makerOn(reader)).to.equal('R2');
    await happens(6, renamed('p', 'P3'));
    await drives(7, 'b', [29, 30]);
    expect(shownTo(reader)).to.deep.equal(['board', 'board', 'board', 'b']);
    expect(makerOn(reader)).to.equal('R2');
    expect(Object(changesIn(reader.events).at(-1)?.[0]?.data)).to.containSubset({ lap: { carBrandDisplayName: 'R2' } });
    reader.end();
    await happens(8, renamed('r', 'R3'));
    expect(makerOn(await watch()), 'on a board that was kept').to.equal('R3');
    const again = await running.watch(requestOf('cup', { after: position }), running.another());
    await quiet();
    expect([makerOn(again), shownTo(again)]).to.deep.equal(['R3', ['board', 'board', 'b', 'board']]);
  });

  it('send the whole board to readers who return after a car has changed its class', async () => {
    const [carId, carClassId] = ['car', 'gt3'];
    const car = { brandId: 'b', modelName: '911', carClassId, enabled: true };
    await happens(0, told('car-other', 'CarAdded', car));
    await happens(0, told('event-cup', 'EventCarsChanged', { carIds: [carId, 'other'] }));
    const before = await happens(1, told(`car-${carId}`, 'CarAdded', car));
    const reader = await watch({ carClassId });
    await drives(2, 'a', [30, 30]);
    const late = await watch({ carClassId, after: before });
    await quiet();
    expect(shownTo(late)).to.deep.equal(['a']);
    await happens(3, told(`car-${carId}`, 'CarMovedToClass', { from: carClassId, to: 'gt4' }));
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

  it('let a returning reader take what was sent before they send more', async () => {
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
