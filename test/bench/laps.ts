import { z } from 'zod';
import type { NewEvent } from '../../src/service/kernel/ports/event-store.ts';
import { type Ids } from '../../src/service/kernel/ports/system.ts';

/** What laps need to exist, made through the API, and the tokens of the rigs' keys by the ids of the rigs. */
export const Fixtures = z.object({
  tokens: z.record(z.string(), z.string()),
  apiKeyId: z.string(),
  licenseId: z.string(),
  participantIds: z.array(z.string()),
  rigIds: z.array(z.string()),
  eventIds: z.array(z.string()),
  carIds: z.array(z.string()),
  trackIds: z.array(z.string()),
});

export type Fixtures = z.output<typeof Fixtures>;

/** Start of the laps' times: fixed, so that every run stores the same. Laps follow each other by this many ms. */
const FIRST_LAP_AT = Date.UTC(2025, 0, 1);
const LAP_EVERY_MS = 137;

const FASTEST_SECTOR_MS = 21_000;
const SECTOR_SPREAD_MS = 9_000;

/** The body of the n-th lap: always the same one, with times and references that are spread as in real data. */
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

/** The n-th lap as the event that the command handler would append to a stream of its own. */
export function lapEvent(fixtures: Fixtures, n: number, ids: Ids): NewEvent {
  const { apiKeyId, licenseId } = fixtures;
  const occurredAt = new Date(FIRST_LAP_AT + n * LAP_EVERY_MS).toISOString();
  const [id, commandId, correlationId] = [ids.random(), ids.random(), ids.random()];
  const metadata = { version: 1, occurredAt, commandId, correlationId, apiKeyId, licenseId };
  return { id, type: 'LapRecorded', data: lapBody(fixtures, n), metadata };
}

/** The n-th participant of a crowd as the event that the command handler would append. */
export function participantEvent({ apiKeyId, licenseId }: Fixtures, n: number, ids: Ids): NewEvent {
  const [id, commandId, correlationId] = [ids.random(), ids.random(), ids.random()];
  const metadata = {
    version: 1,
    occurredAt: new Date(FIRST_LAP_AT).toISOString(),
    commandId,
    correlationId,
    apiKeyId,
    licenseId,
  };
  const data = {
    licenseId: ids.random(),
    firstName: 'Ayrton',
    lastName: `Tester ${n}`,
    email: `competitor${n}@bench.example`,
    phoneNumber: '+49 89 000000',
    extraFieldsJson: {},
  };
  return { id, type: 'ParticipantRegistered', data, metadata };
}

/** The finishing steps of MurmurHash3: neighbours get numbers that have nothing to do with each other. */
function scattered(n: number): number {
  let bits = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
