import { setTimeout as pause } from 'node:timers/promises';
import { PEOPLE, RIGS } from './data.ts';
import { sendLap, type LapReferences } from './laps.ts';
import { driveLap, liveStint, plannedLap, type PlannedLap } from './lap-plan.ts';
import { randomFrom } from './random.ts';
import type { Venue } from './resources.ts';

/** Bounds, in ms, of the time after which a lap arrives: otherwise, as long as it takes to drive. */
const LAP_EVERY = { least: 60_000, most: 120_000 };

/** Share of the laps that are found to be invalid, how long after their arrival, in ms, and why. */
const SUSPECT_SHARE = 0.06;
const REVIEW_AFTER_MS = 15_000;
const REASONS = ['All four wheels off', 'Cut the chicane', 'Off the track at the last corner'];

export interface LiveOptions {
  readonly venue: Venue;
  readonly references: LapReferences;
  /** How many times as fast as at a venue. */
  readonly pace: number;
  readonly out: { write(text: string): unknown };
  readonly signal: AbortSignal;
}

interface Evening extends LiveOptions {
  /** Distinguishes its laps from those of other evenings. */
  readonly name: string;
  readonly random: () => number;
  /** Who sits on a rig at present, by e-mail address. */
  readonly driving: Set<string>;
}

/**
 * Drives laps on all rigs at a venue's pace until `signal` aborts: drivers change, and now and then a lap is found to
 * be invalid. Each call drives different laps. @throws {Failure}
 */
export async function driveLive(options: LiveOptions): Promise<void> {
  const now = Date.now();
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const evening = { ...options, signal, name: now.toString(36), random: randomFrom(now), driving: new Set<string>() };
  try {
    await Promise.all(options.references.rigs.map(({ name }) => driveRig(evening, name)));
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    stop.abort(); // When one rig fails, the others stop, too.
  }
}

/** Stints on one rig, one after the other. @throws the reason of the signal when the evening ends */
async function driveRig(evening: Evening, rig: string): Promise<never> {
  const { random, driving } = evening;
  // The rigs do not start at the same moment.
  await wait(evening, random() * LAP_EVERY.least);
  for (let laps = 0; ;) {
    const stint = liveStint(random, rig, driving);
    driving.add(stint.person.email);
    for (let lap = 0; lap < stint.laps; lap += 1) {
      laps += 1;
      const number = `live-${evening.name}-${rig}-${laps}`;
      await driveOne(evening, plannedLap(number, stint, { ...driveLap(random, stint, lap), valid: true }));
    }
    driving.delete(stint.person.email);
  }
}

/** Drives a lap and sends it; some are found to be invalid moments later. */
async function driveOne(evening: Evening, lap: PlannedLap): Promise<void> {
  const { venue, references, random } = evening;
  await wait(evening, Math.min(Math.max(lap.totalTime, LAP_EVERY.least), LAP_EVERY.most));
  const { id } = await sendLap(venue, references, lap);
  say(evening, lap, formatTime(lap.totalTime));
  if (random() >= SUSPECT_SHARE) return;
  await wait(evening, REVIEW_AFTER_MS);
  const reason = REASONS[Math.floor(random() * REASONS.length)] ?? '';
  const request = { params: { path: { lapId: id } }, body: { valid: false, reason } };
  await venue.client.answered(() => venue.client.PATCH('/api/v1/laps/{lapId}', request));
  say(evening, lap, `${formatTime(lap.totalTime)} does not count: ${reason}`);
}

/** Waits for so many ms of the venue's time. @throws the reason of the signal when the evening ends */
async function wait({ pace, signal }: Evening, ms: number): Promise<void> {
  await pause(ms / pace, undefined, { signal });
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
