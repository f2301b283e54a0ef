import { builtInProjections } from '../../src/service/resources/built-in.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { layoutAdded, recorded, registered, scheduled, eventOn } from '../support/history/lap-events.ts';
import { givenHistory, minute, recorded as numbered, type HistoryEvent } from '../support/kernel/projecting.ts';
import { expectBoard } from '../support/live/expect-board.ts';
import { thingsOf } from '../support/seasons/history.ts';

const beginning: readonly HistoryEvent[] = [
  scheduled,
  ...['ada', 'niki', 'tazio'].map((id) => registered(id, id)),
  layoutAdded('spa', 'Spa'),
  eventOn('carBrand-b', 'CarBrandAdded', { displayName: 'B' }),
  eventOn('car-car', 'CarAdded', { brandId: 'b', modelName: 'car', carClassId: 'gt3', enabled: true }),
];

const by = (participantId: string, others: JsonObject = {}): JsonObject => ({ participantId, ...others });

const cases: { readonly [title: string]: readonly HistoryEvent[] } = {
  'of equal times, ordered by when they were driven, and then recorded': [
    recorded('1', [30, 40], { drivenAt: minute(9) }),
    recorded('2', [30, 40], by('niki', { drivenAt: minute(8) })),
    recorded('3', [30, 40], by('tazio', { drivenAt: minute(9) })),
    eventOn('lap-2', 'LapDrivenAtCorrected', { to: minute(10) }),
  ],
  'of laps with more sectors than have an index, or with none': [
    recorded('1', Array<number>(9).fill(1_000)),
    recorded('2', [], by('niki', { totalTime: 5_000 })),
    recorded('3', Array<number>(9).fill(500)),
  ],
  'of sectors that were not measured, though the lap is the fastest': [
    recorded('1', [30_000, 30_000, 40_000]),
    recorded('2', [0, 35_817, 33_407]),
    recorded('3', [2 ** 31 - 1, 20_000, 2 ** 32 - 1], by('niki', { totalTime: 90_000 })),
    eventOn('lap-2', 'LapInvalidated'),
  ],
  'of sectors that nobody has measured, of laps that come and go': [
    recorded('1', [0, 0, 0], { totalTime: 5_000 }),
    recorded('2', [0, 40_000], by('niki', { totalTime: 80_000 })),
    recorded('3', [0, 0, 0, 0, 0, 0, 0, 0], by('tazio', { totalTime: 3_000 })),
    eventOn('lap-3', 'LapCorrected', { sectors: [1, 1, 1, 1, 1, 1, 1, 0], totalTime: 3_000 }),
    eventOn('lap-3', 'LapInvalidated'),
    recorded('4', [0, 1_000, 0], { totalTime: 6_000 }),
    eventOn('lap-1', 'LapCorrected', { sectors: [0, 0], totalTime: 5_500 }),
    eventOn('lap-4', 'LapInvalidated'),
  ],
  'of laps without a time': [
    recorded('1', [30_000, 40_000]),
    recorded('2', [30_000, 40_000], by('niki', { totalTime: 2 ** 31 - 1 })),
    recorded('3', [20_000, 20_000], by('tazio', { totalTime: 2 ** 32 - 1 })),
    recorded('4', [10_000, 10_000], { totalTime: 0 }),
    eventOn('lap-2', 'LapCorrected', { sectors: [20_000, 50_000], totalTime: 2 ** 31 - 2 }),
  ],
};

// All else is compared over random histories in `test/simulation/leaderboards.test.ts`.
describe('leaderboard', () => {
  for (const [title, story] of Object.entries(cases)) {
    it(`equals the plain board, ${title}: after each event, and as of it`, async () => {
      const events = numbered([...beginning, ...story]);
      for (let n = beginning.length; n <= events.length; n += 1) {
        const past = { events: events.slice(0, n), things: thingsOf(events.slice(0, n)) };
        const { models } = await givenHistory(builtInProjections, ...[...beginning, ...story].slice(0, n));
        const moments = n === events.length ? [minute(0), ...events.map((_, place) => minute(place)), minute(59)] : [];
        for (const validOnly of [true, false]) {
          for (const asOf of [undefined, ...moments]) {
            await expectBoard(models, past, { eventId: 'cup', asOf, validOnly });
          }
        }
      }
    });
  }
});
