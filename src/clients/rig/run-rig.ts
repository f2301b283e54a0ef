import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, Refused, type Connection } from '../connection.ts';
import { startRig, type KnownRig, type RigDirectory } from './identity.ts';
import { LapQueue } from '../delivery/lap-queue.ts';
import { recordedBefore, sendWaiting, type Sending } from '../delivery/send-laps.ts';
import { ServiceClock } from '../delivery/service-clock.ts';

export interface Drive extends RigDirectory {
  readonly laps: number;
  /** Time between two laps, in ms. */
  readonly everyMs: number;
  /** Time, in ms, for which it first drives without the service. */
  readonly offlineMs: number;
  /** The event; null: the first that has a car and a layout. */
  readonly eventId: string | null;
  /** Whether laps leave out driver and event, which are then those of the seat of the rig. */
  readonly seated: boolean;
}

export type Driven = Awaited<ReturnType<typeof runRig>>;

/**
 * Drives laps and sends them: each is on disk before it is sent, and sent until the service has given its final answer.
 * At the end the rig states what it has sent, and asks what has arrived.
 * @throws {Refused} when the service accepts nothing from this rig; the laps stay on disk for the next start.
 */
export async function runRig(drive: Drive) {
  const { directory, url, signal, waiting } = drive;
  mkdirSync(directory, { recursive: true });
  const rig = await startRig(drive);
  const client = connect({ url, token: rig.token, signal, waiting });
  const venue = connect({ url, token: drive.venueToken, signal, waiting });
  const clock = new ServiceClock();
  for (const one of [client, venue]) one.use({ onResponse: ({ request, response }) => clock.learn(request, response) });
  const facts = await factsFor(venue, drive);
  await joinEvent(venue, facts.eventId, rig.id);
  const queue = new LapQueue(directory);
  const stop = new AbortController();
  try {
    const isRecorded = await recordedBefore({ queue, client }, rig);
    const driving = driveLaps(queue, { ...drive, rig, facts, clock, signal: AbortSignal.any([signal, stop.signal]) });
    const [refused] = await Promise.all([
      sendAll({ queue, client, clock, isRecorded, signal }, { ...drive, driving }),
      driving,
    ]);
    const completeness = await settle(client, rig.id, queue.highest);
    return { rigId: rig.id, laps: queue.driven, refused, completeness };
  } catch (error) {
    throw error instanceof Refused && KEY_REFUSED.has(error.status) ? needsKey(error, rig, queue) : error;
  } finally {
    stop.abort(); // Nothing is driven once nothing is sent.
  }
}

/** Statuses of answers that are about the key, not about the laps. */
const KEY_REFUSED: ReadonlySet<number> = new Set([401, 403]);

function needsKey({ status, message }: Refused, { id }: KnownRig, { waiting }: LapQueue): Refused {
  const advice = `its licence issues one by POST /api/v1/rigs/${id}/key; start the rig with --rig-key then`;
  return new Refused(status, `${message}\nThe rig needs a new key: ${advice}. ${waiting} laps wait.`);
}

/** Who drives what, where: an event with a car and a layout, and the participant of the licence. */
async function factsFor(venue: Connection, { eventId }: Drive) {
  const { data: events } = await venue.answered(() => venue.GET('/api/v1/events'));
  const fits = events.find((one) => (eventId === null || one.id === eventId) && one.carIds.length > 0);
  const carId = fits?.carIds[0];
  const trackId = fits?.trackLayoutIds[0];
  if (fits === undefined || carId === undefined || trackId === undefined)
    throw new Refused(404, 'There is no event with a car and a layout to drive in: `npm run demo` makes some');
  const { data: license } = await venue.answered(() => venue.GET('/api/v1/licenses/current'));
  const driver = { firstName: 'Test', lastName: 'Driver', email: 'driver@example.org', phoneNumber: '' };
  const body = { licenseId: license.id, ...driver };
  const { data: participant } = await venue.answered(() => venue.POST('/api/v1/participants', { body }));
  return { participantId: participant.id, eventId: fits.id, carId, trackId };
}

/** Puts the rig on the event's list, as an admin would: only then may it drive in an event of another licence. */
async function joinEvent(venue: Connection, eventId: string, rigId: string): Promise<void> {
  const path = { eventId };
  const join = async () => {
    const found = await venue.GET('/api/v1/events/{eventId}', { params: { path } });
    if (found.data === undefined || found.data.rigIds.includes(rigId)) return found;
    const header = { 'If-Match': found.response.headers.get('etag') ?? '*' };
    const body = { rigIds: [...found.data.rigIds, rigId] };
    const joined = await venue.PATCH('/api/v1/events/{eventId}', { body, params: { path, header } });
    if (joined.response.status === 412) throw new Error('somebody else has changed the event meanwhile');
    return joined;
  };
  await venue.answered<object>(join);
}

interface Driving extends Drive {
  readonly rig: KnownRig;
  readonly facts: Awaited<ReturnType<typeof factsFor>>;
  readonly clock: ServiceClock;
}

async function driveLaps(queue: LapQueue, driving: Driving): Promise<void> {
  const { laps, everyMs, rig, facts, seated, clock, signal } = driving;
  const { carId, trackId } = facts;
  const stated = seated ? { carId, trackId } : facts;
  for (let number = 1; queue.driven < laps; number += 1) {
    await pause(everyMs, undefined, { signal });
    const sectors = [0, 1, 2].map(() => 40_000 + Math.floor(Math.random() * 3_000));
    queue.add({
      ...stated,
      rigId: rig.id,
      sectors,
      totalTime: sectors.reduce((sum, time) => sum + time, 0),
      valid: Math.random() < 0.95,
      drivenAt: new Date(clock.now()).toISOString(),
      sequence: { boot: rig.boot, number },
      key: `${rig.id}/${rig.boot}/${number}`,
    });
  }
}

/** Sends the laps that are there or are added, until all are driven and settled. */
async function sendAll(
  sending: Sending & { readonly queue: LapQueue },
  { offlineMs, laps, signal, driving, waiting }: Drive & { readonly driving: Promise<void> },
): Promise<number> {
  const { queue } = sending;
  const drivenSoFar = (): string =>
    queue.driverless.length > 0
      ? `somebody to be seated on the rig: ${queue.driverless.length} laps have no driver`
      : `laps to be driven: ${queue.driven} of ${laps} are, ${queue.waiting} are to be sent`;
  return waiting.during(drivenSoFar, async () => {
    await pause(offlineMs, undefined, { signal });
    let refused = 0;
    for (;;) {
      refused += await sendWaiting(sending);
      if (queue.driven >= laps && queue.waiting === 0) return refused;
      const idle = pause(IDLE_MS, undefined, { signal });
      await (queue.driven < laps ? Promise.race([driving, idle]) : idle);
    }
  });
}

/** Interval, in ms, at which it looks for laps to send. */
const IDLE_MS = 200;

async function settle(client: Connection, rigId: string, boots: ReadonlyMap<string, number>) {
  const params = { path: { rigId } };
  for (const [boot, upTo] of boots) {
    await client.answered(() => client.PUT('/api/v1/rigs/{rigId}/sequence', { params, body: { boot, upTo } }));
  }
  const { data } = await client.answered(() => client.GET('/api/v1/rigs/{rigId}/completeness', { params }));
  return data.rigs[0] ?? { rigId, boots: [] };
}
