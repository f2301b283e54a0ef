import { expect } from 'chai';
import { wrongBoards, type WrongBoard } from '../../src/service/projector/check-boards.ts';
import { builtInProjections } from '../../src/service/resources/read-models.ts';
import { drivenCars, eventLayouts } from '../../projections/leaderboards/gathering-laps.ts';
import { lapDepartures } from '../../projections/leaderboards/lap-versions.ts';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import type { ReadModels } from '../../src/service/kernel/ports/read-store.ts';
import { recorded, registered, scheduled, told } from '../support/history/lap-events.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';
import { boardSources, shownPage } from '../support/leaderboards/sources.ts';

const people = [registered('ada', 'Ada'), registered('niki', 'Niki')];

/** A fast lap, a slow one that is best in its second sector, and one that is not valid. */
const history = [...people, recorded('1', [30, 40]), recorded('2', [50, 35]), recorded('3', [1, 1], { valid: false })];

async function boardAfter(...events: readonly HistoryEvent[]): Promise<JsonObject | null> {
  return (await givenHistory(builtInProjections, ...history, ...events)).thenDocument(leaderboards, 'cup:spa:ada');
}

const digits = (number: number): string => String(number).padStart(16, '0');

/** The rank of a lap that was recorded in a minute, by the event after as many others. */
const rank = (time: number, at: number, driven = at): string =>
  `${digits(time)} ${minute(driven)} ${minute(at)} ${digits(at + 1)}`;

/** A lap, valid and of 70 ms unless others say otherwise, as the last one: recorded as `rank` has it. */
const last = (
  lapId: string,
  [at, driven = at]: readonly [at: number, driven?: number],
  others: JsonObject = {},
): JsonObject => ({
  ...{ lapId, totalTime: 70, valid: true, drivenAt: minute(driven) },
  ...{ order: rank(0, at, driven).slice('0'.repeat(16).length + 1), ...others },
});

async function wrongIn(models: ReadModels): Promise<readonly WrongBoard[]> {
  const wrong: WrongBoard[] = [];
  for await (const one of wrongBoards(models)) wrong.push(one);
  return wrong;
}

describe('leaderboards projection', () => {
  it('gathers what the valid laps of a participant in an event come to', async () => {
    expect(await boardAfter()).to.deep.equal({
      id: 'cup:spa:ada',
      eventId: 'cup',
      trackId: 'spa',
      participantId: 'ada',
      participantName: 'Ada Racer',
      laps: 3,
      validLaps: 2,
      onlyCar: 'car',
      last: last('3', [4], { totalTime: 2, valid: false }),
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

  it('has no best where there is no valid lap', async () => {
    const { thenDocument } = await givenHistory(builtInProjections, ...people, recorded('1', [1], { valid: false }));
    expect(await thenDocument(leaderboards, 'cup:spa:ada')).to.deep.include({
      laps: 1,
      validLaps: 0,
      standing: 'none',
      lapId: '',
      rank: '~',
      sector1: '~',
      sectorCount: 0,
      times: [],
    });
  });

  const changes: readonly (readonly [HistoryEvent, JsonObject])[] = [
    [recorded('4', [60, 60]), { laps: 4, validLaps: 3, lapId: '1', sector2: rank(35, 3) }],
    [recorded('4', [20, 60]), { laps: 4, validLaps: 3, lapId: '1', sector1: rank(20, 5) }],
    [recorded('4', [31, 38]), { lapId: '4', rank: rank(69, 5), sector1: rank(30, 2), sector2: rank(35, 3) }],
    [recorded('4', [60, 60, 60]), { validLaps: 3, sectorCount: 2, sector3: '~', hasMore: true }],
    [recorded('4', [60]), { lapId: '4', sectorCount: 1, sector1: rank(60, 5), sector2: '~', hasMore: true }],
    [told('lap-1', 'LapCorrected', { sectors: [20, 40], totalTime: 60 }), { rank: rank(60, 2), sector1: rank(20, 2) }],
    [told('lap-3', 'LapValidated'), { laps: 3, validLaps: 3, lapId: '3', rank: rank(2, 4) }],
    [told('lap-2', 'LapMovedToEvent', { from: 'cup', to: 'x' }), { laps: 2, validLaps: 1, standing: 'ranked' }],
    [told('lap-3', 'LapMovedToEvent', { from: 'cup', to: 'x' }), { laps: 2, validLaps: 2, lapId: '1' }],
    [recorded('4', [30, 40], { drivenAt: minute(1) }), { lapId: '4', rank: rank(70, 5, 1), sector1: rank(30, 5, 1) }],
    [recorded('4', [30, 40], { drivenAt: minute(3) }), { lapId: '1', rank: rank(70, 2), sector1: rank(30, 2) }],
    [recorded('4', [30, 40], { drivenAt: minute(2) }), { lapId: '1', rank: rank(70, 2), sector1: rank(30, 2) }],
    [told('lap-1', 'LapDrivenAtCorrected', { to: minute(9) }), { lapId: '1', rank: rank(70, 2, 9) }],
    [told('lap-2', 'LapDrivenAtCorrected', { to: minute(1) }), { lapId: '1', sector2: rank(35, 3, 1) }],
    [recorded('4', [30, 40]), { last: last('4', [5]) }],
    [recorded('4', [30, 40], { drivenAt: minute(3) }), { last: last('3', [4], { totalTime: 2, valid: false }) }],
    [told('lap-3', 'LapValidated'), { last: last('3', [4], { totalTime: 2 }) }],
    [told('lap-3', 'LapDrivenAtCorrected', { to: minute(1) }), { last: last('2', [3], { totalTime: 85 }) }],
    [told('lap-3', 'LapReassigned', { from: 'ada', to: 'niki' }), { last: last('2', [3], { totalTime: 85 }) }],
    [told('lap-1', 'LapDrivenAtCorrected', { to: minute(9) }), { last: last('1', [2, 9]) }],
    [
      told('lap-1', 'LapTrackCorrected', { from: 'spa', to: 'monza' }),
      { laps: 2, validLaps: 1, lapId: '2', rank: rank(85, 3), times: [50, 35] },
    ],
    [told('lap-1', 'LapCarCorrected', { from: 'car', to: 'kart' }), { car: 'kart', onlyCar: '', standing: 'ranked' }],
    [
      told('participant-ada', 'ParticipantRenamed', { firstName: 'Augusta', lastName: 'King' }),
      { participantName: 'Augusta King', laps: 3 },
    ],
  ];
  for (const [event, shows] of changes) {
    it(`follows ${event.type} of ${event.stream} ${JSON.stringify(event.data)}`, async () => {
      expect(await boardAfter(event)).to.deep.include({ ...shows, _position: 6 });
    });
  }

  it('takes no notice of a move to another rig', async () => {
    expect(await boardAfter(told('lap-1', 'LapMovedToRig', { from: 'rig', to: 'x' }))).to.include({ _position: 5 });
  });

  it('gives a lap that moves to the board of its new event and participant', async () => {
    const { thenDocument } = await givenHistory(
      builtInProjections,
      ...history,
      told('lap-1', 'LapReassigned', { from: 'ada', to: 'niki' }),
      told('lap-1', 'LapMovedToEvent', { from: 'cup', to: 'trophy' }),
    );
    expect(await thenDocument(leaderboards, 'cup:spa:niki')).to.include({ laps: 0, validLaps: 0, standing: 'none' });
    expect(await thenDocument(leaderboards, 'trophy:spa:niki')).to.deep.include({
      participantName: 'Niki Racer',
      laps: 1,
      validLaps: 1,
      lapId: '1',
      rank: rank(70, 2),
      standing: 'ranked',
    });
    expect(await thenDocument(lapDepartures, '1:cup')).to.include({ lapId: '1', eventId: 'cup' });
  });

  it('keeps what is best in sectors without a field', async () => {
    const times = [9, 8, 7, 6, 5, 4, 3, 2];
    expect(await boardAfter(recorded('4', times))).to.deep.include({
      sector6: rank(4, 5),
      further: [rank(3, 5), rank(2, 5)],
      otherSectors: { 2: { times: [30, 35], ranks: [rank(30, 2), rank(35, 3)] } },
      hasMore: true,
      standing: 'ranked',
    });
  });

  it('keeps what is best in sectors of laps with another number of them', async () => {
    const third = { lapId: '1', sectorCount: 2, times: [30, 35], hasMore: true };
    expect(await boardAfter(recorded('4', [9, 99, 9]))).to.deep.include({
      ...third,
      otherSectors: { 3: { times: [9, 99, 9], ranks: [rank(9, 5), rank(99, 5), rank(9, 5)] } },
    });
    expect(await boardAfter(recorded('4', [], { totalTime: 50 }))).to.deep.include({
      lapId: '4',
      sectorCount: 0,
      times: [],
      otherSectors: { 2: { times: [30, 35], ranks: [rank(30, 2), rank(35, 3)] } },
    });
  });

  it('has the best sectors of all laps, however many and however slow, once a best lap has left', async () => {
    const slow = Array.from({ length: 1_100 }, (_, n) => recorded(`slow-${n}`, [60, 60]));
    const split = [recorded('first', [20, 99]), recorded('second', [99, 25]), recorded('best', [10, 10])];
    const history = [...people, ...slow, ...split, told('lap-best', 'LapInvalidated')];
    const { models, thenDocument } = await givenHistory(builtInProjections, ...history);
    const board = await thenDocument(leaderboards, 'cup:spa:ada');
    expect(board).to.deep.include({ times: [20, 25], totalTime: 119, validLaps: 1_102 });
    expect(await wrongIn(models)).to.deep.equal([]);
    const wrong = { times: [20, 60], laps: 1 };
    await models.apply(
      [{ kind: 'set', collection: 'leaderboards', id: 'cup:spa:ada', fields: wrong, position: 1e6 }],
      null,
    );
    const [found, ...others] = await wrongIn(models);
    expect(others).to.deep.equal([]);
    expect(found?.live).to.deep.include({ laps: 1, sectors: { 2: [20, 60] } });
    expect(found?.replayed).to.deep.include({ laps: 1_103, sectors: { 2: [20, 25] } });
  });

  it('has a lap of 0 ms nowhere', async () => {
    const nothing = recorded('4', [0, 0], { trackId: 'monza' });
    const { models } = await givenHistory(builtInProjections, ...history, nothing);
    for (const [model, id] of [
      [leaderboards, 'cup:monza:ada'],
      [eventLayouts, 'cup:monza'],
      [drivenCars, 'ada:monza:car'],
    ] as const) {
      expect(await models.get(model.collection, id)).to.equal(null);
    }
  });

  it('costs a reader the same, however many laps there are and however many lost their best', async () => {
    const visitedBy = async (drivers: number, lapsEach: number): Promise<number> => {
      const events = Array.from({ length: drivers }, (_, n) => [
        registered(`p${n}`, `P${n}`),
        ...Array.from({ length: lapsEach }, (__, lap) =>
          recorded(`${n}-${lap}`, [n + lap + 1, n + lap + 1], { participantId: `p${n}` }),
        ),
        told(`lap-${n}-0`, 'LapInvalidated'),
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
    expect(await visitedBy(150, 4)).to.equal(await visitedBy(10, 2));
  });
});
