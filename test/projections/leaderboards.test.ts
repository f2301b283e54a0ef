import { expect } from 'chai';
import { wrongBoards, type Difference } from '../../projections/leaderboards/wrong-boards.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { markOfOrder, orderIn, sumOfMarks } from '../../projections/leaderboards/best-laps.ts';
import { eventLayouts } from '../../projections/leaderboards/gathering-laps.ts';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { ReadModels } from '../../src/kernel/ports/read-store.ts';
import { recorded, registered, scheduled, eventOn } from '../support/history/lap-events.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';
import { boardSources, shownPage } from '../support/live/sources.ts';

const people = [registered('ada', 'Ada'), registered('niki', 'Niki')];

/** A fast lap, a slow one that is best in its second sector, and one that is not valid. */
const history = [...people, recorded('1', [30, 40]), recorded('2', [50, 35]), recorded('3', [1, 1], { valid: false })];

async function boardAfter(...events: readonly HistoryEvent[]): Promise<JsonObject | null> {
  return (await givenHistory(builtInProjections, ...history, ...events)).thenDocument(leaderboards, 'cup:spa:ada');
}

const digits = (number: number): string => String(number).padStart(16, '0');

/** The rank of a lap that was recorded in a minute, by the event after as many others. */
const rank = (time: number, at: number): string => `${digits(time)} ${minute(at)} ${minute(at)} ${digits(at + 1)}`;

/** The sum of the marks of laps that were recorded in these minutes, each by the event after as many others. */
function marksOf(...minutes: readonly number[]): number {
  return minutes.reduce((sum, at) => sumOfMarks(sum, markOfOrder(orderIn(rank(0, at))), 1), 0);
}

async function wrongIn(models: ReadModels): Promise<readonly Difference[]> {
  const wrong: Difference[] = [];
  for await (const one of wrongBoards(models)) wrong.push(one);
  return wrong;
}

describe('leaderboards projection', () => {
  it('sums up the valid laps of a participant in an event', async () => {
    expect(await boardAfter()).to.deep.equal({
      id: 'cup:spa:ada',
      eventId: 'cup',
      trackId: 'spa',
      participantId: 'ada',
      participantName: 'Ada Racer',
      laps: 3,
      validLaps: 2,
      onlyCar: 'car',
      lapNumber: 1,
      orders: marksOf(2, 3, 4),
      last: {
        lapId: '3',
        totalTime: 2,
        valid: false,
        drivenAt: minute(4),
        order: `${minute(4)} ${minute(4)} ${digits(5)}`,
      },
      standing: 'ranked',
      lapId: '1',
      totalTime: 70,
      sectors: [30, 40],
      car: 'car',
      rank: rank(70, 2),
      sectorCount: 2,
      times: [30, 35],
      sector1: rank(30, 2),
      sector2: rank(35, 3),
      sector3: '~',
      sector4: '~',
      sector5: '~',
      sector6: '~',
      further: [],
      otherSectors: {},
      hasMore: false,
      _created: 3,
      _position: 5,
      _revision: 0,
    });
  });

  // What a board shows after changes of laps is compared with the plain board in
  // `test/simulation/leaderboards.test.ts`.
  it('records whether laps were driven in several cars', async () => {
    const corrected = eventOn('lap-1', 'LapCarCorrected', { from: 'car', to: 'kart' });
    expect(await boardAfter(corrected)).to.include({ car: 'kart', onlyCar: '', standing: 'ranked', _position: 6 });
  });

  it('numbers the best lap by the order of driving, whatever comes late, leaves or is corrected', async () => {
    const numberAfter = async (...events: readonly HistoryEvent[]): Promise<unknown> =>
      (await boardAfter(...events))?.['lapNumber'];
    const late = recorded('late', [20, 20], { drivenAt: minute(0) });
    expect(await numberAfter(recorded('4', [20, 20]))).to.equal(4);
    expect(await numberAfter(late)).to.equal(1);
    expect(await numberAfter(recorded('slow', [90, 90], { drivenAt: minute(0) }))).to.equal(2);
    expect(await numberAfter(late, eventOn('lap-late', 'LapDrivenAtCorrected', { to: minute(30) }))).to.equal(4);
    expect(await numberAfter(recorded('4', [20, 20]), eventOn('lap-2', 'LapReassigned', { to: 'niki' }))).to.equal(3);
    expect(await numberAfter(eventOn('lap-1', 'LapInvalidated'))).to.equal(2);
  });

  it('numbers the best lap of a driver of 500 laps, and of no more', async () => {
    const many = Array.from({ length: 498 }, (_, n) => recorded(`slow-${n}`, [90, 90]));
    const last = recorded('last', [20, 20]);
    const removed = eventOn('lap-2', 'LapReassigned', { to: 'niki' });
    const numbersAfter = async (...events: readonly HistoryEvent[]): Promise<unknown> => {
      const history = await givenHistory(builtInProjections, scheduled, ...people, ...many, ...events);
      const asked = { eventId: 'cup', validOnly: false, page: 0, size: 1 };
      const board = await shownPage(asked, boardSources(history.models));
      const stored = await history.thenDocument(leaderboards, 'cup:spa:ada');
      return [stored?.['lapNumber'], board?.rows[0]?.bestLapNumber];
    };
    expect(await numbersAfter(recorded('2', [50, 50]), last)).to.deep.equal([500, 500]);
    expect(await numbersAfter(recorded('2', [50, 50]), recorded('3', [50, 50]), last)).to.deep.equal([null, null]);
    const afterRemoval = await numbersAfter(recorded('2', [50, 50]), recorded('3', [50, 50]), last, removed);
    expect(afterRemoval).to.deep.equal([500, 500]);
  });

  it('has the best sectors of all laps, even slow ones, after a best lap is removed', async () => {
    const slow = Array.from({ length: 250 }, (_, n) => recorded(`slow-${n}`, [60, 60]));
    const split = [recorded('first', [20, 99]), recorded('second', [99, 25]), recorded('best', [10, 10])];
    const history = [...people, ...slow, ...split, eventOn('lap-best', 'LapInvalidated')];
    const { models, thenDocument } = await givenHistory(builtInProjections, ...history);
    const board = await thenDocument(leaderboards, 'cup:spa:ada');
    expect(board).to.deep.include({ times: [20, 25], totalTime: 119, validLaps: 252 });
    expect(await wrongIn(models)).to.deep.equal([]);
    const wrong = { times: [20, 60], laps: 1 };
    await models.apply(
      [{ kind: 'set', collection: 'leaderboards', id: 'cup:spa:ada', fields: wrong, position: 1e6 }],
      null,
    );
    const [found, ...others] = await wrongIn(models);
    expect(others).to.deep.equal([]);
    expect(found?.live).to.deep.include({ laps: 1, sectors: { 2: [20, 60] } });
    expect(found?.replayed).to.deep.include({ laps: 253, sectors: { 2: [20, 25] } });
  });

  it('has no best sector where none was measured, as a board computed from the laps', async () => {
    const laps = [
      recorded('1', [0, 40, 2 ** 31 - 1], { totalTime: 90 }),
      recorded('2', [0, 0], { totalTime: 100 }),
      recorded('3', [50, 45, 0]),
    ];
    const { models, thenDocument } = await givenHistory(builtInProjections, ...people, ...laps);
    const board = await thenDocument(leaderboards, 'cup:spa:ada');
    expect(board).to.deep.include({ times: [50, 40, null], sector3: '~', validLaps: 3 });
    expect(await wrongIn(models)).to.deep.equal([]);
  });

  it('costs a reader the same for any number of laps and of removed best laps', async () => {
    const visitedBy = async (drivers: number, lapsEach: number): Promise<number> => {
      const events = Array.from({ length: drivers }, (_, n) => [
        registered(`p${n}`, `P${n}`),
        ...Array.from({ length: lapsEach }, (__, lap) =>
          recorded(`${n}-${lap}`, [n + lap + 1, n + lap + 1], { participantId: `p${n}` }),
        ),
        eventOn(`lap-${n}-0`, 'LapInvalidated'),
      ]).flat();
      const { models } = await givenHistory(builtInProjections, scheduled, ...events);
      let visited = 0;
      const counting: ReadModels = {
        ...models,
        find: async (collection, query) => {
          const found = await models.find(collection, query);
          visited += found.length;
          return found;
        },
        stream: (collection, query) => {
          const goesThrough = collection !== eventLayouts.collection && query.where['hasMore'] !== true;
          if (goesThrough) throw new Error('a board of all valid laps goes through nothing');
          return models.stream(collection, query);
        },
      };
      const asked = { eventId: 'cup', validOnly: true, page: 0, size: 10 };
      const board = await shownPage(asked, boardSources(counting));
      expect(board?.rows.map(({ bestLap: { lapId } }) => lapId).slice(0, 2)).to.deep.equal(['0-1', '1-1']);
      expect(board?.total).to.equal(drivers);
      return visited;
    };
    expect(await visitedBy(40, 3)).to.equal(await visitedBy(10, 2));
  });
});
