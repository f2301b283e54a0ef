import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { JsonObject } from '../../../src/service/kernel/json.ts';
import { Shooter, type Outcome } from './shots.ts';

/** Interval between two attempts to read a lap back, and how often it is tried. */
const AGAIN_MS = 100;
const TIMES = 1_200;

/** Time after the end of a race, in ms, after which laps that are not answered count as lost. */
const GIVE_UP_MS = 120_000;

const UNSENT: Outcome = { status: 'unsent', body: '' };

const Made = z.object({ id: z.string() });

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
}

/** What became of the laps of a race. */
export interface Finish {
  readonly sent: number;
  /** ms from when each lap was due until it was answered, ascending; Infinity: it was refused, or not answered. */
  readonly latencies: readonly number[];
  /** Laps that were refused, by status. */
  readonly refused: Readonly<Record<string, number>>;
  /** Laps that were sent and cannot be read. */
  readonly lost: number;
}

/**
 * Lets rigs send laps at a pace, each rig one at a time, and reads all of them back. A lap that waits for the one before
 * counts from when it was due.
 */
export async function race({ url, localAddress, rigs, perSecond, ms, lap }: Race): Promise<Finish> {
  const { hostname: host, port } = new URL(url);
  const shooter = new Shooter({ host, port: Number(port), localAddress });
  const count = Math.floor((ms / 1_000) * perSecond);
  const [latencies, ids]: [number[], string[]] = [[], []];
  const refused: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + ms + GIVE_UP_MS;
  const drive = async (rig: number): Promise<void> => {
    for (let n = rig; n < count; n += rigs) {
      const dueAt = startedAt + (n * 1_000) / perSecond;
      await wait(Math.max(0, dueAt - performance.now()));
      const { status, body } = performance.now() < endsAt ? await post(shooter, lap(n)) : UNSENT;
      const isRecorded = status === '201' || status === '202';
      latencies.push(isRecorded ? performance.now() - dueAt : Infinity);
      if (isRecorded) ids.push(Made.parse(JSON.parse(body)).id);
      else refused[status] = (refused[status] ?? 0) + 1;
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
  return { sent: count, latencies: latencies.sort((a, b) => a - b), refused, lost: count - read };
}

function post(shooter: Shooter, { token, body }: RigLap): Promise<Outcome> {
  const headers = { 'X-API-Key': token, 'Content-Type': 'application/json' };
  return shooter.send({ method: 'POST', path: '/api/v1/laps', headers, body: JSON.stringify(body) }, true);
}

/** Whether a lap is shown, now or soon: the answer 202 comes before the read models. */
async function isShown(shooter: Shooter, id: string): Promise<boolean> {
  for (let n = 0; n < TIMES; n += 1) {
    const { status } = await shooter.send({ path: `/api/v1/laps/${id}` });
    if (status === '200') return true;
    await wait(AGAIN_MS);
  }
  return false;
}
