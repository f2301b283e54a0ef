import { setTimeout as pause } from 'node:timers/promises';
import { retryUntilAnswered, Refused, type Connection } from '../connection.ts';
import type { LapQueue, QueuedLap } from './lap-queue.ts';

/** Most laps in a batch; fewer if the service refuses a body of that size. */
const BATCH_LAPS = 1_000;
/** Pause, in ms, before a lap is sent again because the service could not say what became of it. */
const RETRY_MS = 500;

/** What is needed to send laps. */
export interface Sending {
  readonly queue: LapQueue;
  readonly client: Connection;
  readonly signal: AbortSignal;
}

/**
 * Sends laps until none waits; returns how many were refused and put aside.
 * @throws {Refused} when the service accepts no laps from this rig at all: they stay in the queue.
 */
export async function sendWaiting(sending: Sending): Promise<number> {
  const { queue } = sending;
  let most = BATCH_LAPS;
  let refused = 0;
  while (queue.waiting > 0) {
    const laps = queue.next(most);
    try {
      refused += await sendBatch(sending, laps);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 413) throw error;
      if (laps.length === 1) throw error;
      most = Math.ceil(laps.length / 2);
    }
  }
  return refused;
}

/** Sends laps once, and settles them up to the first one that is to be sent again; returns how many were refused. */
async function sendBatch({ queue, client, signal }: Sending, laps: readonly QueuedLap[]): Promise<number> {
  const body = { laps: [...laps] };
  const { data } = await retryUntilAnswered(() => client.POST('/api/v1/laps/batch', { body }), signal);
  const { results } = data;
  const again = results.findIndex(({ verdict }) => verdict === 'retry');
  const settled = again < 0 ? results : results.slice(0, again);
  const refused = settled.flatMap(({ verdict, problem }, n) => {
    const lap = laps[n];
    return verdict === 'rejected' && lap !== undefined ? [{ lap, problem }] : [];
  });
  queue.putAside(refused);
  queue.settle(settled.length);
  if (again === 0) await pause(RETRY_MS, undefined, { signal });
  return refused.length;
}
