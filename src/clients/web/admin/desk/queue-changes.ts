import { objectsOf, sameJson, textOf } from '../../shared/json.ts';
import { ifMatch, Refused, type Client } from '../api/client.ts';

/** How often a change is tried on a queue that others change, and the time between two attempts in ms. */
const ATTEMPTS = { most: 20, everyMs: 100 };

/** A change of a queue: the ids of those who wait after it, by those before. */
export type QueueChange = (participantIds: readonly string[]) => readonly string[];

/** A queue after a change. */
export interface ChangedQueue {
  readonly participantIds: readonly string[];
  /** Whether the change made any difference. */
  readonly isChanged: boolean;
}

/**
 * Changes the queue of an event. Where somebody else has changed it meanwhile, the change is made of their queue.
 * @throws {Refused | Unanswered}
 */
export async function changeQueue(
  client: Pick<Client, 'get' | 'send'>,
  eventId: string,
  change: QueueChange,
): Promise<ChangedQueue> {
  const path = `/api/v1/events/${encodeURIComponent(eventId)}/queue`;
  for (let attempt = 1; ; attempt += 1) {
    const { json, etag } = await client.get(path);
    const before = objectsOf(json).map(({ participantId }) => textOf(participantId));
    const participantIds = change(before);
    if (sameJson(before, participantIds)) return { participantIds, isChanged: false };
    try {
      await client.send('PUT', path, { body: { participantIds }, headers: ifMatch(etag) });
      return { participantIds, isChanged: true };
    } catch (error) {
      const isOutdated = error instanceof Refused && error.status === 412;
      if (!isOutdated || attempt === ATTEMPTS.most) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, ATTEMPTS.everyMs));
  }
}

/** Somebody waits at the end; whoever waits already keeps their place. */
export function appended(participantId: string): QueueChange {
  return (ids) => (ids.includes(participantId) ? ids : [...ids, participantId]);
}

export function takenOut(participantId: string): QueueChange {
  return (ids) => ids.filter((id) => id !== participantId);
}

/** Somebody moves by some places; the ends of the queue hold them. */
export function moved(participantId: string, places: number): QueueChange {
  return (ids) => {
    const from = ids.indexOf(participantId);
    if (from < 0) return ids;
    const to = Math.min(Math.max(from + places, 0), ids.length - 1);
    return ids.filter((id) => id !== participantId).toSpliced(to, 0, participantId);
  };
}

/** Somebody takes the place of another one. */
export function movedTo(participantId: string, otherId: string): QueueChange {
  return (ids) => {
    const from = ids.indexOf(participantId);
    const to = ids.indexOf(otherId);
    return from < 0 || to < 0 ? ids : moved(participantId, to - from)(ids);
  };
}
