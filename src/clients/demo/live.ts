import { setTimeout as pause } from 'node:timers/promises';
import type { Output } from '../../tools/cli/progress.ts';
import { create, type Venue } from './api.ts';
import { PEOPLE, RIGS } from './data/venue.ts';
import { Interrupted } from './http-client.ts';
import { lapRequest, type LapReferences } from './laps.ts';
import { driveLap, liveStint, plannedLap, type PlannedLap } from './lap-plan.ts';
import { randomFrom } from './random.ts';
import type { KeyHolder } from './venue.ts';

/** A lap comes in when it has been driven, but after no less and no more than this, in ms. */
const LAP_EVERY = { least: 60_000, most: 120_000 };

/** Share of the laps that are found to be invalid, how long after they came in, in ms, and why. */
const SUSPECT_SHARE = 0.06;
const REVIEW_AFTER_MS = 15_000;
const REASONS = ['All four wheels off', 'Cut the chicane', 'Off the track at the last corner'];

/** Options of an evening at the venue. */
export interface LiveOptions {
  readonly venue: Venue;
  readonly references: LapReferences;
  /** How many times as fast as at a venue. */
  readonly pace: number;
  readonly out: Pick<Output, 'write'>;
  /** Aborts at its end. */
  readonly signal: AbortSignal;
}

interface Evening extends LiveOptions {
  /** Tells its laps from those of other evenings. */
  readonly name: string;
  readonly random: () => number;
  /** Who sits on a rig at present, by e-mail address. */
  readonly driving: Set<string>;
}

/**
 * Drives laps on all rigs at a venue's pace until `signal` aborts: drivers change, and now and then a lap is found to be
 * invalid. Other laps each time. Throws `DemoError`.
 */
export async function driveLive(options: LiveOptions): Promise<void> {
  const now = Date.now();
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const evening = { ...options, signal, name: now.toString(36), random: randomFrom(now), driving: new Set<string>() };
  const driven = await Promise.allSettled(
    // When one fails, the others end, too.
    options.references.rigs.map((rig) => driveRig(evening, rig).finally(() => failed.abort())),
  );
  for (const one of driven) {
    if (one.status === 'rejected' && !(one.reason instanceof Interrupted)) throw one.reason;
  }
}

/** Stints on one rig, one after the other. Throws `Interrupted` when the evening ends. */
async function driveRig(evening: Evening, rig: KeyHolder): Promise<never> {
  const { random, driving } = evening;
  // The rigs do not start at the same moment.
  await wait(evening, random() * LAP_EVERY.least);
  for (let laps = 0; ;) {
    const stint = liveStint(random, rig.name, driving);
    driving.add(stint.person.email);
    for (let lap = 0; lap < stint.laps; lap += 1) {
      laps += 1;
      const number = `live-${evening.name}-${rig.name}-${laps}`;
      await driveOne(evening, plannedLap(stint, { number, ...driveLap(random, stint, lap), valid: true }));
    }
    driving.delete(stint.person.email);
  }
}

/** Drives a lap and sends it, to be found invalid some moments later now and then. */
async function driveOne(evening: Evening, lap: PlannedLap): Promise<void> {
  const { venue, references, random } = evening;
  await wait(evening, Math.min(Math.max(lap.totalTime, LAP_EVERY.least), LAP_EVERY.most));
  const request = { path: '/api/v1/laps', kind: 'lap', name: lap.number, ...lapRequest(lap, references) };
  const { id } = await create(venue.send, request);
  say(evening, lap, formatTime(lap.totalTime));
  if (random() >= SUSPECT_SHARE) return;
  await wait(evening, REVIEW_AFTER_MS);
  const reason = REASONS[Math.floor(random() * REASONS.length)] ?? '';
  const path = `/api/v1/laps/${id}`;
  await venue.send({ method: 'PATCH', path, token: venue.token, body: { valid: false, reason }, expect: [200, 202] });
  say(evening, lap, `${formatTime(lap.totalTime)} does not count: ${reason}`);
}

/** Waits for so many ms of the venue's time. Throws `Interrupted` when the evening ends. */
async function wait({ pace, signal }: Evening, ms: number): Promise<void> {
  // Only the signal ends it early.
  await pause(ms / pace, undefined, { signal }).catch(() => undefined);
  if (signal.aborted) throw new Interrupted();
}

function say({ out }: Evening, { rig, person }: PlannedLap, what: string): void {
  const { name = rig } = RIGS.find(({ hardwareId }) => hardwareId === rig) ?? {};
  const { firstName = person, lastName = '' } = PEOPLE.find(({ email }) => email === person) ?? {};
  out.write(`${new Date().toISOString().slice(11, 19)}  ${name}  ${firstName} ${lastName}  ${what}\n`);
}

const MS_PER_MINUTE = 60_000;

/** A lap time as people write it: 2:17.491. */
function formatTime(ms: number): string {
  const seconds = ((ms % MS_PER_MINUTE) / 1_000).toFixed(3).padStart(6, '0');
  return `${Math.floor(ms / MS_PER_MINUTE)}:${seconds}`;
}
