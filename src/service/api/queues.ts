import { z } from 'zod';
import { arrangeQueue, eventQueueDecider, type EventQueueCommand } from '../../../commands/event-queues.ts';
import { eventQueues } from '../../../projections/event-queues.ts';
import { QueueEntryView, shownQueue } from '../../../queries/event-queues.ts';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import { readOne } from '../../domain/documents.ts';
import { waitsIn } from '../../domain/queue-order.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { CommandHandler } from '../../kernel/aggregate/command-handler.ts';
import type { EventStore, Position } from '../../kernel/ports/event-store.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import type { CheckpointReader } from '../../kernel/projection/checkpoint-waiter.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import { itemBase } from './endpoint-base.ts';
import { requireNotErased } from './erased-participants.ts';
import type { ReferencedResources } from './references.ts';
import { originOf, requireSuccess, type RequestCommands, type Sender } from './request-commands.ts';
import { idFromPath, withWholeNames, type ReadSources } from './views.ts';
import type { WriteAnswers } from './write-answers.ts';

const QUEUE = '/api/v1/events/{eventId}/queue';

const { category } = eventQueueDecider;

/** Revision of a queue in which nobody has ever waited: no tag of it names any that was recorded. */
const NO_REVISION = -1;

/** Longest wait, in ms, for the read models to show who has taken a seat. */
const SEATS_MS = 2_000;

interface EventQueuesOptions {
  readonly handler: CommandHandler;
  readonly commands: Pick<RequestCommands, 'authorization'>;
  readonly aggregates: Aggregates;
  readonly store: Pick<EventStore, 'head'>;
  readonly models: ReadModels;
  readonly checkpointWaiter: Pick<CheckpointReader, 'waitFor'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The queues of events, for requests that change them on the way. */
export class EventQueues {
  readonly #options: EventQueuesOptions;

  constructor(options: EventQueuesOptions) {
    this.#options = options;
  }

  /** Judges whether a sender may change the queue of an event that exists. @throws {Problem} 403 */
  async requireAllowed(sender: Sender, eventId: string): Promise<void> {
    const { commands, aggregates } = this.#options;
    const { state, created } = await aggregates.load(eventQueueDecider, streamOf(category, eventId));
    const authorize = commands.authorization(sender, category, { id: eventId, change: { eventId } });
    const rejection = await authorize(created === null ? null : { state, created });
    if (rejection !== null) throw problemOf(rejection);
  }

  /**
   * Puts somebody at the end of the queue of an event; whoever waits already keeps their place. It asks nobody whether the
   * sender may do so, nor whether the event and the participant exist. Returns the position of the newest event of the queue.
   * @throws {Problem} 400 when too many wait
   */
  async append(sender: Sender, eventId: string, participantId: string): Promise<Position> {
    const { models, checkpointWaiter, store, clock } = this.#options;
    const now = new Date(clock.now()).toISOString();
    const queue: EventQueueCommand = { type: 'QueueDriver', data: { eventId, participantId, now } };
    const { recorded, position } = await this.#handle(sender, eventId, [queue]);
    if (recorded) return position;
    // They wait already by the stream of the queue. If they have taken a seat since, in a request that broke off, they wait
    // no longer: the read model knows.
    await checkpointWaiter.waitFor((await store.head()) ?? 0, SEATS_MS);
    const shown = await readOne(models, eventQueues, eventId);
    if (shown === null || waitsIn(shown.queue, participantId)) return position;
    const dequeue: EventQueueCommand = { type: 'DequeueDriver', data: { participantId } };
    return (await this.#handle(sender, eventId, [dequeue, queue])).position;
  }

  /** Takes somebody out of the queue of an event, since they take a seat. Returns the position of its newest event. */
  async remove(sender: Sender, eventId: string, participantId: string): Promise<Position> {
    const { aggregates } = this.#options;
    const { state, position } = await aggregates.load(eventQueueDecider, streamOf(category, eventId));
    if (state === null || !waitsIn(state.queue, participantId)) return position ?? 0;
    const dequeue: EventQueueCommand = { type: 'DequeueDriver', data: { participantId } };
    return (await this.#handle(sender, eventId, [dequeue])).position;
  }

  async #handle(sender: Sender, eventId: string, commands: readonly EventQueueCommand[]) {
    const origin = originOf(sender);
    return requireSuccess(
      await this.#options.handler.handle({ decider: eventQueueDecider, id: eventId, commands, origin }),
    );
  }
}

interface QueueReadServices {
  readonly reads: ReadSources;
  readonly references: ReferencedResources;
}

interface QueueServices extends QueueReadServices {
  readonly handler: CommandHandler;
  readonly commands: RequestCommands;
  readonly aggregates: Aggregates;
  readonly answers: WriteAnswers;
  readonly queues: EventQueues;
  readonly clock: Clock;
}

/** Endpoints of the queue of an event (docs/interface.md#queue). */
export function queueEndpoints(services: QueueServices): readonly Endpoint[] {
  return [getQueueEndpoint(services), arrangeQueueEndpoint(services)];
}

function getQueueEndpoint({ reads, references }: QueueReadServices): Endpoint {
  return endpoint({
    ...itemBase('GET', QUEUE, racingEventQuery),
    operationId: 'getQueue',
    summary: 'List who waits for a seat in an event',
    description: 'In the order in which they are to drive.',
    access: 'public',
    features: ['etag'],
    responses: { 200: z.array(QueueEntryView) },
    async handle({ params, caller }) {
      const eventId = idFromPath(params);
      await references.requireExisting('event', eventId);
      const document = await readOne(reads.models, eventQueues, eventId);
      const queue = await shownQueue(reads.models, document?.queue ?? []);
      const body = await withWholeNames(reads, queue, caller);
      const revision = document?._revision ?? NO_REVISION;
      return { kind: 'resource', status: 200, revision, updatedAt: document?.updatedAt ?? null, body };
    },
  });
}

function arrangeQueueEndpoint(services: QueueServices): Endpoint {
  const { reads, references, commands, handler, aggregates, answers, queues, clock } = services;
  return endpoint({
    ...itemBase('PUT', QUEUE, racingEventQuery),
    operationId: 'arrangeQueue',
    summary: 'Say who waits for a seat in an event, and in which order',
    description: 'Replaces the whole queue. Whoever stays in it keeps `since`.',
    access: 'CRUD',
    features: ['etag', 'if-match', 'respond-async'],
    body: arrangeQueue.body,
    responses: { 200: z.array(QueueEntryView) },
    problems: [409, 422],
    async handle(request) {
      const eventId = idFromPath(request.params);
      await references.requireExisting('event', eventId);
      await commands.check(arrangeQueue, request);
      const { state } = await aggregates.load(eventQueueDecider, streamOf(category, eventId));
      // Whoever waits already may have been erased since.
      const before = state?.queue ?? [];
      const joining = request.body.participantIds
        .map((id, n) => ({ id, pointer: `/participantIds/${n}` }))
        .filter(({ id }) => !waitsIn(before, id));
      await requireNotErased(aggregates, joining);
      if (state === null && request.body.participantIds.length === 0) {
        await queues.requireAllowed(request, eventId);
        return { kind: 'resource', status: 200, revision: NO_REVISION, updatedAt: null, body: [] };
      }
      const now = new Date(clock.now()).toISOString();
      const command = commands.request(request, {
        decider: eventQueueDecider,
        id: eventId,
        expected: request.headers.ifMatch,
        commands: arrangeQueue.commands(request.body, { eventId, now }),
        change: { eventId },
      });
      const outcome = requireSuccess(await handler.handle(command));
      await answers.waitUntilReadable(outcome.position, request);
      const queue = await shownQueue(reads.models, outcome.state?.queue ?? []);
      const body = await withWholeNames(reads, queue, request.caller);
      return { kind: 'resource', status: 200, revision: outcome.revision, updatedAt: outcome.updatedAt, body };
    },
  });
}
