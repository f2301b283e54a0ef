import { expect } from 'chai';
import { laps } from '../../projections/laps.ts';
import type { LapBoardSnapshot, LapFilter } from '../../queries/leaderboards/lap-board.ts';
import type { FindOptions, StreamOptions, Where } from '../../src/kernel/ports/read-store.ts';
import { OverBudget, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { recorded, registered, scheduled, eventOn } from '../support/history/lap-events.ts';
import { recorded as numbered, type HistoryEvent } from '../support/kernel/projecting.ts';
import { boardSources, shownPage } from '../support/live/sources.ts';
import { runLive, STAYS, type RunningLive } from '../support/live/running.ts';
import { failureOf } from '../support/failure.ts';

const PAGES = 50;

describe('cached boards', () => {
  const store = memoryEventStore();
  let isAway = false;
  const readStream: typeof store.readStream = (stream, after) => {
    if (isAway) throw new StoreUnavailable('the store is away');
    return store.readStream(stream, after);
  };
  let running: RunningLive;
  const history: HistoryEvent[] = [];
  before(async () => {
    running = await runLive(store, { followed: { ...store, readStream } });
  });
  after(() => running.stop());

  async function happens(...events: readonly HistoryEvent[]): Promise<void> {
    history.push(...events);
    for (const { stream, id, type, data, metadata } of numbered(history).slice(-events.length)) {
      await store.append(stream, [{ id, type, data, metadata }], 'any');
    }
    await running.projected();
  }

  /** The sources of boards, the boards that they have given, and how often all laps of an event were read. */
  function counted() {
    let reads = 0;
    const boards = new Set<LapBoardSnapshot>();
    const count = (collection: string, where: Where): void => {
      if (collection === laps.collection && Object.keys(where).join() === 'eventId') reads += 1;
    };
    const before = { ...running.models };
    const models = Object.assign(running.models, {
      find: (collection: string, query: FindOptions) => {
        count(collection, query.where);
        return before.find(collection, query);
      },
      stream: (collection: string, query: StreamOptions) => {
        count(collection, query.where);
        return before.stream(collection, query);
      },
    });
    const lapBoard = async (filter: LapFilter, asOf: number) => {
      const board = await running.live.lapBoard({ filter, asOf, turn: (work) => work(), ...STAYS });
      if (board !== null) boards.add(board);
      return board;
    };
    const isFollowed = (eventId: string): boolean => running.live.isFollowed(eventId);
    return { sources: { ...boardSources(models), lapBoard, isFollowed }, boards, reads: () => reads };
  }

  it('are computed once for any number of pages, and kept while only other events change', async () => {
    const drivers = Array.from({ length: PAGES }, (_, n) => `p${n}`);
    await happens(
      scheduled,
      eventOn('event-other', scheduled.type, scheduled.data),
      ...drivers.map((id) => registered(id, id)),
      ...drivers.map((participantId, n) => recorded(`${n}`, [n + 1], { participantId, valid: n % 2 === 0 })),
    );
    const { sources, boards, reads } = counted();
    const pageOf = (page: number) => shownPage({ eventId: 'cup', validOnly: false, page, size: 1 }, sources);
    const shown = async () =>
      Promise.all(drivers.map(async (_, n) => (await pageOf(n))?.rows.map((row) => row.participantId)));
    expect(await shown()).to.deep.equal(drivers.map((id) => [id]));
    expect([boards.size, reads()]).to.deep.equal([1, 1]);
    await happens(recorded('elsewhere', [1], { eventId: 'other', participantId: 'p1' }));
    await shown();
    expect([boards.size, reads()]).to.deep.equal([1, 1]);
    await happens(eventOn('lap-0', 'LapCorrected', { sectors: [99], totalTime: 99 }));
    expect(await shown()).to.deep.equal([...drivers.slice(1), 'p0'].map((id) => [id]));
    expect([boards.size, reads()]).to.deep.equal([2, 1]);
  });

  it('are computed when the store answers again after it failed earlier readers', async () => {
    const filter = { eventId: 'cup', trackLayoutId: 't', validOnly: true, cars: new Set(['none']) };
    const made = (): Promise<unknown> =>
      running.live.lapBoard({ filter, asOf: Infinity, turn: (work) => work(), ...STAYS });
    isAway = true;
    expect(await failureOf(made())).to.be.instanceOf(StoreUnavailable);
    isAway = false;
    expect(await made()).to.include({ total: 0 });
  });

  it('differ for different times, and are the same for the same time', async () => {
    const { sources, boards } = counted();
    const totalAt = async (asOf: string) => {
      const page = await shownPage({ eventId: 'cup', validOnly: false, asOf, page: 0, size: 1 }, sources);
      return page?.total;
    };
    const [, , ...events] = numbered(history);
    const [first = '', second = ''] = events
      .filter(({ type }) => type === 'LapRecorded')
      .map(({ metadata }) => metadata.occurredAt);
    expect([await totalAt(first), await totalAt(second), await totalAt(first)]).to.deep.equal([1, 2, 1]);
    expect(boards.size).to.equal(2);
  });

  it('of a car are built from its laps at first, and from all laps of the event when requested again', async () => {
    const season = eventOn('event-season', scheduled.type, scheduled.data);
    const ofCar = ['a', 'b', 'c'].map((id, n) =>
      recorded(id, [n + 1], { eventId: 'season', participantId: id, carId: n < 2 ? 'kart' : 'truck' }),
    );
    await happens(season, ...ofCar, eventOn('lap-a', 'LapReassigned', { from: 'a', to: 'c' }));
    const { sources, reads } = counted();
    const asked = { eventId: 'season', carId: 'kart', validOnly: true, page: 0, size: 10 };
    const first = await shownPage(asked, sources);
    expect([reads(), first?.rows.map((row) => row.participantId)]).to.deep.equal([0, ['c', 'b']]);
    expect(await shownPage(asked, sources)).to.deep.equal(first);
    expect(reads()).to.equal(1);
    const tooMany = { ...sources, lapBoard: () => Promise.reject(new OverBudget(1)) };
    expect(await shownPage(asked, tooMany)).to.deep.equal(first);
    const ofAll = shownPage({ ...asked, carId: undefined, validOnly: false }, tooMany);
    expect(await failureOf(ofAll)).to.be.instanceOf(OverBudget);
    const stream = (collection: string, query: StreamOptions) => {
      if ('car' in query.where) throw new OverBudget(1);
      return running.models.stream(collection, query);
    };
    const ofMany = { ...sources, models: { ...running.models, stream }, isFollowed: () => false };
    expect(await shownPage(asked, ofMany)).to.deep.equal(first);
  });
});
