import type { z } from 'zod';
import { eventQueueDecider, MAX_QUEUE } from '../../../commands/event-queues.ts';
import { checkInCommand, CheckInBody, participantDecider } from '../../../commands/participants.ts';
import { checkInLicenseNames, licenseDecider } from '../../../commands/licenses.ts';
import { participants } from '../../../projections/participants.ts';
import { signupFields } from '../../../projections/signup-fields.ts';
import { participantQuery } from '../../../queries/participants.ts';
import { streamAll } from '../../domain/documents.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { CommandHandler } from '../../kernel/aggregate/command-handler.ts';
import { reject } from '../../kernel/aggregate/rejection.ts';
import type { Origin } from '../../kernel/event-types.ts';
import type { EventMetadata, EventStore, Position } from '../../kernel/ports/event-store.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';
import { pause, type Clock, type Ids } from '../../kernel/ports/system.ts';
import type { CheckpointReader } from '../../kernel/projection/checkpoint-waiter.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import { newLicenseKey } from '../access/authenticator.ts';
import { endpoint, type ApiRequest, type Endpoint, type EndpointResponse } from '../http/endpoint.ts';
import { Problem, problemOf } from '../http/problems.ts';
import type { Logger } from '../observability/log.ts';
import { createOutageLog } from '../observability/outage-log.ts';
import { participantResource } from '../resources/participants.ts';
import { endpointBase } from './endpoint-base.ts';
import type { EventQueues } from './queues.ts';
import type { ReferencedResources } from './references.ts';
import { identityOf, requireSuccess, type RequestCommands, type Sender } from './request-commands.ts';
import type { ReadApi } from './views.ts';
import { AcceptedView, ANSWERED, REPLAYED, type WriteAnswers } from './write-answers.ts';

const PATH = '/api/v1/check-ins';

/** The services that check-ins take. */
interface CheckInServices {
  readonly reads: Pick<ReadApi, 'models'>;
  readonly handler: CommandHandler;
  readonly aggregates: Aggregates;
  readonly references: ReferencedResources;
  readonly commands: RequestCommands;
  readonly answers: WriteAnswers;
  readonly queues: Pick<EventQueues, 'append'>;
  readonly ids: Ids;
}

/**
 * POST of a check-in: a participant and the licence for them in one step, both of the caller's licence. One event makes it
 * true, that of the participant; the licence follows from it (docs/decisions/0030-check-ins.md).
 */
export function checkInEndpoint(services: CheckInServices): Endpoint {
  return endpoint({
    ...endpointBase('POST', PATH, participantQuery),
    operationId: 'checkIn',
    summary: 'Check somebody in',
    description:
      'Registers a participant under a licence that is made for them, without a key. Both belong to the licence of the ' +
      'calling key; what an ADMIN key checks in belongs to ADMIN. With an event, they wait at the end of its queue. `email` is required where a signup field of the event ' +
      `that must be filled in asks for one. ${ANSWERED} Under one Idempotency-Key it may be sent again.`,
    access: 'CRUD',
    body: CheckInBody,
    responses: { 201: participantQuery.view, 202: AcceptedView },
    problems: [422],
    handle: (request) => checkIn(services, request),
  });
}

type CheckInRequest = ApiRequest<undefined, undefined, z.output<typeof CheckInBody>>;

async function checkIn(services: CheckInServices, request: CheckInRequest): Promise<EndpointResponse> {
  const { handler, aggregates, references, commands, answers, ids } = services;
  const { body, caller } = request;
  await references.check({ eventId: 'event' }, request);
  const identity = identityOf(ids, PATH, request);
  const { id, fingerprint } = identity;
  const first = fingerprint === undefined ? null : await aggregates.firstOf(streamOf(participantDecider.category, id));
  // A retry is what it was, whatever the event asks for by now.
  if (first === null) {
    await requireEmail(services, body);
    await requireRoom(services, body);
  }
  const venueId = caller === null || caller.role === 'ADMIN' ? null : caller.licenseId;
  const command = checkInCommand(body, id, venueId);
  const { position, recorded } = requireSuccess(
    await handler.handle(
      commands.request(request, { decider: participantDecider, ...identity, fresh: true, commands: [command] }),
    ),
  );
  const completedAt = await completeCheckIn(services, request, id);
  return answers.answer(request, {
    query: participantQuery,
    id,
    location: `${participantResource.path}/${id}`,
    position: Math.max(position, completedAt),
    status: 201,
    headers: recorded ? {} : REPLAYED,
  });
}

/** @throws {Problem} 400 where a form of the event must be filled in with an e-mail address, and there is none */
async function requireEmail(
  { reads: { models } }: Pick<CheckInServices, 'reads'>,
  { eventId, email }: CheckInRequest['body'],
): Promise<void> {
  if (eventId === undefined || email !== '') return;
  for await (const fields of streamAll(models, signupFields, { where: { eventId } })) {
    const asking = fields.find(({ type, required }) => type === 'EMAIL' && required);
    if (asking !== undefined)
      throw problemOf(reject('INVALID', 'The signup form of the event asks for an e-mail address.', '/email'));
  }
}

/** @throws {Problem} 400 where too many wait for the event */
async function requireRoom(
  { aggregates }: Pick<CheckInServices, 'aggregates'>,
  { eventId }: CheckInRequest['body'],
): Promise<void> {
  if (eventId === undefined) return;
  const { state } = await aggregates.load(eventQueueDecider, streamOf(eventQueueDecider.category, eventId));
  if ((state?.queue.length ?? 0) < MAX_QUEUE) return;
  throw problemOf(reject('INVALID', `No more than ${MAX_QUEUE} people may wait for an event.`, '/eventId'));
}

type Completion = Pick<CheckInServices, 'handler' | 'aggregates' | 'queues'>;

/**
 * Does what follows from a check-in that is recorded: puts the participant at the end of the queue of the event, and then
 * issues the licence. Where the licence is there, all has been done: whoever has taken a seat since is not to wait again.
 * @returns the position of the newest event of what was done
 * @throws {StoreUnavailable}
 */
async function completeCheckIn(services: Completion, sender: Sender, participantId: string): Promise<Position> {
  const { aggregates } = services;
  const license = await aggregates.firstOf(streamOf(licenseDecider.category, participantId));
  const queuedAt = license === null ? await appendToQueue(services, sender, participantId) : 0;
  return Math.max(queuedAt, await issueLicenseOf(services, participantId, sender.deadline));
}

/** Lets a participant wait for the event that they were checked in for, if there is one. */
async function appendToQueue(
  { aggregates, queues }: Completion,
  sender: Sender,
  participantId: string,
): Promise<Position> {
  const stream = streamOf(participantDecider.category, participantId);
  const { state } = await aggregates.load(participantDecider, stream);
  const eventId = state?.eventId ?? null;
  if (eventId === null || state?._isErased === true) return 0;
  try {
    return await queues.append(sender, eventId, participantId);
  } catch (error) {
    // The queue has become full since it was looked at. They are checked in all the same, and do not wait.
    if (error instanceof Problem) return 0;
    throw error;
  }
}

/**
 * Issues the licence of a check-in that is recorded, unless that has been done: under the id of the participant, and in
 * the name of the key that checked them in. Nobody has a key of it.
 * @returns the position of the newest event of the licence
 * @throws {StoreUnavailable}
 */
async function issueLicenseOf(
  { handler, aggregates }: Pick<CheckInServices, 'handler' | 'aggregates'>,
  participantId: string,
  deadline: number,
): Promise<Position> {
  const stream = streamOf(participantDecider.category, participantId);
  const origin = originOfCheckIn(await aggregates.requireFirstOf(stream), deadline);
  const data = { ...checkInLicenseNames(participantId), licenseKey: newLicenseKey() };
  const outcome = await handler.handle({
    decider: licenseDecider,
    id: participantId,
    commands: [{ type: 'IssueLicense', data }],
    origin,
    fresh: true,
  });
  return requireSuccess(outcome).position;
}

/** The request that checked somebody in, by the metadata of its event, as the origin of what follows from it. */
function originOfCheckIn({ correlationId, apiKeyId, licenseId, role }: EventMetadata, deadline: number): Origin {
  const origin = { correlationId, deadline };
  // Only keys check people in.
  if (apiKeyId === undefined || licenseId === undefined || role === undefined) return origin;
  return { ...origin, apiKeyId, licenseId, role };
}

/** Interval, in ms, at which check-ins are looked for whose process ended before their licence was issued. */
const LOOK_EVERY_MS = 10_000;

/** Correlation id of what the service itself does to complete a check-in. */
const COMPLETION = 'check-in';

/** Most check-ins that are completed before the read models are asked again. */
const AT_ONCE = 100;

interface CompletionOptions extends Completion {
  readonly store: Pick<EventStore, 'head'>;
  /** Checkpoint of the built-in read models. */
  readonly checkpointWaiter: Pick<CheckpointReader, 'waitFor'>;
  readonly models: Pick<ReadModels, 'find'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly requestDeadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * Completes check-ins whose process ended before it did: once the read models show all events of now, and
 * then every few seconds, as another process may have ended. A check-in that is under way on another node may be among
 * them; whoever is second records nothing.
 * @returns `first` resolves after the first look, `running` when the signal has aborted
 */
export function completeCheckIns(options: CompletionOptions): {
  readonly first: Promise<void>;
  readonly running: Promise<void>;
} {
  const { clock, log, signal } = options;
  const outage = createOutageLog(log, 'The completion of check-ins');
  const look = async (): Promise<void> => {
    try {
      await completeSome(options);
      outage.recovered();
    } catch (error) {
      // Whatever has failed must not keep later check-ins from being completed.
      outage.failed(error);
    }
  };
  const repeat = async (): Promise<void> => {
    await pause(clock, LOOK_EVERY_MS, signal);
    while (!signal.aborted) {
      await look();
      await pause(clock, LOOK_EVERY_MS, signal);
    }
  };
  const first = look();
  return { first, running: first.then(repeat) };
}

async function completeSome(options: CompletionOptions): Promise<void> {
  const { store, checkpointWaiter, models, clock, requestDeadlineMs, signal } = options;
  const head = await store.head();
  // Without them it would only be later: it looks again.
  if (head !== null) await checkpointWaiter.waitFor(head, requestDeadlineMs);
  const found = await models.find(participants.collection, {
    where: { _awaitsLicense: true },
    sort: { field: 'createdAt', direction: 'asc' },
    offset: 0,
    limit: AT_ONCE,
  });
  for (const { id } of found) {
    if (signal.aborted) return;
    const sender = { caller: null, id: COMPLETION, deadline: clock.now() + requestDeadlineMs };
    await completeCheckIn(options, sender, id);
  }
}
