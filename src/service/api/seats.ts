import { z } from 'zod';
import { rigDecider } from '../../../commands/rigs.ts';
import { rigSeatDecider, SEAT_CLAIMS, seatKey, takeSeat } from '../../../commands/rig-seats.ts';
import type { RigSeat, RigSeatCommand } from '../../../commands/rig-seats.ts';
import { participants } from '../../../projections/participants.ts';
import { seatOfRig, seatsOfEvent, SeatView, type Seat } from '../../../queries/rig-seats.ts';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import { readOne } from '../../domain/documents.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import { claimStream } from '../../kernel/aggregate/claims.ts';
import type { CommandHandler, CommandRequest } from '../../kernel/aggregate/command-handler.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import { idOf, streamOf } from '../../kernel/stream-names.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { invalidProblem, problemOf } from '../http/problems.ts';
import { itemBase } from './endpoint-base.ts';
import { requireNotErased } from './erased-participants.ts';
import type { EventQueues } from './queues.ts';
import type { ReferencedResources } from './references.ts';
import { originOf, requireSuccess, type RequestCommands, type Sender } from './request-commands.ts';
import { idFromPath, notFoundProblem, withWholeName, withWholeNames, type ReadSources } from './views.ts';
import type { WriteAnswers } from './write-answers.ts';

const SEAT = '/api/v1/rigs/{rigId}/seat';

interface SeatReadServices {
  readonly reads: ReadSources;
  readonly references: ReferencedResources;
}

interface SeatServices extends SeatReadServices {
  readonly handler: CommandHandler;
  readonly commands: RequestCommands;
  readonly aggregates: Aggregates;
  readonly answers: WriteAnswers;
  readonly queues: Pick<EventQueues, 'remove'>;
  readonly clock: Clock;
}

/** Endpoints of the seat of a rig (docs/interface.md#seats). */
export function rigSeatEndpoints(services: SeatServices): readonly Endpoint[] {
  return [getSeatEndpoint(services), takeSeatEndpoint(services), leaveSeatEndpoint(services)];
}

/** GET of everybody who sits on a rig for an event. */
export function eventSeatsEndpoint({ reads, references }: SeatReadServices): Endpoint {
  return endpoint({
    ...itemBase('GET', '/api/v1/events/{eventId}/seats', racingEventQuery),
    operationId: 'listEventSeats',
    summary: 'List who sits on which rig for an event',
    description: 'By the ids of the rigs; without those on which nobody sits.',
    access: 'public',
    features: [],
    responses: { 200: z.array(SeatView) },
    async handle({ params, caller, signal, usage }) {
      const eventId = idFromPath(params);
      await references.requireExisting('event', eventId);
      const bounds = { budget: reads.queryBudget, signal, visits: usage };
      const seats = await seatsOfEvent(reads.models, eventId, bounds);
      return { kind: 'json', status: 200, body: await withWholeNames(reads, seats, caller) };
    },
  });
}

function getSeatEndpoint({ reads }: Pick<SeatServices, 'reads'>): Endpoint {
  return endpoint({
    ...itemBase('GET', SEAT, rigQuery),
    operationId: 'getSeat',
    summary: 'Get who sits on a rig',
    description: '404 when nobody sits there.',
    access: 'public',
    features: [],
    responses: { 200: SeatView },
    async handle({ params, caller }) {
      const seat = await seatOfRig(reads.models, idFromPath(params));
      if (seat === null) throw notFoundProblem();
      return { kind: 'json', status: 200, body: await withWholeName(reads, seat, caller) };
    },
  });
}

function takeSeatEndpoint(services: SeatServices): Endpoint {
  const { reads, answers, queues } = services;
  return endpoint({
    ...itemBase('PUT', SEAT, rigQuery),
    operationId: 'takeSeat',
    summary: 'Say who sits on a rig',
    description:
      'Whoever sat there leaves. The driver leaves the rig of the same licence that they sat on, and the queue of the event. ' +
      'Laps of the rig may then leave out driver and event. What is in effect already records nothing.',
    access: 'CRUD',
    forRigs: true,
    body: takeSeat.body,
    responses: { 200: SeatView },
    problems: [409, 422],
    async handle(request) {
      const rigId = idFromPath(request.params);
      const { participantId, eventId } = request.body;
      const { from, position } = await seatDriver(services, rigId, request);
      // Also where they sat there already: the request that seated them may have broken off before this.
      const dequeued = await queues.remove(request, eventId, participantId);
      await answers.waitUntilReadable(Math.max(position, dequeued), request);
      const participantName = (await readOne(reads.models, participants, participantId))?.publicName ?? '';
      const seat: Seat = { rigId, participantId, participantName, eventId, from };
      return { kind: 'json', status: 200, body: await withWholeName(reads, seat, request.caller) };
    },
  });
}

function leaveSeatEndpoint(services: SeatServices): Endpoint {
  const { references, aggregates, commands, answers, handler, clock } = services;
  return endpoint({
    ...itemBase('DELETE', SEAT, rigQuery),
    operationId: 'leaveSeat',
    summary: 'Say that nobody sits on a rig any more',
    description: 'Where nobody sits, this records nothing.',
    access: 'CRUD',
    forRigs: true,
    responses: { 204: null },
    async handle(request) {
      const rigId = idFromPath(request.params);
      await references.requireExisting('rig', rigId);
      // The event that they leave need no longer admit the rig.
      const change = { rigId, eventId: null };
      const { state } = await aggregates.load(rigSeatDecider, streamOf(rigSeatDecider.category, rigId));
      if (state === null) {
        const rejection = await commands.authorization(request, rigSeatDecider.category, { id: rigId, change })(null);
        if (rejection !== null) throw problemOf(rejection);
        return { kind: 'empty', status: 204 };
      }
      const leave = leaving(null, new Date(clock.now()).toISOString());
      const command = commands.request(request, { decider: rigSeatDecider, id: rigId, commands: [leave], change });
      const { position } = requireSuccess(await handler.handle(command));
      await answers.waitUntilReadable(position, request);
      return { kind: 'empty', status: 204 };
    },
  });
}

type TakeSeatRequest = Sender & Pick<ApiRequest<unknown, unknown, z.output<typeof takeSeat.body>>, 'body' | 'signal'>;

/** A seat that is taken: since when, and the position of the newest event that this took or saw. */
interface TakenSeat {
  readonly from: string;
  readonly position: Position;
}

/**
 * Seats a driver on a rig. For all rigs of a licence a driver holds one unique key: of two rigs that seat them at once,
 * one gains the key, and the other one then takes it from that one. So they never sit on both.
 * @throws {Problem} when it is refused; nothing has changed then
 */
async function seatDriver(services: SeatServices, rigId: string, request: TakeSeatRequest): Promise<TakenSeat> {
  const { handler, commands, aggregates, clock } = services;
  const { participantId, from } = request.body;
  const rig = await aggregates.load(rigDecider, streamOf(rigDecider.category, rigId));
  if (rig.state === null) throw notFoundProblem();
  await commands.check(takeSeat, request);
  await requireNotErased(aggregates, [{ id: participantId, pointer: '/participantId' }]);
  const now = new Date(clock.now()).toISOString();
  const since = from ?? now;
  if (since > now) throw invalidProblem('lies in the future', '/from');
  const { licenseId } = rig.state;
  const command = commands.request(request, {
    decider: rigSeatDecider,
    id: rigId,
    commands: takeSeat.commands(request.body, { rigId, licenseId, now }),
  });
  await requireAllowed(services, rigId, command);
  const left: Position[] = [];
  if (from !== undefined) {
    for (const other of await rigsSatOn(aggregates, licenseId, participantId))
      if (other !== rigId) left.push(await leaveRig(services, other, leaving(participantId, since), request));
  }
  while (true) {
    const outcome = await handler.handle(command);
    if ('outcome' in outcome && outcome.outcome === 'taken') {
      left.push(await leaveRig(services, idOf(outcome.owner), leaving(participantId, since), request));
      continue;
    }
    const { state, position } = requireSuccess(outcome);
    // Another request may have followed meanwhile.
    const isSeated = state !== null && state.participantId === participantId;
    return { from: isSeated ? state.from : since, position: Math.max(position, ...left) };
  }
}

/** Judges a command before other rigs are left because of it. @throws {Problem} */
async function requireAllowed(
  { aggregates }: Pick<SeatServices, 'aggregates'>,
  rigId: string,
  { authorize }: CommandRequest<RigSeat | null, RigSeatCommand>,
): Promise<void> {
  const { state, created } = await aggregates.load(rigSeatDecider, streamOf(rigSeatDecider.category, rigId));
  const rejection = await authorize?.(created === null ? null : { state, created });
  if (rejection !== null && rejection !== undefined) throw problemOf(rejection);
}

/** The claims of a driver's seat: each names the stream of a rig's seat. */
const SeatClaim = z.object({ owner: z.string() });

/** Every rig of a licence that a driver has ever sat on, as the claims of their seat say. */
async function rigsSatOn(
  aggregates: Pick<Aggregates, 'read'>,
  licenseId: string,
  participantId: string,
): Promise<ReadonlySet<string>> {
  const rigIds = new Set<string>();
  for await (const claims of aggregates.read(claimStream(SEAT_CLAIMS, seatKey(licenseId, participantId))))
    for (const { data } of claims) rigIds.add(idOf(SeatClaim.parse(data).owner));
  return rigIds;
}

/**
 * Takes a driver off a rig of the licence that seats them on another one, whoever of it asks. Returns the position of the
 * newest event of that seat.
 */
async function leaveRig(
  { aggregates, handler }: Pick<SeatServices, 'aggregates' | 'handler'>,
  rigId: string,
  command: RigSeatCommand,
  sender: Sender,
): Promise<Position> {
  const { state } = await aggregates.load(rigSeatDecider, streamOf(rigSeatDecider.category, rigId));
  // A claim that came to nothing.
  if (state === null) return 0;
  const outcome = await handler.handle({
    decider: rigSeatDecider,
    id: rigId,
    commands: [command],
    origin: originOf(sender),
  });
  return requireSuccess(outcome).position;
}

function leaving(participantId: string | null, at: string): RigSeatCommand {
  return { type: 'LeaveSeat', data: { participantId, at } };
}
