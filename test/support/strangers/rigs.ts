import { setTimeout as wait } from 'node:timers/promises';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { Shooter } from './shots.ts';

/** Interval between two attempts to read a lap back, and how often it is tried. */
const RETRY_MS = 100;
const MAX_ATTEMPTS = 1_200;

/** Time after the end of a race, in ms, after which laps that are not answered count as lost. */
const GIVE_UP_MS = 120_000;

/** A lap that a rig sends. */
export interface RigLap {
  readonly token: string;
  readonly body: JsonObject;
}

export interface Race {
  /** Each with the connection that it keeps. */
  readonly rigs: readonly Shooter[];
  /** Laps per second of all rigs together. */
  readonly perSecond: number;
  readonly ms: number;
  /** The n-th lap, of the rig `n % rigs.length`. */
  readonly lap: (n: number) => RigLap;
  /** Called as soon as a lap is recorded, with the status of the answer. */
  readonly onRecorded?: (id: string, status: string) => void;
}

/** Rigs with a connection each, which opens with the first lap and stays open until `close`. */
export function connectRigs(url: string, localAddress: string, count: number): readonly Shooter[] {
  const { hostname: host, port } = new URL(url);
  return Array.from({ length: count }, () => new Shooter({ host, port: Number(port), localAddress }));
}

export function disconnectRigs(rigs: readonly Shooter[]): void {
  for (const rig of rigs) rig.close();
}

/** What became of the laps of a race. */
export type Finish = Awaited<ReturnType<typeof race>>;

/**
 * Lets rigs send laps at a pace, each rig one at a time, and reads all of them back. A lap that waits for the one before
 * counts from when it was due.
 */
export async function race(race: Race) {
  const { rigs, perSecond, ms, lap, onRecorded = () => undefined } = race;
  const count = Math.floor((ms / 1_000) * perSecond);
  /** ms from when each lap was due until it was answered; Infinity: it was refused, or not answered. */
  const latencies: number[] = [];
  const ids: string[] = [];
  /** Laps that were refused, by status. */
  const refused: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + ms + GIVE_UP_MS;
  const drive = async (rig: Shooter, first: number): Promise<void> => {
    for (let n = first; n < count; n += rigs.length) {
      const dueAt = startedAt + (n * 1_000) / perSecond;
      await wait(Math.max(0, dueAt - performance.now()));
      const { status, id } = performance.now() < endsAt ? await post(rig, lap(n)) : { status: 'unsent', id: null };
      latencies.push(id === null ? Infinity : performance.now() - dueAt);
      if (id === null) refused[status] = (refused[status] ?? 0) + 1;
      else {
        onRecorded(id, status);
        ids.push(id);
      }
    }
  };
  const timer = setTimeout(() => disconnectRigs(rigs), ms + GIVE_UP_MS);
  await Promise.all(rigs.map(drive));
  clearTimeout(timer);
  const [reader] = rigs;
  let read = 0;
  for (const id of ids) if (reader !== undefined && (await isShown(reader, id))) read += 1;
  // Lost is what was sent and cannot be read.
  return { sent: count, latencies: latencies.sort((a, b) => a - b), refused, lost: count - read };
}

/** Sends a lap; resolves to its id, or null where it is refused. */
async function post(shooter: Shooter, { token, body }: RigLap) {
  const headers = { 'X-API-Key': token, 'Content-Type': 'application/json' };
  const shot = { method: 'POST', path: '/api/v1/laps', headers, body: JSON.stringify(body) };
  const { status, body: text } = await shooter.send(shot, true);
  // The view of a lap has its id.
  const recorded = status === '201' || status === '202' ? (JSON.parse(text) as { readonly id: string }) : null;
  return { status, id: recorded?.id ?? null };
}

/** Whether a lap is shown, now or soon: the answer 202 comes before the read models. */
async function isShown(shooter: Shooter, id: string): Promise<boolean> {
  for (let n = 0; n < MAX_ATTEMPTS; n += 1) {
    const { status } = await shooter.send({ path: `/api/v1/laps/${id}` });
    if (status === '200') return true;
    await wait(RETRY_MS);
  }
  return false;
}

/** Percentile of ascending values; infinite where there are none. */
export function percentile(ascending: readonly number[], part: number): number {
  return ascending[Math.floor((ascending.length - 1) * part)] ?? Infinity;
}
