import { expect } from 'chai';
import { builtInProjections } from '../../projections/index.ts';
import { lapDepartures } from '../../projections/lap-departures.ts';
import { leaderboards } from '../../projections/leaderboards.ts';
import { Allowance } from '../../queries/leaderboard-sources.ts';
import { leaderboardPage } from '../../queries/leaderboards.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { ReadModels } from '../../src/kernel/ports/read-store.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';

const told = (stream: string, type: string, data: JsonObject = {}): HistoryEvent => ({ stream, type, data });
const registered = (id: string, firstName: string): HistoryEvent =>
  told(`participant-${id}`, 'ParticipantRegistered', {
    licenseId: 'license',
    firstName,
    lastName: 'Racer',
    email: 'a@b.org',
    phoneNumber: '',
    extraFieldsJson: {},
  });
const recorded = (id: string, sectors: readonly number[], others: JsonObject = {}): HistoryEvent =>
  told(`lap-${id}`, 'LapRecorded', {
    participantId: 'ada',
    rigId: 'rig',
    eventId: 'cup',
    sectors,
    valid: true,
    carId: 'car',
    trackId: 'spa',
    totalTime: sectors.reduce((sum, time) => sum + time, 0),
    ...others,
  });

const scheduled = told('event-cup', 'EventScheduled', {
  name: 'Cup',
  slug: 'cup',
  description: '',
  mode: null,
  startsAt: null,
  endsAt: null,
  simulatorId: 'sim',
  carIds: ['car'],
  trackLayoutIds: ['spa'],
  rigIds: ['rig'],
  brandIds: [],
  i18nJson: null,
  settingsJson: null,
  enabled: true,
});

const people = [registered('ada', 'Ada'), registered('niki', 'Niki')];

/** A fast lap, a slow one that is best in its second sector, and one that is not valid. */
const history = [...people, recorded('1', [30, 40]), recorded('2', [50, 35]), recorded('3', [1, 1], { valid: false })];

async function boardAfter(...events: readonly HistoryEvent[]): Promise<JsonObject | null> {
  return (await givenHistory(builtInProjections, ...history, ...events)).thenDocument(leaderboards, 'cup:ada');
}

const rank = (time: number, at: number, driven = at): string =>
  `${String(time).padStart(16, '0')} ${minute(driven)} ${minute(at)}`;

describe('leaderboards projection', () => {
  it('gathers what the valid laps of a participant in an event come to', async () => {
    expect(await boardAfter()).to.deep.equal({
      id: 'cup:ada',
      eventId: 'cup',
      participantId: 'ada',
      participantName: 'Ada Racer',
      laps: 3,
      validLaps: 2,
      counts: { 2: 2 },
      onlyTrackId: 'spa',
      onlyCar: 'car',
      standing: 'ranked',
      fewest: 2,
      times: [70, 30, 35],
      lapId: '1',
      sectors: [30, 40],
      car: 'car',
      trackId: 'spa',
      rank: rank(70, 2),
      sector1: rank(30, 2),
      sector2: rank(35, 3),
      sector3: '~',
      sector4: '~',
      sector5: '~',
      sector6: '~',
      further: [],
      hasFurther: false,
      _position: 5,
      _revision: 0,
    });
  });

  it('has no best where there is no valid lap', async () => {
    const { thenDocument } = await givenHistory(builtInProjections, ...people, recorded('1', [1], { valid: false }));
    expect(await thenDocument(leaderboards, 'cup:ada')).to.deep.include({
      laps: 1,
      validLaps: 0,
      standing: 'none',
      lapId: '',
      rank: '~',
      sector1: '~',
      counts: {},
      times: [],
    });
  });

  const changes: readonly (readonly [HistoryEvent, JsonObject])[] = [
    [recorded('4', [60, 60]), { laps: 4, validLaps: 3, counts: { 2: 3 }, lapId: '1', sector2: rank(35, 3) }],
    [recorded('4', [20, 60]), { laps: 4, validLaps: 3, lapId: '1', sector1: rank(20, 5) }],
    [recorded('4', [31, 38]), { lapId: '4', rank: rank(69, 5), sector1: rank(30, 2), sector2: rank(35, 3) }],
    [recorded('4', [60, 60, 60]), { counts: { 2: 2, 3: 1 }, fewest: 2, sector3: rank(60, 5), standing: 'ranked' }],
    [recorded('4', [60]), { counts: { 1: 1, 2: 2 }, fewest: 1, lapId: '4' }],
    [told('lap-1', 'LapCorrected', { sectors: [20, 40], totalTime: 60 }), { rank: rank(60, 2), sector1: rank(20, 2) }],
    [told('lap-3', 'LapValidated'), { laps: 3, validLaps: 3, lapId: '3', rank: rank(2, 4) }],
    [told('lap-2', 'LapMovedToEvent', { from: 'cup', to: 'x' }), { laps: 2, validLaps: 1, standing: 'ranked' }],
    [told('lap-3', 'LapMovedToEvent', { from: 'cup', to: 'x' }), { laps: 2, validLaps: 2, lapId: '1' }],
    [recorded('4', [30, 40], { drivenAt: minute(1) }), { lapId: '4', rank: rank(70, 5, 1), sector1: rank(30, 5, 1) }],
    [recorded('4', [30, 40], { drivenAt: minute(3) }), { lapId: '1', rank: rank(70, 2), sector1: rank(30, 2) }],
    [recorded('4', [30, 40], { drivenAt: minute(2) }), { lapId: '1', rank: rank(70, 2), sector1: rank(30, 2) }],
    [told('lap-1', 'LapDrivenAtCorrected', { to: minute(9) }), { lapId: '1', rank: rank(70, 2, 9) }],
    [told('lap-2', 'LapDrivenAtCorrected', { to: minute(1) }), { lapId: '1', sector2: rank(35, 3, 1) }],
    [
      told('lap-1', 'LapTrackCorrected', { from: 'spa', to: 'monza' }),
      { trackId: 'monza', onlyTrackId: '', onlyCar: 'car', standing: 'ranked' },
    ],
    [
      told('lap-1', 'LapCarCorrected', { from: 'car', to: 'kart' }),
      { car: 'kart', onlyTrackId: 'spa', onlyCar: '', standing: 'ranked' },
    ],
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
    expect(await thenDocument(leaderboards, 'cup:niki')).to.include({ laps: 0, validLaps: 0, standing: 'none' });
    expect(await thenDocument(leaderboards, 'trophy:niki')).to.deep.include({
      participantName: 'Niki Racer',
      laps: 1,
      validLaps: 1,
      lapId: '1',
      rank: rank(70, 2),
      standing: 'ranked',
    });
    expect(await thenDocument(lapDepartures, '1:cup')).to.include({ lapId: '1', eventId: 'cup' });
  });

  const slower = told('lap-1', 'LapCorrected', { sectors: [45, 45], totalTime: 90 });
  const gone = told('lap-1', 'LapInvalidated');
  const lost: readonly (readonly [string, readonly HistoryEvent[], JsonObject])[] = [
    ['the best lap is taken away', [gone], { lapId: '2', times: [85, 50, 35], validLaps: 1 }],
    ['it becomes slower', [slower], { lapId: '2', times: [85, 45, 35], validLaps: 2 }],
    ['only a better sector comes', [gone, recorded('4', [20, 90])], { lapId: '2', times: [85, 20, 35] }],
    ['better ones come', [gone, recorded('4', [20, 20])], { lapId: '4', times: [40, 20, 20] }],
    ['it comes back', [gone, told('lap-1', 'LapValidated')], { lapId: '1', times: [70, 30, 35] }],
    [
      'one of equal time was driven before it',
      [recorded('4', [30, 40]), told('lap-1', 'LapDrivenAtCorrected', { to: minute(9) })],
      { lapId: '4', rank: rank(70, 5), sector1: rank(30, 5) },
    ],
    ['no lap is left', [gone, told('lap-2', 'LapInvalidated')], { standing: 'none', rank: '~' }],
    [
      'no lap is left, and another comes',
      [gone, told('lap-2', 'LapInvalidated'), recorded('4', [90, 90])],
      { lapId: '4', counts: { 2: 1 } },
    ],
    [
      'the only lap with a third sector goes',
      [recorded('4', [9, 99, 9]), told('lap-4', 'LapInvalidated')],
      { times: [70, 30, 35], sector3: '~', lapId: '1' },
    ],
  ];
  for (const [title, events, shows] of lost) {
    it(`knows what is best when ${title}`, async () => {
      expect(await boardAfter(...events)).to.deep.include({ standing: 'ranked', ...shows });
    });
  }

  it('keeps what is best in sectors without a field', async () => {
    const times = [9, 8, 7, 6, 5, 4, 3, 2];
    expect(await boardAfter(recorded('4', times))).to.deep.include({
      sector6: rank(4, 5),
      further: [rank(3, 5), rank(2, 5)],
      hasFurther: true,
      standing: 'ranked',
    });
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
        stream: () => {
          throw new Error('a board of all valid laps goes through nothing');
        },
      };
      const asked = { eventId: 'cup', validOnly: true, page: 0, size: 10 };
      const board = await leaderboardPage(asked, { models: counting, allowance: new Allowance() });
      expect(board?.rows.map(({ bestLap: { lapId } }) => lapId).slice(0, 2)).to.deep.equal(['0-1', '1-1']);
      expect(board?.total).to.equal(drivers);
      return visited;
    };
    expect(await visitedBy(150, 4)).to.equal(await visitedBy(10, 2));
  });
});
