import { CARS, LAYOUTS, PEOPLE, RIGS } from '../../../src/clients/demo/data.ts';
import type { PlannedLap } from '../../../src/clients/demo/lap-plan.ts';
import type { HistoryEvent } from '../kernel/projecting.ts';

const LICENSE = 'license-of-the-demo';
/** The demo's first lap, and the time from one to the next. */
const FIRST_LAP = Date.UTC(2026, 0, 10, 9);
const LAP_EVERY_MS = 40_000;

/** When the n-th lap of the history (from 0) was recorded. */
export const demoLapAt = (n: number): string => new Date(FIRST_LAP + n * LAP_EVERY_MS).toISOString();

/** The demo's venue as events; ids are the demo's stable names (e-mail addresses, slugs, …). */
export function demoHistory(laps: readonly PlannedLap[]): readonly HistoryEvent[] {
  return [
    ...PEOPLE.map(({ email, firstName, lastName, phoneNumber }) => ({
      stream: `participant-${email}`,
      type: 'ParticipantRegistered',
      data: { licenseId: LICENSE, firstName, lastName, email, phoneNumber, extraFieldsJson: {} },
    })),
    ...RIGS.flatMap(({ hardwareId, name }) => [
      { stream: `rig-${hardwareId}`, type: 'RigRegistered', data: { hardwareId, licenseId: LICENSE } },
      { stream: `rig-${hardwareId}`, type: 'RigRenamed', data: { name } },
    ]),
    ...LAYOUTS.map(({ track: trackId, slug, ...layout }) => ({
      stream: `trackLayout-${slug}`,
      type: 'TrackLayoutAdded',
      data: { ...layout, slug, trackId, trackMap: '', trackImages: [], enabled: true },
    })),
    ...CARS.map(({ key, modelName }) => ({
      stream: `car-${key}`,
      type: 'CarAdded',
      data: { brandId: 'brand', modelName, carClassId: 'class', enabled: true },
    })),
    ...laps.map(({ number, person, rig, car, layout, sectors, totalTime, valid }, n) => ({
      stream: `lap-${number}`,
      type: 'LapRecorded',
      at: demoLapAt(n),
      data: {
        participantId: person,
        rigId: rig,
        eventId: 'event',
        sectors,
        totalTime,
        valid,
        carId: car,
        trackId: layout,
      },
    })),
  ];
}
