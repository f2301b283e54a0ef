import type { components } from '../generated/api.ts';
import { pause, Refused, type Connection } from '../connection.ts';
import type { LapStore, QueuedLap } from './lap-queue.ts';
import type { ServiceClock } from './service-clock.ts';

/** Most laps in a batch; fewer if the service refuses a body of that size. */
const BATCH_LAPS = 1_000;
/** Pause, in ms, before laps are sent again because the service did not know of any whether it was recorded. */
const RETRY_MS = 500;
/** Statuses of a refused batch that a single lap may be the cause of; others concern the rig, its key or the address. */
const BY_ONE_LAP: ReadonlySet<number> = new Set([400, 413, 422, 500]);

export interface Sending {
  readonly queue: LapStore;
  readonly client: Connection;
  readonly clock: ServiceClock;
  /** Whether a lap is known to be recorded, so that it is not sent again. */
  readonly isRecorded: (lap: QueuedLap) => boolean;
  /** The driver and event of laps that were driven while nobody sat on the rig; left out: such laps wait. */
  readonly withoutSeat?: SeatSettings;
  readonly signal: AbortSignal;
}

/** Who drives, and in which event, unless the seat of the rig says it. */
export interface SeatSettings {
  readonly participantId: string;
  readonly eventId: string;
}

/** A rig, and the number of the start at which it was given its key; 0: it registered with it. */
interface KeyedRig {
  readonly id: string;
  readonly keySince: number;
}

/** Whether a waiting lap was recorded with an earlier key: with a key of another licence it would count twice. */
export async function recordedBefore(
  { queue, client }: Pick<Sending, 'queue' | 'client'>,
  { id: rigId, keySince }: KeyedRig,
): Promise<Sending['isRecorded']> {
  const isDoubtful = ({ sequence: { boot } }: QueuedLap): boolean => Number(boot) < keySince;
  if (!queue.next(queue.waiting).some(isDoubtful)) return () => false;
  const params = { path: { rigId } };
  const { data } = await client.answered(() => client.GET('/api/v1/rigs/{rigId}/completeness', { params }));
  const boots = new Map(data.rigs[0]?.boots.map((one) => [one.boot, one]));
  return (lap) => {
    const { number, boot } = lap.sequence;
    const { expected = 0, missing = [] } = boots.get(boot) ?? {};
    const isMissing = missing.some(([first = 0, last = 0]) => first <= number && number <= last);
    return isDoubtful(lap) && number <= expected && !isMissing;
  };
}

/**
 * Sends laps until none can be sent; returns how many were refused and put aside. No lap holds up the others: one for
 * which a whole batch is refused is found by halving the batch, and put aside. One that leaves its driver to the seat of
 * the rig, on which nobody sat, stays in the queue and is sent again every few seconds: the venue can still say who it was.
 * @throws {Refused} when the service accepts no laps from this rig at all: they stay in the queue.
 */
export async function sendWaiting(sending: Sending): Promise<number> {
  const { queue } = sending;
  let most = BATCH_LAPS;
  let refused = 0;
  queue.retryDriverless();
  while (queue.sendable > 0) {
    const waiting = queue.next(most);
    try {
      refused += await sendBatch(sending, waiting);
    } catch (error) {
      if (!(error instanceof Refused) || !BY_ONE_LAP.has(error.status)) throw error;
      const { status, message: detail } = error;
      most = waiting.length > 1 ? Math.ceil(waiting.length / 2) : BATCH_LAPS;
      if (waiting.length > 1) continue;
      queue.putAside(waiting.map((lap) => ({ lap, problem: { status, detail } })));
      queue.settle(waiting);
      refused += 1;
    }
  }
  return refused;
}

/** Sends laps once; returns how many were refused. Those without a verdict, or of a wrong clock, come again later. */
async function sendBatch(
  { queue, client, clock, isRecorded, withoutSeat, signal }: Sending,
  waiting: readonly QueuedLap[],
): Promise<number> {
  const laps = waiting.filter((lap) => !isRecorded(lap));
  const send = () => client.POST('/api/v1/laps/batch', { body: { laps } });
  const { results } = laps.length === 0 ? { results: [] } : (await client.answered(send)).data;
  const unknown = laps.filter((_, n) => (results[n]?.verdict ?? 'retry') === 'retry');
  if (unknown.length > 0 && unknown.length === laps.length) {
    await pause(RETRY_MS, signal);
    return 0;
  }
  const rejected = laps.flatMap((lap, n) => {
    const result = results[n];
    return result?.verdict === 'rejected' ? [{ lap, problem: result.problem }] : [];
  });
  const corrections = new Map<QueuedLap, QueuedLap>();
  const driverless: QueuedLap[] = [];
  const refused: Rejected[] = [];
  for (const one of rejected) {
    if (isOfWrongClock(one)) corrections.set(one.lap, corrected(one.lap, clock));
    else if (!hasNoDriver(one)) refused.push(one);
    else if (withoutSeat === undefined) driverless.push(one.lap);
    else corrections.set(one.lap, { ...withoutSeat, ...one.lap });
  }
  queue.putAside(refused);
  // Before it is noted that they wait: whoever looks for them finds them from then on.
  await announce(client, driverless);
  queue.settle(waiting, [...unknown, ...corrections.keys()], driverless);
  queue.correct(corrections);
  return refused.length;
}

/** Reports laps without a driver as sent: the venue then sees that they are missing, and can say who it was. */
async function announce(client: Connection, laps: readonly QueuedLap[]): Promise<void> {
  const highest = new Map<string, QueuedLap>();
  for (const lap of laps) {
    const { boot, number } = lap.sequence;
    if (number > (highest.get(boot)?.sequence.number ?? 0)) highest.set(boot, lap);
  }
  for (const [boot, { rigId, sequence }] of highest) {
    const params = { path: { rigId } };
    const body = { boot, upTo: sequence.number };
    await client.answered(() => client.PUT('/api/v1/rigs/{rigId}/sequence', { params, body }));
  }
}

interface Rejected {
  readonly lap: QueuedLap;
  readonly problem: components['schemas']['Problem'];
}

/** Whether a lap was rejected for its moment, and has one: such a lap was never recorded, so it may be corrected. */
function isOfWrongClock({ lap, problem }: Rejected): boolean {
  return lap.drivenAt !== undefined && problem.errors?.some(({ pointer }) => pointer === '#/drivenAt') === true;
}

/** The fields of a lap that are those of the seat of its rig where they are left out. */
const OF_THE_SEAT: ReadonlySet<string> = new Set(['#/participantId', '#/eventId']);

/** Whether a lap was rejected only because it leaves out who drove it, and nobody sat on the rig. */
function hasNoDriver({ lap, problem: { status, errors = [] } }: Rejected): boolean {
  const isLeftOut = (pointer: string): boolean =>
    OF_THE_SEAT.has(pointer) && (pointer === '#/eventId' ? lap.eventId : lap.participantId) === undefined;
  return status === 422 && errors.length > 0 && errors.every(({ pointer }) => isLeftOut(pointer));
}

/** Without a moment that can be, the service takes that of recording. */
function corrected({ drivenAt = '', ...lap }: QueuedLap, clock: ServiceClock): QueuedLap {
  const moment = clock.correct(drivenAt);
  return moment === undefined ? lap : { ...lap, drivenAt: moment };
}
