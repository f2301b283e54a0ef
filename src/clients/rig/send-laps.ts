import { setTimeout as pause } from 'node:timers/promises';
import { retryUntilAnswered, Refused, type Connection } from '../connection.ts';
import type { KnownRig } from './identity.ts';
import type { LapQueue, QueuedLap } from './lap-queue.ts';

/** Most laps in a batch; fewer if the service refuses a body of that size. */
const BATCH_LAPS = 1_000;
/** Pause, in ms, before a lap is sent again because the service could not say what became of it. */
const RETRY_MS = 500;

/** What is needed to send laps. */
export interface Sending {
  readonly queue: LapQueue;
  readonly client: Connection;
  /** Whether a lap is known to be recorded, so that it is not sent again. */
  readonly isRecorded: (lap: QueuedLap) => boolean;
  readonly signal: AbortSignal;
}

/**
 * The test whether a waiting lap was recorded with an earlier key of the rig. Its answer may have been lost, and with a
 * key of another licence the lap would be recorded a second time.
 */
export async function recordedBefore(
  { queue, client, signal }: Omit<Sending, 'isRecorded'>,
  { id: rigId, keySince }: Pick<KnownRig, 'id' | 'keySince'>,
): Promise<Sending['isRecorded']> {
  const isDoubtful = ({ sequence: { boot } }: QueuedLap): boolean => Number(boot) < keySince;
  if (!queue.next(queue.waiting).some(isDoubtful)) return () => false;
  const completeness = () => client.GET('/api/v1/rigs/{rigId}/completeness', { params: { path: { rigId } } });
  const { data } = await retryUntilAnswered(completeness, signal);
  const boots = new Map(data.rigs[0]?.boots.map((one) => [one.boot, one]));
  return (lap) => {
    const { number, boot } = lap.sequence;
    const { expected = 0, missing = [] } = boots.get(boot) ?? {};
    const isMissing = missing.some(([first = 0, last = 0]) => first <= number && number <= last);
    return isDoubtful(lap) && number <= expected && !isMissing;
  };
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
    const waiting = queue.next(most);
    const recorded = waiting.findIndex(sending.isRecorded);
    if (recorded === 0) {
      queue.settle(1);
      continue;
    }
    const laps = recorded < 0 ? waiting : waiting.slice(0, recorded);
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
  const refused = settled.flatMap((outcome, n) => {
    const lap = laps[n];
    return outcome.verdict === 'rejected' && lap !== undefined ? [{ lap, problem: outcome.problem }] : [];
  });
  queue.putAside(refused);
  queue.settle(settled.length);
  if (again === 0) await pause(RETRY_MS, undefined, { signal });
  return refused.length;
}
