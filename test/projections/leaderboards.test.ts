import { expect } from 'chai';
import { builtInProjections } from '../../projections/index.ts';
import { lapDepartures } from '../../projections/lap-departures.ts';
import { leaderboards } from '../../projections/leaderboards.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { givenHistory, minute, type Told } from '../support/projecting.ts';

const told = (stream: string, type: string, data: JsonObject = {}): Told => ({ stream, type, data });
const registered = (id: string, firstName: string): Told => told(`participant-${id}`, 'ParticipantRegistered', {
  licenseId: 'license', firstName, lastName: 'Racer', email: 'a@b.org', phoneNumber: '', extraFieldsJson: {},
});
const recorded = (id: string, sectors: readonly number[], others: JsonObject = {}): Told =>
  told(`lap-${id}`, 'LapRecorded', {
    participantId: 'ada', rigId: 'rig', eventId: 'cup', sectors, valid: true, carId: 'car', trackId: 'spa',
    totalTime: sectors.reduce((sum, time) => sum + time, 0), ...others,
  });

const people = [registered('ada', 'Ada'), registered('niki', 'Niki')];

/** A fast lap, a slow one that is best in its second sector, and one that is not valid. */
const history = [...people, recorded('1', [30, 40]), recorded('2', [50, 35]), recorded('3', [1, 1], { valid: false })];

async function boardAfter(...events: readonly Told[]): Promise<JsonObject | null> {
  return (await givenHistory(builtInProjections, ...history, ...events)).thenDocument(leaderboards, 'cup:ada');
}

describe('leaderboards projection', () => {
  it('gathers what the valid laps of a participant in an event come to', async () => {
    expect(await boardAfter()).to.deep.include({
      eventId: 'cup', participantId: 'ada', participantName: 'Ada Racer', laps: 3, validLaps: 2,
      bestLap: { lapId: '1', totalTime: 70, sectors: [30, 40], car: 'car', trackId: 'spa', createdAt: minute(2) },
      bestSectors: [30, 35], theoreticalBest: 65, _board: 'cup', _position: 5,
    });
  });

  it('has no best where there is no valid lap', async () => {
    const { thenDocument } = await givenHistory(builtInProjections, ...people, recorded('1', [1], { valid: false }));
    expect(await thenDocument(leaderboards, 'cup:ada')).to.deep.include({
      laps: 1, validLaps: 0, bestLap: null, bestSectors: [], theoreticalBest: null, _board: null,
    });
  });

  const changes: readonly (readonly [Told, JsonObject])[] = [
    [recorded('4', [60, 60, 60]), { laps: 4, validLaps: 3, bestSectors: [30, 35, 60], theoreticalBest: null }],
    [told('lap-1', 'LapCorrected', { sectors: [45, 45], totalTime: 90 }),
      { bestSectors: [45, 35], theoreticalBest: 80 }],
    [told('lap-1', 'LapInvalidated'), { laps: 3, validLaps: 1, bestSectors: [50, 35], theoreticalBest: 85 }],
    [told('lap-3', 'LapValidated'), { laps: 3, validLaps: 3, bestSectors: [1, 1], theoreticalBest: 2 }],
    [told('lap-1', 'LapReassigned', { from: 'ada', to: 'niki' }), { laps: 2, validLaps: 1, bestSectors: [50, 35] }],
    [told('lap-1', 'LapMovedToEvent', { from: 'cup', to: 'x' }), { laps: 2, validLaps: 1, bestSectors: [50, 35] }],
    [told('lap-3', 'LapMovedToEvent', { from: 'cup', to: 'x' }), { laps: 2, validLaps: 2, bestSectors: [30, 35] }],
    [told('lap-1', 'LapTrackCorrected', { from: 'spa', to: 'monza' }), { _trackId: '', _car: 'car' }],
    [told('lap-1', 'LapCarCorrected', { from: 'car', to: 'kart' }), { _trackId: 'spa', _car: '' }],
    [told('participant-ada', 'ParticipantRenamed', { firstName: 'Augusta', lastName: 'King' }),
      { participantName: 'Augusta King', laps: 3 }],
  ];
  for (const [event, shows] of changes) {
    it(`follows ${event.type} of ${event.stream}`, async () => {
      expect(await boardAfter(event)).to.deep.include({ ...shows, _position: 6 });
    });
  }

  it('takes no notice of a move to another rig', async () => {
    expect(await boardAfter(told('lap-1', 'LapMovedToRig', { from: 'rig', to: 'x' }))).to.include({ _position: 5 });
  });

  it('gives a lap that moves to the board of its new event and participant', async () => {
    const { thenDocument } = await givenHistory(
      builtInProjections, ...history,
      told('lap-1', 'LapReassigned', { from: 'ada', to: 'niki' }),
      told('lap-1', 'LapMovedToEvent', { from: 'cup', to: 'trophy' }),
    );
    expect(await thenDocument(leaderboards, 'cup:niki')).to.include({ laps: 0, validLaps: 0, _board: null });
    expect(await thenDocument(leaderboards, 'trophy:niki')).to.deep.include({
      participantName: 'Niki Racer', laps: 1, validLaps: 1, bestSectors: [30, 40], _board: 'trophy',
    });
    expect(await thenDocument(lapDepartures, '1:cup')).to.include({ lapId: '1', eventId: 'cup' });
  });

  it('says that it is not sure once all good laps that it kept are gone, until a better one comes', async () => {
    const many = Array.from({ length: 30 }, (_, n) => recorded(`m${n}`, [10 + n, 10 + n]));
    const gone = Array.from({ length: 15 }, (_, n) => told(`lap-m${n}`, 'LapInvalidated'));
    expect(await boardAfter(...many)).to.deep.include({ validLaps: 32, bestSectors: [10, 10] });
    expect(await boardAfter(...many, ...gone)).to.include({ validLaps: 17, _rank: '', _board: 'cup' });
    expect(await boardAfter(...many, ...gone, recorded('b', [5, 5]))).to.deep.include({ bestSectors: [5, 5] })
      .and.not.include({ _rank: '' });
  });
});
