import { hash } from 'node:crypto';
import { rigSeatDecider, sittingAt, type RigSeat } from '../../../commands/rig-seats.ts';
import type { BodyCommand, PathParams, References, SeatFields } from '../../domain/body-command.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type {
  Authorize,
  CommandHandler,
  CommandOutcome,
  CommandRequest,
  CommandSuccess,
} from '../../kernel/aggregate/command-handler.ts';
import type { Decider } from '../../kernel/aggregate/decider.ts';
import { Rejection, type Fault } from '../../kernel/aggregate/rejection.ts';
import type { Message, Origin } from '../../kernel/event-types.ts';
import { canonicalJson, type JsonObject } from '../../kernel/json.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { AuthorizedWrite, Authorizer } from '../access/authorizer.ts';
import type { ApiRequest } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import type { ReferencedResources, ReferencingRequest } from './references.ts';
import type { WideChanges } from './wide-changes.ts';

/*
 * From a request to a command. The HTTP layer has authenticated the caller, admitted them by role and parsed the request;
 * then
 *
 *   1. the moments and the references in its body are checked, and what it leaves out to the seat of a rig is filled in
 *      (`check`, `createRequest`),
 *   2. it becomes a command with an id, an origin and an authorisation (`request`, `createRequest`),
 *   3. the command handler asks the authoriser, decides and appends (`execute`).
 *
 * `write-answers.ts` has what follows: waiting for the read models, and the response.
 */

/** The sender of a command, how long they wait, and the usage that they are charged for. */
export type Sender = Pick<ApiRequest, 'caller' | 'id' | 'deadline'> & Partial<Pick<ApiRequest, 'changeUsage'>>;

/** Commands for one aggregate, as a request asks for them. */
export interface RequestedCommands<S, C extends Message> extends Omit<CommandRequest<S, C>, 'origin' | 'authorize'> {
  /** The fields that they set; by default the data of the first. */
  readonly change?: JsonObject;
  /** Why they are sent: kept with their events. */
  readonly reason?: string | undefined;
}

/** A request that creates a resource. */
export type CreateRequest<B> = Sender &
  Pick<ApiRequest<PathParams | undefined, unknown, B>, 'params' | 'body' | 'json' | 'headers' | 'signal'>;

/** How the resources of a path are created. */
export interface Creation<B, S, C extends Message> {
  readonly path: string;
  readonly decider: Decider<S, C>;
  readonly bodyCommand: BodyCommand<B, C>;
}

interface RequestCommandsOptions {
  readonly handler: CommandHandler;
  readonly aggregates: Pick<Aggregates, 'firstOf' | 'load'>;
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly references: ReferencedResources;
  readonly wideChanges: WideChanges;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
}

/** Returns the seat of a rig; null: nobody has ever sat there. */
export type SeatLookup = (rigId: string) => Promise<RigSeat | null>;

/** Commands of requests: checked, authorised and carried out. */
export class RequestCommands {
  readonly #options: RequestCommandsOptions;

  constructor(options: RequestCommandsOptions) {
    this.#options = options;
  }

  /** Carries out commands of a request. @throws {Problem} when they are refused */
  async execute<S, C extends Message>(sender: Sender, commands: RequestedCommands<S, C>): Promise<CommandSuccess<S>> {
    const { handler, wideChanges } = this.#options;
    const work = async () => requireSuccess(await handler.handle(this.request(sender, commands)));
    const target = {
      category: commands.decider.category,
      id: commands.id,
      commands: commands.commands.map(({ type }) => type),
    };
    return wideChanges.record(sender, target, work);
  }

  /** The request to the command handler for commands of a request. */
  request<S, C extends Message>(
    sender: Sender,
    { reason, change, ...requested }: RequestedCommands<S, C>,
  ): CommandRequest<S, C> {
    const { decider, id, commands } = requested;
    const origin = originOf(sender);
    return {
      origin: reason === undefined ? origin : { ...origin, reason },
      authorize: this.authorization(sender, decider.category, {
        id,
        change: change ?? (commands[0]?.data as JsonObject), // Data of commands are objects.
      }),
      ...requested,
    };
  }

  /**
   * The request to the command handler for a new resource. What its body leaves out to the seat of a rig is filled in now,
   * once: whatever is said of that seat later changes nothing. `seatOf` is asked where something is left out.
   * @throws {Problem} 400 for a moment that cannot be, 422 for a reference to nothing
   */
  async createRequest<B, S, C extends Message>(
    { path, decider, bodyCommand }: Creation<B, S, C>,
    request: CreateRequest<B>,
    seatOf: SeatLookup = (rigId) => this.#seatOf(rigId),
  ): Promise<CommandRequest<S, C>> {
    const { references, ids } = this.#options;
    const { seat } = bodyCommand;
    await references.check(bodyCommand.references, request);
    const { id, fingerprint } = identityOf(ids, path, request);
    const rejection = this.#rejectionOfMoments(bodyCommand, request.body);
    if (rejection !== null) {
      // A retry of what an earlier release recorded is answered all the same.
      const isRetry = fingerprint !== undefined && (await this.#isRecorded(decider.category, id));
      if (!isRetry) throw problemOf(rejection);
    }
    let { body } = request;
    // In a loop of its own: a lap that leaves nothing out pays nothing.
    for (const field of seat?.fields ?? []) {
      if (seat === undefined || body[field] !== undefined) continue;
      body = await this.#filledIn(seat, body, seatOf);
      break;
    }
    const commands = commandsOf(bodyCommand, { body, params: request.params });
    if (fingerprint === undefined) return this.request(request, { decider, id, fresh: true, ...commands });
    return this.request(request, { decider, id, fingerprint, fresh: true, ...commands });
  }

  /** The check that the command handler makes at each attempt. */
  authorization(
    { caller }: Pick<ApiRequest, 'caller'>,
    category: string,
    { id, change, isolated = false }: Pick<AuthorizedWrite, 'id' | 'change' | 'isolated'>,
  ): Authorize<unknown> {
    const { authorizer } = this.#options;
    // Field by field: an object that begins with a spread takes microseconds (test/bench/README.md, "Spread last").
    return (current, retried = null) =>
      authorizer.authorize(caller, category, {
        id,
        // States of resources are JSON.
        state: (current?.state ?? null) as JsonObject | null,
        created: current?.created ?? null,
        change,
        isolated,
        retried,
      });
  }

  /**
   * Checks what a schema cannot: moments against the clock, and references against the resources that exist.
   * @throws {Problem} 400 that names each moment that cannot be, 422 that names each field that refers to nothing
   */
  async check<B, C extends Message>(bodyCommand: BodyCommand<B, C>, request: ReferencingRequest): Promise<void> {
    const rejection = this.#rejectionOfMoments(bodyCommand, request.body);
    if (rejection !== null) throw problemOf(rejection);
    await this.#options.references.check(bodyCommand.references, request);
  }

  /** Looks up each seat once: for the laps of a batch. */
  lookingUpSeatsOnce(): SeatLookup {
    const known = new Map<string, Promise<RigSeat | null>>();
    return (rigId) => {
      const seat = known.get(rigId) ?? this.#seatOf(rigId);
      known.set(rigId, seat);
      return seat;
    };
  }

  /** The seat of a rig by its events: also right after it was taken, on whatever node. */
  async #seatOf(rigId: string): Promise<RigSeat | null> {
    return (await this.#options.aggregates.load(rigSeatDecider, streamOf(rigSeatDecider.category, rigId))).state;
  }

  /** A body with what it leaves out; where nobody sat on the rig, the body as it is. */
  async #filledIn<B>(seat: SeatFields<B>, body: B, seatOf: SeatLookup): Promise<B> {
    const moment = seat.momentOf(body) ?? new Date(this.#options.clock.now()).toISOString();
    const sitting = sittingAt(await seatOf(seat.rigOf(body)), moment);
    return sitting === null ? body : seat.fillIn(body, sitting);
  }

  async #isRecorded(category: string, id: string): Promise<boolean> {
    return (await this.#options.aggregates.firstOf(streamOf(category, id))) !== null;
  }

  /** The rejection of moments that lie too far back or in the future; null where there are none. */
  #rejectionOfMoments<B, C extends Message>({ pastMoments = [] }: BodyCommand<B, C>, body: unknown): Rejection | null {
    const faults: Fault[] = [];
    for (const field of pastMoments) {
      // Not a number where there is none.
      const moment = Date.parse(String(Reflect.get(Object(body), field)));
      const pointer = `/${field}`;
      if (moment < EARLIEST_MS) {
        faults.push({ pointer, detail: `lies before 2000: ${SET_CLOCK}` });
      } else if (moment > this.#options.clock.now() + MAX_AHEAD_MS) {
        faults.push({ pointer, detail: `is more than 5 minutes ahead of the server: ${SET_CLOCK}` });
      }
    }
    if (faults.length === 0) return null;
    return new Rejection('INVALID', 'The request says that something happened when it cannot have.', faults);
  }
}

/** How far, in ms, a moment may lie ahead of the server's clock: clocks of rigs differ by less. */
const MAX_AHEAD_MS = 5 * 60_000;
/** Moments before this one, epoch ms, are rejected: they come from a clock that was never set. */
const EARLIEST_MS = Date.UTC(2000, 0);

const SET_CLOCK = 'set the clock by the `Date` header of this answer, then correct the moment, or leave it out';

/**
 * Returns the result of a command that was carried out or was in effect already.
 * @throws {Problem} when the command was refused
 */
export function requireSuccess<S>(outcome: CommandOutcome<S>): CommandSuccess<S> {
  if (outcome instanceof Rejection) throw problemOf(outcome);
  if (outcome.outcome === 'taken') throw problemOf(outcome.rejection);
  return outcome;
}

/** The commands that a body makes, the fields that they set, and why they are sent. */
export function commandsOf<B, C extends Message>(
  { commands, intents, reason }: BodyCommand<B, C>,
  { body, params }: Pick<CreateRequest<B>, 'body' | 'params'>,
): Pick<RequestedCommands<unknown, C>, 'commands' | 'change' | 'reason'> {
  const requested = { commands: commands(body, params ?? {}), reason: reason?.(body) };
  // Bodies are objects.
  return intents === true ? { ...requested, change: body as JsonObject } : requested;
}

/**
 * Id of a resource to be created. With an `Idempotency-Key` it is derived from that, licence and route, so that a retry
 * gets the same id, and there is a fingerprint: the same for bodies that are equal as JSON.
 */
export function identityOf(
  ids: Ids,
  route: string,
  { headers: { idempotencyKey }, caller, json }: Pick<ApiRequest, 'headers' | 'caller' | 'json'>,
): { readonly id: string; readonly fingerprint?: string } {
  if (idempotencyKey === null) return { id: ids.next() };
  const fingerprint = hash('sha256', canonicalJson(json), 'base64url');
  return { id: ids.derived(caller?.licenseId ?? '', route, idempotencyKey), fingerprint };
}

/** The sender of a command, as its events record it, and its deadline. */
export function originOf({ caller, id, deadline }: Sender): Origin {
  if (caller === null) return { correlationId: id, deadline };
  const { apiKeyId, licenseId, role } = caller;
  return { correlationId: id, apiKeyId, licenseId, role, deadline };
}

/** Statuses of the problems that a command may meet: a key that is taken, a reference to nothing. */
export function problemsOf<S, C extends Message>(
  { claim }: Pick<Decider<S, C>, 'claim'>,
  references: References | null,
): readonly number[] {
  const problems: number[] = [];
  if (claim !== null) problems.push(409);
  if (references !== null) problems.push(422);
  return problems;
}
