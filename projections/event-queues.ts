import { eventQueueEvents } from '../commands/event-queues.ts';
import { rigSeatEvents } from '../commands/rig-seats.ts';
import { dequeuedFrom, queuedIn, waitsIn, type Waiting } from '../src/domain/queue-order.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** Who waits for a seat in an event, in order; its id is that of the event. */
export type EventQueueDocument = DocumentMeta & {
  readonly eventId: string;
  readonly queue: readonly Waiting[];
  /** When the newest event of the queue itself happened, ISO 8601: a seat that somebody takes is none. */
  readonly updatedAt: string;
};

export const eventQueues = readModel<EventQueueDocument>('eventQueues', { category: 'eventQueue', indexes: [] });

/**
 * Whoever takes a seat in the event waits no longer, by that very event: also where the process died that was about to
 * record it in the queue. Handlers look up the document that they change. Where it is ahead of the event, the change is
 * refused, whatever was found.
 */
export const eventQueuesProjection = projection(
  eventQueues,
  { own: eventQueueEvents, others: rigSeatEvents },
  {
    DriverQueued: async ({ data: { eventId, participantId, since }, id, at }, look) => {
      const before = await look(eventQueues, id);
      if (before === null) return eventQueues.insert(id, { eventId, queue: [{ participantId, since }], updatedAt: at });
      return eventQueues.set(id, { queue: queuedIn(before.queue, { participantId, since }), updatedAt: at });
    },
    DriverDequeued: async ({ data: { participantId }, id, at }, look) => {
      const before = await look(eventQueues, id);
      return eventQueues.set(id, { queue: dequeuedFrom(before?.queue ?? [], participantId), updatedAt: at });
    },
    QueueArranged: ({ data: { eventId, queue }, id, at, recorded }) =>
      recorded.revision === 0
        ? eventQueues.insert(id, { eventId, queue, updatedAt: at })
        : eventQueues.set(id, { queue, updatedAt: at }),
    DriverSeated: async ({ data: { eventId, participantId } }, look) => {
      const before = await look(eventQueues, eventId);
      if (before === null || !waitsIn(before.queue, participantId)) return null;
      return eventQueues.set(eventId, { queue: dequeuedFrom(before.queue, participantId) });
    },
  },
);
