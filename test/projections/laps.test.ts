import { expect } from 'chai';
import { builtInProjections } from '../../src/service/resources/read-models.ts';
import { lapVersions } from '../../projections/leaderboards/lap-versions.ts';
import { laps } from '../../projections/laps.ts';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { layoutAdded, registered, scheduledAs, told } from '../support/history/lap-events.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';

const ADA = '00000000-0000-7000-8000-0000000000a1';
const NIKI = '00000000-0000-7000-8000-0000000000a2';
const RIG = '00000000-0000-7000-8000-0000000000b1';
const OTHER_RIG = '00000000-0000-7000-8000-0000000000b2';
const CUP = '00000000-0000-7000-8000-0000000000c1';
const TROPHY = '00000000-0000-7000-8000-0000000000c2';
const CAR = '00000000-0000-7000-8000-0000000000d1';
const SPA = '00000000-0000-7000-8000-0000000000e1';
const MONZA = '00000000-0000-7000-8000-0000000000e2';
const PARENT = '00000000-0000-7000-8000-0000000000f1';

const rigRegistered = (id: string): HistoryEvent =>
  told(`rig-${id}`, 'RigRegistered', { hardwareId: id, licenseId: PARENT });
const rigRenamed = (id: string, name: string): HistoryEvent => told(`rig-${id}`, 'RigRenamed', { name });
const inEvent = { simulatorId: PARENT, carIds: [CAR], trackLayoutIds: [SPA], rigIds: [RIG] };

const lap = {
  participantId: ADA,
  rigId: RIG,
  eventId: CUP,
  sectors: [31_000, 77_000],
  totalTime: 108_000,
  valid: true,
  carId: CAR,
  trackId: SPA,
};
const recorded = (id: string, data: JsonObject = {}): HistoryEvent =>
  told(`lap-${id}`, 'LapRecorded', { ...lap, ...data });

const world = [
  registered(ADA, 'Ada', { lastName: 'Lovelace' }),
  registered(NIKI, 'Niki', { lastName: 'Lauda' }),
  rigRegistered(RIG),
  rigRegistered(OTHER_RIG),
  rigRenamed(OTHER_RIG, 'Rig 2'),
  scheduledAs(CUP, inEvent),
  scheduledAs(TROPHY, inEvent),
  layoutAdded(SPA, 'Spa GP'),
  layoutAdded(MONZA, 'Monza Junior'),
];
const history = [...world, recorded('1')];
/** What the lap of the history was at first, as leaderboards see it. */
const { carId: _car, ...facts } = { ...lap, car: CAR, drivenAt: minute(9) };

const participantRenamed = (id: string, firstName: string, lastName: string): HistoryEvent =>
  told(`participant-${id}`, 'ParticipantRenamed', { firstName, lastName });
describe('laps projection', () => {
  it('shows when a lap was driven, where that was said', async () => {
    const { thenDocument } = await givenHistory(builtInProjections, ...world, recorded('1', { drivenAt: minute(2) }));
    expect(await thenDocument(laps, '1')).to.include({ drivenAt: minute(2), createdAt: minute(9) });
  });

  it('joins no more names than there are', async () => {
    const { thenDocument } = await givenHistory(
      builtInProjections,
      ...world,
      participantRenamed(ADA, '', 'Lovelace'),
      recorded('1'),
      recorded('2', { participantId: NIKI }),
      participantRenamed(NIKI, 'Niki', ''),
    );
    expect(await thenDocument(laps, '1')).to.include({ participantName: 'Lovelace' });
    expect(await thenDocument(laps, '2')).to.include({ participantName: 'Niki' });
  });

  it('grows no document by corrections, however many', async () => {
    const sectors = Array.from({ length: 64 }, (_, n) => 10_000_000 + n);
    const corrections = (count: number): readonly HistoryEvent[] =>
      Array.from({ length: count }, (_, n) => told('lap-1', 'LapCorrected', { sectors, totalTime: n + 1 }));
    const largest = async (count: number): Promise<number> => {
      const { models } = await givenHistory(builtInProjections, ...history, ...corrections(count));
      let most = 0;
      for (const { collection } of [laps, lapVersions, leaderboards]) {
        for await (const batch of models.stream(collection, { where: {} })) {
          for (const { _position, _revision, ...fields } of batch) most = Math.max(most, JSON.stringify(fields).length);
        }
      }
      return most;
    };
    // Numbers with a few more digits are all that is added.
    expect(await largest(1_000)).to.be.within(500, (await largest(1)) + 20);
  });

  it('moves to a rig without a name', async () => {
    const { thenDocument } = await givenHistory(
      builtInProjections,
      ...world,
      recorded('1', { rigId: OTHER_RIG }),
      told('lap-1', 'LapMovedToRig', { from: OTHER_RIG, to: RIG }),
    );
    expect(await thenDocument(laps, '1')).to.include({ rigId: RIG, rigName: null });
  });

  it('keeps what it was at first, from its first correction on', async () => {
    const corrected = (totalTime: number) => told('lap-1', 'LapCorrected', { sectors: [], totalTime });
    const { thenDocument } = await givenHistory(builtInProjections, ...history, corrected(1), corrected(2));
    expect((await thenDocument(laps, '1'))?.['_recorded']).to.deep.equal(facts);
  });
});
