import type { Head, Row } from '../../../src/clients/web/live/messages.ts';

/** An instant on the example's evening. */
export const exampleTime = (second: number): string => new Date(Date.UTC(2026, 4, 1, 18, 0, second)).toISOString();

/** The head of a board with two sectors. */
export const exampleHead: Head = {
  eventId: 'e',
  eventName: 'Evening',
  trackLayoutId: 't',
  trackDisplayName: 'Spa',
  layouts: [],
  bestSectors: [
    { sector: 1, time: 40, participantId: 'a', participantName: 'A' },
    { sector: 2, time: 50, participantId: 'b', participantName: 'B' },
  ],
  theoreticalBest: 90,
  asOf: null,
  state: 'live',
  startsAt: null,
  endsAt: null,
  finishedAt: null,
};

/** The row of a driver who has driven one lap, of two sectors. */
export function exampleRow(participantId: string, position: number, totalTime: number): Row {
  return {
    position,
    participantId,
    participantName: participantId.toUpperCase(),
    bestLap: {
      lapId: `${participantId}1`,
      totalTime,
      sectors: [totalTime - 50, 50],
      car: 'c',
      carDisplayName: 'Car',
      carBrandDisplayName: 'Maker',
      trackId: 't',
      trackDisplayName: 'Spa',
      drivenAt: exampleTime(position),
      createdAt: exampleTime(position),
    },
    bestLapNumber: 1,
    lastLap: { lapId: `${participantId}1`, totalTime, valid: true, drivenAt: exampleTime(position) },
    gapToLeader: null,
    gapToNext: null,
    laps: 1,
    validLaps: 1,
    bestSectors: [totalTime - 50, 50],
    theoreticalBest: totalTime,
  };
}
