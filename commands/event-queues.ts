import { z } from 'zod';
import { commandsFrom } from '../src/domain/body-command.ts';
import { Id, listOf, Moment } from '../src/domain/facts.ts';
import { dequeuedFrom, queuedIn, waitsIn, type Waiting } from '../src/domain/queue-order.ts';
import { references } from '../src/domain/references.ts';
import { decider } from '../src/kernel/aggregate/decider.ts';
import { reject, type Rejection } from '../src/kernel/aggregate/rejection.ts';
import { eventType, type EventOf } from '../src/kernel/event-types.ts';

/** Most people who may wait in one queue. */
export const MAX_QUEUE = 1_000;

/** Somebody who waits for a seat, and since when. */
const Entry = z.object({ participantId: Id, since: Moment });

/** Somebody waits at the end of the queue from now on. */
const Queued = Entry.extend({ eventId: Id });

const Dequeued = z.object({ eventId: Id, participantId: Id });

/** The whole queue, in order. */
const Arranged = z.object({ eventId: Id, queue: listOf(Entry) });

export const eventQueueEvents = {
  DriverQueued: eventType(Queued),
  DriverDequeued: eventType(Dequeued),
  QueueArranged: eventType(Arranged),
};
type QueueEvent = EventOf<typeof eventQueueEvents>;

/** Who waits for a seat in an event, in order. */
export interface EventQueue {
  readonly eventId: string;
  readonly queue: readonly Waiting[];
}

interface QueueDriver {
  readonly eventId: string;
  readonly participantId: string;
  readonly now: string;
}

interface DequeueDriver {
  readonly participantId: string;
}

interface ArrangeQueue {
  readonly eventId: string;
  readonly participantIds: readonly string[];
  readonly now: string;
}

export type EventQueueCommand =
  | { readonly type: 'QueueDriver'; readonly data: QueueDriver }
  | { readonly type: 'DequeueDriver'; readonly data: DequeueDriver }
  | { readonly type: 'ArrangeQueue'; readonly data: ArrangeQueue };

export const eventQueueDecider = decider<EventQueue, EventQueueCommand, typeof eventQueueEvents>({
  category: 'eventQueue',
  events: eventQueueEvents,
  evolve: {
    DriverQueued: (state, { eventId, participantId, since }) => ({
      eventId,
      queue: queuedIn(state?.queue ?? [], { participantId, since }),
    }),
    DriverDequeued: (state, { eventId, participantId }) => ({
      eventId,
      queue: dequeuedFrom(state?.queue ?? [], participantId),
    }),
    QueueArranged: (_, { eventId, queue }) => ({ eventId, queue }),
  },
  decide: {
    QueueDriver(state, { eventId, participantId, now }): readonly QueueEvent[] | Rejection {
      const queue = state?.queue ?? [];
      if (waitsIn(queue, participantId)) return [];
      if (queue.length >= MAX_QUEUE)
        return reject('INVALID', `No more than ${MAX_QUEUE} people may wait for an event.`, '/participantId');
      return [{ type: 'DriverQueued', data: { eventId, participantId, since: now } }];
    },
    DequeueDriver(state, { participantId }): readonly QueueEvent[] {
      if (state === null || !waitsIn(state.queue, participantId)) return [];
      return [{ type: 'DriverDequeued', data: { eventId: state.eventId, participantId } }];
    },
    ArrangeQueue(state, { eventId, participantIds, now }): readonly QueueEvent[] | Rejection {
      const twice = participantIds.findIndex((id, n) => participantIds.indexOf(id) < n);
      if (twice >= 0) return reject('INVALID', 'Somebody waits once at most.', `/participantIds/${twice}`);
      const before = state?.queue ?? [];
      const isSame =
        before.length === participantIds.length &&
        before.every(({ participantId }, n) => participantId === participantIds[n]);
      if (isSame) return [];
      const since = new Map(before.map((waiting) => [waiting.participantId, waiting.since]));
      const queue = participantIds.map((participantId) => ({ participantId, since: since.get(participantId) ?? now }));
      return [{ type: 'QueueArranged', data: { eventId, queue } }];
    },
  },
});

/** The command also says the time: `now` is given beside the path. */
export const arrangeQueue = commandsFrom('ArrangeQueue', {
  body: z.object({
    participantIds: references('participant', 'Everybody who waits, the next one first; each once.', {
      most: MAX_QUEUE,
    }),
  }),
  commands: ({ participantIds }, { eventId = '', now = '' }) => [
    { type: 'ArrangeQueue', data: { eventId, participantIds, now } } as const,
  ],
});
