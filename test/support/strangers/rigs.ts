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
  readonly url: string;
  /** Local address of the rigs. */
  readonly localAddress: string;
  readonly rigs: number;
  /** Laps per second of all rigs together. */
  readonly perSecond: number;
  readonly ms: number;
  /** The n-th lap, of the rig `n % rigs`. */
  readonly lap: (n: number) => RigLap;
  /** Called as soon as a lap is recorded, with the status of the answer. */
  readonly onRecorded?: (id: string, status: string) => void;
}

/** What became of the laps of a race. */
export type Finish = Awaited<ReturnType<typeof race>>;

/**
 * Lets rigs send laps at a pace, each rig one at a time, and reads all of them back. A lap that waits for the one before
 * counts from when it was due.
 */
export async function race(race: Race) {
  const { url, localAddress, rigs, perSecond, ms, lap, onRecorded = () => undefined } = race;
  const { hostname: host, port } = new URL(url);
  const shooter = new Shooter({ host, port: Number(port), localAddress });
  const count = Math.floor((ms / 1_000) * perSecond);
  /** ms from when each lap was due until it was answered; Infinity: it was refused, or not answered. */
  const latencies: number[] = [];
  const ids: string[] = [];
  /** Laps that were refused, by status. */
  const refused: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + ms + GIVE_UP_MS;
  const drive = async (rig: number): Promise<void> => {
    for (let n = rig; n < count; n += rigs) {
      const dueAt = startedAt + (n * 1_000) / perSecond;
      await wait(Math.max(0, dueAt - performance.now()));
      const { status, id } = performance.now() < endsAt ? await post(shooter, lap(n)) : { status: 'unsent', id: null };
      latencies.push(id === null ? Infinity : performance.now() - dueAt);
      if (id === null) refused[status] = (refused[status] ?? 0) + 1;
      else {
        onRecorded(id, status);
        ids.push(id);
      }
    }
  };
  const timer = setTimeout(() => {
    shooter.close();
  }, ms + GIVE_UP_MS);
  await Promise.all(Array.from({ length: rigs }, (_, rig) => drive(rig)));
  clearTimeout(timer);
  let read = 0;
  for (const id of ids) if (await isShown(shooter, id)) read += 1;
  shooter.close();
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
