import { expect } from 'chai';
import trackRecords from '../../projections/examples/track-records.ts';
import { layoutAdded, registered, told } from '../support/history/lap-events.ts';
import { givenHistory, type HistoryEvent } from '../support/kernel/projecting.ts';

const LICENSE = '01890000-0000-7000-8000-000000000001';
const [ADA, BEN] = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b'];
const LEFT = '01890000-0000-7000-8000-0000000000c1';
const [SPA, ZOLDER] = ['01890000-0000-7000-8000-0000000000d1', '01890000-0000-7000-8000-0000000000d2'];
const [CAR, EVENT] = ['01890000-0000-7000-8000-0000000000e1', '01890000-0000-7000-8000-0000000000f1'];

/** A morning of a venue in the words of its events, as the demo makes them. */
const VENUE: readonly HistoryEvent[] = [
  registered(ADA, 'Ada', { lastName: 'Kowalski' }),
  registered(BEN, 'Ben', { lastName: 'O"Neill, jr.' }),
  layoutAdded(SPA, 'Grand Prix'),
  layoutAdded(ZOLDER, 'Zolder'),
  told(`car-${CAR}`, 'CarAdded', { brandId: LICENSE, modelName: '911 GT3 R', carClassId: LICENSE, enabled: true }),
];

interface Driven {
  readonly id: string;
  readonly who: string;
  readonly sectors: readonly number[];
  readonly minute: string;
  readonly trackId?: string;
  readonly valid?: boolean;
}

function lap({ id, who, sectors, minute, trackId = SPA, valid = true }: Driven): HistoryEvent {
  const totalTime = sectors.reduce((sum, sector) => sum + sector, 0);
  const data = { participantId: who, rigId: LEFT, eventId: EVENT, sectors, totalTime, valid, carId: CAR, trackId };
  return { ...told(`lap-${id}`, 'LapRecorded', data), at: `2026-03-01T${minute}:00.000Z` };
}

const LAPS: readonly HistoryEvent[] = [
  lap({ id: '1', who: ADA, sectors: [40_000, 60_000], minute: '09:10' }),
  lap({ id: '2', who: BEN, sectors: [41_000, 58_000], minute: '09:20' }),
  lap({ id: '3', who: ADA, sectors: [30_000, 50_000], minute: '09:30', valid: false }),
  lap({ id: '4', who: ADA, sectors: [42_000, 54_000], minute: '10:10' }),
  lap({ id: '5', who: BEN, sectors: [50_000, 61_000], minute: '10:20', trackId: ZOLDER }),
];

/** The track records of a history. */
async function recordsOf(history: readonly HistoryEvent[]) {
  const { models } = await givenHistory(trackRecords, ...history);
  const by = { field: 'id', direction: 'asc' } as const;
  return models.find('trackRecords', { where: {}, sort: by, offset: 0, limit: 100 });
}

// The other examples are in `learning.test.ts`.
describe('example projections', () => {
  it('tell track records as they fell, and strike those that were none', async () => {
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
      { ...told('lap-4', 'LapInvalidated'), at: '2026-03-01T11:00:00.000Z' },
      lap({ id: '6', who: BEN, sectors: [41_000, 57_500], minute: '11:10' }),
      lap({ id: '7', who: BEN, sectors: [41_000, 58_500], minute: '11:20' }),
      lap({ id: '8', who: ADA, sectors: [41_000, 57_000], minute: '11:30' }),
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
