import { expect } from 'chai';
import trackRecords from '../../docs/examples/track-records.ts';
import { layoutAdded, recorded, registered, eventOn } from '../support/history/lap-events.ts';
import { givenHistory, type HistoryEvent } from '../support/kernel/projecting.ts';

/** A morning of a venue in the words of its events, as the demo makes them. */
const VENUE: readonly HistoryEvent[] = [
  registered('ada', 'Ada', { lastName: 'Kowalski' }),
  registered('ben', 'Ben', { lastName: 'O"Neill, jr.' }),
  layoutAdded('spa', 'Grand Prix'),
  layoutAdded('zolder', 'Zolder'),
  eventOn('car-car', 'CarAdded', { brandId: 'brand', modelName: '911 GT3 R', carClassId: 'class', enabled: true }),
];

const at = (minute: string, event: HistoryEvent): HistoryEvent => ({ ...event, at: `2026-03-01T${minute}:00.000Z` });

const BEN = { participantId: 'ben' };

const LAPS: readonly HistoryEvent[] = [
  at('09:10', recorded('1', [40_000, 60_000])),
  at('09:20', recorded('2', [41_000, 58_000], BEN)),
  at('09:30', recorded('3', [30_000, 50_000], { valid: false })),
  at('09:40', recorded('no-time', [30_000, 50_000], { totalTime: 0 })),
  at('10:10', recorded('4', [42_000, 54_000])),
  at('10:20', recorded('5', [50_000, 61_000], { ...BEN, trackId: 'zolder' })),
];

/** The track records of a history. */
async function recordsOf(history: readonly HistoryEvent[]) {
  const { models } = await givenHistory(trackRecords, ...history);
  const by = { field: 'id', direction: 'asc' } as const;
  return models.find('trackRecords', { where: {}, sort: by, offset: 0, limit: 100 });
}

// The other examples are in `learning.test.ts`.
describe('example projections', () => {
  it('list track records in order, and remove those whose lap is struck', async () => {
    const rows = await recordsOf([...VENUE, ...LAPS]);
    expect(
      rows.map(({ layout, participant, time, gain, car }) => [layout, participant, time, gain, car]),
    ).to.deep.equal([
      ['Grand Prix', 'Ada Kowalski', 100_000, null, '911 GT3 R'],
      ['Grand Prix', 'Ben O"Neill, jr.', 99_000, 1_000, '911 GT3 R'],
      ['Grand Prix', 'Ada Kowalski', 96_000, 3_000, '911 GT3 R'],
      ['Zolder', 'Ben O"Neill, jr.', 111_000, null, '911 GT3 R'],
    ]);
    const struck = await recordsOf([
      ...VENUE,
      ...LAPS,
      at('11:00', eventOn('lap-4', 'LapInvalidated')),
      at('11:10', recorded('6', [41_000, 57_500], BEN)),
      at('11:20', recorded('7', [41_000, 58_500], BEN)),
      at('11:30', recorded('8', [41_000, 57_000])),
    ]);
    expect(struck.map(({ id, struckAt, previous }) => [id, struckAt, previous])).to.deep.equal([
      ['1', null, null],
      ['2', null, 100_000],
      ['4', '2026-03-01T11:00:00.000Z', 99_000],
      ['5', null, null],
      ['6', null, 99_000],
      ['8', null, 98_500],
    ]);
  });
});
