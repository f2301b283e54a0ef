import { EVENT_TYPES } from '../../src/service/resources/built-in.ts';
import { COPIES_STREAM } from '../../src/service/resources/copy-events.ts';
import type { NewEvent, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { DEAD_LETTER_RETRIED } from '../../src/kernel/projection/dead-letters.ts';
import type { Resource } from '../support/api/resources.ts';
import { expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { goodBody, resourcesOf } from '../support/api/resources.ts';
import { upload } from '../support/api/uploads.ts';
import { startService } from '../support/api/service.ts';
import { createLicense, createVenue, registerRig, type Venue } from '../support/api/venue.ts';
import { gathered, newEvent } from '../support/event-store/events.ts';
import { withStores } from '../support/processes/rebuilding.ts';

/** Number of changes per resource: fields get new values each time, and flags get both values. */
const CHANGES = 3;

/** Creates a resource, changes it several times, and deletes it if that is possible. */
async function live(admin: Client, resource: Resource, { change }: Resource): Promise<void> {
  const body = await resource.body();
  const path = resource.pathOf(resource.unwrap(await admin.create(resource.path, body)));
  for (let row = 0; row < CHANGES; row += 1) {
    const next = goodBody(change, row);
    // Each name of a participant may be empty, but not both.
    await admin.change(path, next['lastName'] === '' ? { ...next, lastName: 'Racer' } : next);
  }
  if (resource.entry.deletes !== true) return;
  await admin.delete(path);
  await admin.create(resource.path, body);
}

/** Makes a history with every type of event through the API of a service. */
export async function recordedHistory(): Promise<readonly RecordedEvent[]> {
  const service = await startService();
  const { client: admin, dataDir } = service;
  const here = await createVenue(admin);
  const there = await createVenue(admin);
  const elsewhere = resourcesOf(there, admin);
  for (const [name, resource] of resourcesOf(here, admin)) await live(admin, resource, elsewhere.get(name) ?? resource);
  // Unique keys move to unused values.
  await admin.change(`/api/v1/signup-fields/${here.signupFieldId}`, { eventId: there.eventId });
  const { licenseId } = await createLicense(admin);
  await admin.change(`/api/v1/participants/${here.participantId}`, { licenseId });
  for (const publicNames of ['nickname', 'initial'])
    await admin.change(`/api/v1/licenses/${licenseId}`, { publicNames });
  for (const finishedAt of ['2026-05-01T22:00:00Z', null])
    await admin.change(`/api/v1/events/${here.eventId}`, { finishedAt });
  const walkIn = { firstName: 'Walk', lastName: 'In', nickname: 'Walker', eventId: here.eventId };
  const walkedIn = idOf(await admin.create('/api/v1/check-ins', walkIn));
  const code = textOf(await admin.create('/api/v1/rig-pairings', { name: 'Rig 7' }), 'code');
  const redemption = { code, hardwareId: 'hw-paired' };
  expectStatus(await admin.as(null).post('/api/v1/rig-pairings/redemption', redemption), 201);
  for (const upTo of [0, 7]) expectStatus(await admin.put(`/api/v1/rigs/${here.rigId}/sequence`, { boot: 'b', upTo }), 200);
  await takeSeats(admin, here, there);
  await waitForSeats(admin, here, there);
  expectStatus(await upload(admin, 'LOGO/venue.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'), 201);
  for (const path of [`licenses/${licenseId}/rotate-key`, `api-keys/${here.managerKeyId}/rotate`]) {
    expectStatus(await admin.send('POST', `/api/v1/${path}`), 200);
  }
  const events = await withStores(dataDir, async ({ store, ids }) => {
    const rebuildId = ids.next();
    // Earlier versions recorded these events for requested rebuilds.
    const rebuild = [
      newEvent('RebuildRequested', { rebuildId }),
      newEvent('RebuildStarted', { rebuildId, generation: 'built-in-2' }),
      newEvent('RebuildEnded', { rebuildId, error: null }),
    ];
    await store.append('rebuild-built-in', rebuild, 'no_stream');
    // Check-ins record this.
    const waiting = { eventId: there.eventId, participantId: there.participantId, since: '2026-05-01T18:00:00.000Z' };
    await store.append(`eventQueue-${there.eventId}`, [newEvent('DriverQueued', waiting)], 'no_stream');
    await store.append(`participant-${walkedIn}`, [newEvent('ParticipantErased', {})], 'any');
    // Commands record this.
    const copied = newEvent('PersonalDataCopied', { what: 'backup', where: '/srv/backups/friday', by: 'operator' });
    await store.append(COPIES_STREAM, [copied], 'no_stream');
    await store.append(`trackLayout-${ids.next()}`, [layoutAddedByRelease1(here.trackId)], 'no_stream');
    return gathered(store.readAll(null));
  });
  await service.close();
  return events;
}

/** Arranges who waits for a seat; the first one takes it. */
async function waitForSeats(admin: Client, here: Venue, there: Venue): Promise<void> {
  const { eventId } = here;
  const participantIds = [there.participantId, here.participantId];
  expectStatus(await admin.put(`/api/v1/events/${eventId}/queue`, { participantIds }), 200);
  const { rigId } = await registerRig(admin, here.licenseId);
  expectStatus(await admin.put(`/api/v1/rigs/${rigId}/seat`, { participantId: there.participantId, eventId }), 200);
}

/** Seats drivers on rigs: one leaves, one gives place to another, and it turns out where they had been before. */
async function takeSeats(admin: Client, here: Venue, there: Venue): Promise<void> {
  const { rigId } = await registerRig(admin, here.licenseId);
  const seatOf = (rig: string): string => `/api/v1/rigs/${rig}/seat`;
  const { eventId } = here;
  for (const { participantId } of [here, there])
    expectStatus(await admin.put(seatOf(here.rigId), { participantId, eventId }), 200);
  // The first driver had been on the other rig all the time.
  const from = '2026-05-01T18:00:00.000Z';
  expectStatus(await admin.put(seatOf(rigId), { participantId: here.participantId, eventId: there.eventId, from }), 200);
  expectStatus(await admin.delete(seatOf(rigId)), 204);
}

/** A layout as release 0.1.0 recorded it: in version 1, without `minLapTime`. */
function layoutAddedByRelease1(trackId: string): NewEvent {
  return newEvent('TrackLayoutAdded', {
    displayName: 'Grand Prix 2024',
    slug: 'grand-prix-2024',
    type: 'PERMANENT_ROAD',
    trackId,
    length: 7004,
    firstUsage: 2007,
    lastUsage: 2024,
    cornerCount: 1,
    cornerNames: ['La Source'],
    trackMap: 'TRACK/grand-prix-2024.svg',
    trackImages: [],
    enabled: true,
  });
}

/**
 * Event types missing from a history, each version as `<type> v<version>`; without retries, which need dead letters and
 * change no document.
 */
export function typesMissingIn(events: readonly RecordedEvent[]): readonly string[] {
  const seen = new Set(events.map(({ type, metadata }) => `${type} v${metadata.version}`));
  const all = Object.entries(EVENT_TYPES).flatMap(([type, { version }]) =>
    type === DEAD_LETTER_RETRIED ? [] : Array.from({ length: version }, (_, before) => `${type} v${before + 1}`),
  );
  return all.filter((one) => !seen.has(one));
}
