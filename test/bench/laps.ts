import { systemIds } from '../../infra/system/system.ts';
import type { NewEvent } from '../../src/kernel/ports/event-store.ts';

export const ADMIN_TOKEN = 'bench-bootstrap-admin-token';

/** What laps refer to, made through the API, and the tokens of the rigs' keys by rig id. */
export interface Fixtures {
  readonly tokens: Readonly<Record<string, string>>;
  readonly apiKeyId: string;
  readonly licenseId: string;
  readonly participantIds: readonly string[];
  readonly rigIds: readonly string[];
  readonly eventIds: readonly string[];
  readonly carIds: readonly string[];
  readonly trackIds: readonly string[];
}

/** The time of the first lap and the interval between laps, fixed so that every run stores the same. */
const FIRST_LAP_AT = Date.UTC(2025, 0, 1);
const LAP_EVERY_MS = 137;

const FASTEST_SECTOR_MS = 21_000;
const SECTOR_SPREAD_MS = 9_000;

/** The body of the n-th lap: always the same, with times and references spread as in real data. */
export function lapBody(fixtures: Fixtures, n: number) {
  const sectors = [0, 1, 2].map((sector) => FASTEST_SECTOR_MS + (scattered(n * 3 + sector) % SECTOR_SPREAD_MS));
  const pick = (ids: readonly string[], salt: number): string => ids[scattered(n * 7 + salt) % ids.length] ?? '';
  return {
    participantId: pick(fixtures.participantIds, 1),
    rigId: pick(fixtures.rigIds, 2),
    eventId: pick(fixtures.eventIds, 3),
    sectors,
    totalTime: sectors.reduce((sum, sector) => sum + sector, 0),
    valid: scattered(n) % 20 > 0,
    carId: pick(fixtures.carIds, 4),
    trackId: pick(fixtures.trackIds, 5),
  };
}

/** A lap as the event that the command handler would append, and its id. */
export interface NewLap {
  readonly id: string;
  readonly event: NewEvent;
}

/** Makes laps one after the other, before time is taken. */
export function lapMaker(fixtures: Fixtures) {
  let next = 0;
  return (count: number): NewLap[] =>
    Array.from({ length: count }, () => {
      const n = next++;
      const at = FIRST_LAP_AT + n * LAP_EVERY_MS;
      return {
        id: systemIds.next(),
        event: eventOf(fixtures, { type: 'LapRecorded', data: lapBody(fixtures, n), at }),
      };
    });
}

/** Drivers, as the events that register them, and fixtures with which all laps are theirs, in the first event. */
export function crowd(fixtures: Fixtures, drivers: number) {
  const participantIds = Array.from({ length: drivers }, () => systemIds.next());
  const participants = participantIds.map((id, n) => {
    const person = { firstName: 'Ayrton', lastName: `Tester ${n}`, phoneNumber: '+49 89 000000' };
    const email = `competitor${n}@bench.example`;
    const data = { licenseId: systemIds.random(), ...person, email, extraFieldsJson: {} };
    const event = eventOf(fixtures, { type: 'ParticipantRegistered', data, at: FIRST_LAP_AT });
    return { stream: `participant-${id}`, event };
  });
  return { participants, fixtures: { ...fixtures, participantIds, eventIds: fixtures.eventIds.slice(0, 1) } };
}

/** An event as of a time, in ms since 1970. */
function eventOf(
  { apiKeyId, licenseId }: Fixtures,
  { type, data, at }: Pick<NewEvent, 'type' | 'data'> & { readonly at: number },
): NewEvent {
  const id = systemIds.random();
  const commandId = systemIds.random();
  const correlationId = systemIds.random();
  const occurredAt = new Date(at).toISOString();
  return { id, type, data, metadata: { version: 1, occurredAt, commandId, correlationId, apiKeyId, licenseId } };
}

/** The finalizer of MurmurHash3: neighbours get unrelated numbers. */
function scattered(n: number): number {
  let bits = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
