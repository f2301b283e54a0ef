import { builtInProjections } from '../../src/service/resources/read-models.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { recorded, registered, scheduled, told } from '../support/history/lap-events.ts';
import { givenHistory, minute, recorded as numbered, type HistoryEvent } from '../support/kernel/projecting.ts';
import { expectBoard } from '../support/leaderboards/expect-board.ts';

const car = (id: string, carClassId: string): HistoryEvent =>
  told(`car-${id}`, 'CarAdded', { brandId: 'b', modelName: id, carClassId, enabled: true });

const beginning: readonly HistoryEvent[] = [
  scheduled,
  told('event-other', scheduled.type, scheduled.data),
  ...['ada', 'niki', 'tazio'].map((id) => registered(id, id)),
  car('car', 'gt3'),
  car('kart', 'kart'),
];

const by = (participantId: string, others: JsonObject = {}): JsonObject => ({ participantId, ...others });
const lap = (id: string, type: string, data?: JsonObject): HistoryEvent => told(`lap-${id}`, type, data);

const cases: { readonly [title: string]: readonly HistoryEvent[] } = {
  'that has nobody without a lap that counts': [recorded('1', [30]), recorded('2', [20], by('niki', { valid: false }))],
  'of equal times, ordered by when they were driven, and then recorded': [
    recorded('1', [30, 40], { drivenAt: minute(9) }),
    recorded('2', [30, 40], by('niki', { drivenAt: minute(8) })),
    recorded('3', [30, 40], by('tazio', { drivenAt: minute(9) })),
    lap('2', 'LapDrivenAtCorrected', { to: minute(10) }),
  ],
  'on which equal times share a position, over pages too': [
    recorded('1', [20], by('tazio')),
    recorded('2', [30], by('niki')),
    recorded('3', [30]),
    recorded('4', [30]),
    recorded('5', [20]),
  ],
  'with the best sectors of laps with as many as the fastest lap': [
    recorded('1', [30, 30]),
    recorded('2', [29, 32]),
    recorded('3', [20, 20, 25], by('niki')),
    recorded('4', [1, 70], by('tazio')),
    recorded('5', [], by('tazio', { totalTime: 66 })),
    lap('3', 'LapCorrected', { sectors: [20, 20, 15], totalTime: 55 }),
  ],
  'of laps with more sectors than have an index, or with none': [
    recorded('1', Array<number>(9).fill(1_000)),
    recorded('2', [], by('niki', { totalTime: 5_000 })),
    recorded('3', Array<number>(9).fill(500)),
  ],
  'without laps of 0 ms': [
    recorded('1', [0, 0]),
    recorded('2', [30, 0], by('niki')),
    lap('1', 'LapCorrected', { sectors: [10, 10], totalTime: 20 }),
  ],
  'that falls back on the next best lap when the best is taken away, and on none': [
    ...Array.from({ length: 24 }, (_, n) => recorded(`${n}`, [30 + n])),
    ...Array.from({ length: 24 }, (_, n) => lap(`${n}`, 'LapInvalidated')),
    lap('7', 'LapValidated'),
  ],
  'that knows what is best when a best lap or sector is lost': [
    ...[recorded('1', [30, 40]), recorded('2', [50, 35]), recorded('3', [1, 1], { valid: false })],
    lap('1', 'LapCorrected', { sectors: [45, 45], totalTime: 90 }),
    lap('1', 'LapInvalidated'),
    recorded('4', [20, 90]),
    recorded('5', [20, 20]),
    lap('1', 'LapValidated'),
    recorded('6', [9, 99, 9]),
    lap('6', 'LapInvalidated'),
    recorded('7', [20, 20], { drivenAt: minute(1) }),
    lap('7', 'LapDrivenAtCorrected', { to: minute(40) }),
    ...['1', '2', '4', '5', '7'].map((id) => lap(id, 'LapInvalidated')),
    recorded('8', [90, 90]),
    lap('8', 'LapCorrected', { sectors: [], totalTime: 0 }),
    lap('8', 'LapCorrected', { sectors: [90, 91], totalTime: 181 }),
  ],
  'whose laps are corrected, given to another driver, and moved to another event and back': [
    recorded('1', [30]),
    recorded('2', [29], by('niki')),
    lap('2', 'LapCorrected', { sectors: [31], totalTime: 31 }),
    lap('2', 'LapInvalidated'),
    lap('2', 'LapValidated'),
    lap('2', 'LapReassigned', { from: 'niki', to: 'tazio' }),
    lap('2', 'LapMovedToEvent', { from: 'cup', to: 'other' }),
    lap('2', 'LapMovedToEvent', { from: 'other', to: 'cup' }),
    lap('2', 'LapReassigned', { from: 'tazio', to: 'ada' }),
    lap('2', 'LapMovedToEvent', { from: 'cup', to: 'other' }),
  ],
  'on several layouts, in several cars': [
    recorded('1', [60]),
    recorded('2', [30], by('niki', { trackId: 'monza' })),
    recorded('3', [40], by('niki', { trackId: 'imola', carId: 'kart' })),
    recorded('4', [40], by('niki', { trackId: 'imola', valid: false })),
    recorded('5', [20], by('niki', { carId: 'kart' })),
    lap('5', 'LapCarCorrected', { from: 'kart', to: 'car' }),
    lap('3', 'LapTrackCorrected', { from: 'imola', to: 'spa' }),
    told('event-cup', 'EventTrackLayoutsChanged', { trackLayoutIds: ['zolder', 'monza'] }),
  ],
};

const filters = [
  { validOnly: true },
  { validOnly: false },
  { validOnly: true, trackLayoutId: 'spa', carId: 'car' },
  { validOnly: false, trackLayoutId: 'monza', carId: 'kart' },
  { validOnly: true, trackLayoutId: 'spa', carClassId: 'kart' },
  { validOnly: false, trackLayoutId: 'spa', carId: 'car', carClassId: 'gt3' },
  { validOnly: true, trackLayoutId: 'spa', carId: 'car', carClassId: 'kart' },
  { validOnly: false, trackLayoutId: 'nowhere' },
];

describe('leaderboard', () => {
  for (const [title, story] of Object.entries(cases)) {
    it(`is the plain board, ${title}: after each event, and as of it`, async () => {
      const events = numbered([...beginning, ...story]);
      for (let n = beginning.length; n <= events.length; n += 1) {
        const { models } = await givenHistory(builtInProjections, ...[...beginning, ...story].slice(0, n));
        const moments = n === events.length ? [minute(0), ...events.map((_, place) => minute(place)), minute(59)] : [];
        for (const filter of filters) {
          for (const asOf of [undefined, ...moments]) {
            await expectBoard(models, events.slice(0, n), { eventId: 'cup', asOf, ...filter });
          }
        }
      }
    });
  }
});
