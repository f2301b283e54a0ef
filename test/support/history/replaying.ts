import { randomUUID } from 'node:crypto';

const PEOPLE = ['ada', 'ben', 'cleo'];

/** When the n-th lap (from 0) is recorded. */
export const lapTime = (n: number): string => new Date(Date.UTC(2026, 2, 1) + n * 60_000).toISOString();

/** Laps of three drivers in turn, each 1 ms faster than the one before. */
export function laps(count: number, first = 0) {
  return Array.from({ length: count }, (_, k) => {
    const n = first + k;
    const data = {
      participantId: PEOPLE[n % PEOPLE.length] ?? '',
      rigId: 'rig',
      eventId: 'event',
      sectors: [40_000, 50_000 - n],
      totalTime: 90_000 - n,
      valid: true,
      carId: 'car',
      trackId: 'track',
    };
    const metadata = { version: 1, occurredAt: lapTime(n), commandId: `c${n}`, correlationId: `r${n}` };
    return { stream: `lap-${n}`, event: { id: randomUUID(), type: 'LapRecorded', data, metadata } };
  });
}

/**
 * A module for `sim-racing-timing replay` that keeps each participant's best lap and counts their laps; `body` comes
 * first in its handler.
 */
export function moduleOf(body = ''): string {
  return `
import { lapEvents, projection, table } from 'sim-racing-timing';

type Best = { ms: number; at: string; sectors: readonly number[]; count: number; note: string | null; _last: number };

const best = table<Best>('best');

export default projection(best, { own: {}, others: lapEvents }, {
  LapRecorded: async ({ data, at, recorded }, look) => {
    ${body}
    const before = await look(best, data.participantId);
    const count = (before?.count ?? 0) + 1;
    const fields = { ms: data.totalTime, at, sectors: data.sectors, count, _last: recorded.position };
    if (before !== null) return best.set(data.participantId, fields);
    return best.insert(data.participantId, { ...fields, note: null });
  },
});
`;
}

/** The same module in JavaScript. */
export function plainModuleOf(body = ''): string {
  return moduleOf(body)
    .replace(/^type .*$/m, '')
    .replace('<Best>', '');
}

/** The module's output for `count` laps. */
export function bestOf(count: number) {
  return PEOPLE.map((id, k) => {
    const n = Math.floor((count - 1 - k) / PEOPLE.length) * PEOPLE.length + k;
    const laps = Math.floor(n / PEOPLE.length) + 1;
    return { id, ms: 90_000 - n, at: lapTime(n), sectors: [40_000, 50_000 - n], count: laps, note: null };
  });
}
