import { hash } from 'node:crypto';
import { z } from 'zod';
import type { AuthorizedWrite } from '../access/authorizer.ts';
import type { BodyCommand, PathParams, References } from '../../domain/body-command.ts';
import type { Category } from '../../domain/categories.ts';
import { component } from '../../domain/component.ts';
import { EXAMPLES } from '../../domain/examples.ts';
import { described } from '../../domain/fields.ts';
import type { Query } from '../../domain/query.ts';
import type { ApiRequest, EndpointResponse, Headers } from '../http/endpoint.ts';
import { Problem, problemOf } from '../http/problems.ts';
import type {
  Authorize,
  CommandOutcome,
  CommandRequest,
  CommandSuccess,
} from '../../kernel/aggregate/command-handler.ts';
import type { Decider } from '../../kernel/aggregate/decider.ts';
import { Rejection, type Fault } from '../../kernel/aggregate/rejection.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { Message, Origin } from '../../kernel/event-types.ts';
import { canonicalJson, sameJson, type Json, type JsonObject } from '../../kernel/json.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Position, Revision } from '../../kernel/ports/event-store.ts';
import type { Document } from '../../kernel/ports/read-store.ts';
import type { ApiContext } from './context.ts';
import { documentOf, notFoundProblem, showsContact, simpleView, viewOf, updatedAtOf } from './views.ts';

/*
 * The one road of every write, after the HTTP layer has authenticated the caller, admitted them by role and parsed the
 * request:
 *
 *   check the body against clock and references → authorise, handle (command handler) → wait → view
 */

/** Header of a response that repeats that to an earlier request with the same `Idempotency-Key`. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' } as const;

/** Seconds after which a client may ask for the resource of a 202 response. */
export const ACCEPTED_RETRY_AFTER_SECONDS = '1';

export const AcceptedView = z
  .object({
    id: described(z.string(), 'Id of the resource; of a mapping both ids, with a colon between them.', EXAMPLES.lap.id),
    status: described(
      z.literal('accepted').meta(component('AcceptedStatus', 'Accepted.')),
      'Distinguishes this answer from the resource.',
      'accepted',
    ),
  })
  .meta({ id: 'Accepted', description: 'The change is stored, and shows a little later at `Location`.' });

/** What writes answer, for the API document. */
export const ANSWERED = 'The answer is what the next GET shows; 202 with the id when that takes longer.';

/** The same for what is carried out by the projector. */
export const ANSWERED_LATER = 'The answer is what has come of it; 202 with the id when that takes longer.';

/** Who sends a command, how long they wait, and what they may cost others. */
export type Sender = Pick<ApiRequest, 'caller' | 'id' | 'deadline'> & Partial<Pick<ApiRequest, 'changeUsage'>>;

/** Commands for one aggregate, as a request asks for them. */
export interface Commanded<S, C extends Message> extends Omit<CommandRequest<S, C>, 'origin' | 'authorize'> {
  /** The fields that they set; by default the data of the first. */
  readonly change?: JsonObject;
  /** Why they are sent: kept with their events. */
  readonly reason?: string | undefined;
}

/** Carries out commands of a request: authorised, decided and appended. @throws {Problem} when they are refused */
export async function execute<S, C extends Message>(api: ApiContext, sender: Sender, commanded: Commanded<S, C>) {
  const { decider, id } = commanded;
  return api.wideChanges.record(sender, { category: decider.category, id }, async () =>
    requireSuccess(await api.handler.handle(commandRequest(api, sender, commanded))),
  );
}

export function commandRequest<S, C extends Message>(
  api: ApiContext,
  sender: Sender,
  { reason, change: fields, ...commanded }: Commanded<S, C>,
): CommandRequest<S, C> {
  const { decider, id, commands } = commanded;
  const origin = originOf(sender);
  const change = fields ?? (commands[0]?.data as JsonObject); // Data of commands are objects.
  return {
    origin: reason === undefined ? origin : { ...origin, reason },
    authorize: authorization(api, sender, { category: decider.category, id, change }),
    ...commanded,
  };
}

/** What the command handler asks at each attempt. */
export function authorization(
  { authorizer }: Pick<ApiContext, 'authorizer'>,
  { caller }: Pick<ApiRequest, 'caller'>,
  write: Pick<AuthorizedWrite, 'id' | 'change' | 'isolated'> & { readonly category: string },
): Authorize<unknown> {
  // Field by field: an object that begins with a spread takes microseconds (docs/performance.md, "Spread last").
  const { category, id, change, isolated = false } = write;
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
 * Returns the result of a command that was carried out or was in effect already.
 * @throws {Problem} when the command was refused
 */
export function requireSuccess<S>(outcome: CommandOutcome<S>): CommandSuccess<S> {
  if (outcome instanceof Rejection) throw problemOf(outcome);
  if (outcome.outcome === 'taken') throw problemOf(outcome.rejection);
  return outcome;
}

export type Creating<B> = Sender &
  Pick<ApiRequest<PathParams | undefined, unknown, B>, 'params' | 'body' | 'json' | 'headers' | 'signal'>;

/**
 * The request, for the command handler, for a new resource of a path.
 * @throws {Problem} 400, 422 for a body that cannot be taken
 */
export async function createRequest<B, S, C extends Message>(
  api: ApiContext,
  { path, decider, make }: { readonly path: string; readonly decider: Decider<S, C>; readonly make: BodyCommand<B, C> },
  request: Creating<B>,
): Promise<CommandRequest<S, C>> {
  const checked = checkReferences(api, make.references, request);
  if (checked !== null) await checked;
  const fresh = { decider, fresh: true, ...identityOf(api, path, request), ...commandsOf(make, request) };
  const command = commandRequest(api, request, fresh);
  const refused = rejectionOfMoments(api, make, request);
  if (refused === null) return command;
  // A retry of what an earlier release recorded is answered.
  const authorize: Authorize<S> = (current, retried) =>
    retried ? (command.authorize?.(current, retried) ?? null) : refused;
  return { ...command, authorize };
}

/** The commands that a body makes, the fields that they set, and why they are sent. */
export function commandsOf<B, C extends Message>(
  { commands, intents, reason }: BodyCommand<B, C>,
  { body, params }: Pick<Creating<B>, 'body' | 'params'>,
): Pick<Commanded<unknown, C>, 'commands' | 'change' | 'reason'> {
  // Bodies are objects.
  const change = intents === true && { change: body as JsonObject };
  return { commands: commands(body, params ?? {}), ...change, reason: reason?.(body) };
}

/**
 * Id of a resource to be created. With an `Idempotency-Key` it is derived from that, licence and route, so that a retry
 * gets the same id, and there is a fingerprint: the same for bodies that are equal as JSON.
 */
export function identityOf(
  { ids }: Pick<ApiContext, 'ids'>,
  route: string,
  { headers: { idempotencyKey }, caller, json }: Pick<ApiRequest, 'headers' | 'caller' | 'json'>,
): { readonly id: string; readonly fingerprint?: string } {
  if (idempotencyKey === null) return { id: ids.next() };
  const fingerprint = hash('sha256', canonicalJson(json), 'base64url');
  return { id: ids.derived(caller?.licenseId ?? '', route, idempotencyKey), fingerprint };
}

/** A request whose body refers to resources; its signal is asked for only where something must be looked for. */
type ReferencingRequest = Pick<ApiRequest, 'body' | 'signal'>;

/**
 * Holds a body against what only the service knows: its clock, and what there is. Returns no promise where nothing has
 * to be looked up.
 * @throws {Problem} 400 naming each moment that cannot be, 422 naming each field that refers to nothing
 */
export function checkBody<B, C extends Message>(
  api: ApiContext,
  make: BodyCommand<B, C>,
  request: ReferencingRequest,
): Promise<void> | null {
  const rejection = rejectionOfMoments(api, make, request);
  if (rejection !== null) throw problemOf(rejection);
  return checkReferences(api, make.references, request);
}

/** How far what has happened may lie ahead of the server's clock: clocks of rigs differ by less. */
const MAX_AHEAD_MS = 5 * 60_000;
/** Before this, epoch ms, nothing has happened that the service is told of: a clock that was never set says so. */
const EARLIEST_MS = Date.UTC(2000, 0);

const SET_CLOCK = 'set the clock by the `Date` header of this answer, then correct the moment, or leave it out';

/** The rejection of a body that says that something happened when it cannot have, or null. */
function rejectionOfMoments<B, C extends Message>(
  { clock }: Pick<ApiContext, 'clock'>,
  { pastMoments = [] }: BodyCommand<B, C>,
  { body }: Pick<ReferencingRequest, 'body'>,
): Rejection | null {
  const faults: Fault[] = [];
  for (const field of pastMoments) {
    // Not a number where there is none.
    const moment = Date.parse(String(Reflect.get(Object(body), field)));
    const pointer = `/${field}`;
    if (moment < EARLIEST_MS) faults.push({ pointer, detail: `lies before 2000: ${SET_CLOCK}` });
    else if (moment > clock.now() + MAX_AHEAD_MS)
      faults.push({ pointer, detail: `is more than 5 minutes ahead of the server: ${SET_CLOCK}` });
  }
  if (faults.length === 0) return null;
  return new Rejection('INVALID', 'The request says that something happened when it cannot have.', faults);
}

/**
 * Checks that what a body refers to exists. The event store is asked, so that a projection that lags never makes a valid
 * request fail. Returns no promise where all is known. Looking ends when the request's signal aborts.
 * @throws {Problem} 422 naming each field that refers to nothing
 */
export function checkReferences(api: ApiContext, references: References | null, request: ReferencingRequest) {
  const unseen = references === null ? [] : referencesIn(references, request.body, api.existing);
  return unseen.length === 0 ? null : requireReferences(api, unseen, request.signal);
}

/** Resources that are looked for at the same time. */
const LOOK_UPS = 50;
/** Faults after which no more are looked for. */
const MAX_FAULTS = 50;

async function requireReferences(api: ApiContext, unseen: readonly Reference[], signal: AbortSignal): Promise<void> {
  const errors: Fault[] = [];
  for (let from = 0; from < unseen.length && errors.length < MAX_FAULTS; from += LOOK_UPS) {
    signal.throwIfAborted();
    const some = unseen.slice(from, from + LOOK_UPS);
    const found = await Promise.all(some.map(({ category, id }) => exists(api, category, id)));
    const missing = some.filter((_, n) => found[n] === false);
    errors.push(
      ...missing.map(({ category, pointer }) => ({ pointer, detail: `there is no ${category} with this id` })),
    );
  }
  if (errors.length === 0) return;
  throw new Problem('UNKNOWN_REFERENCE', 'The request refers to something that does not exist.', { errors });
}

const MAX_EXISTING = 100_000;

export async function exists({ aggregates, existing }: ApiContext, category: Category, id: string): Promise<boolean> {
  if (existing.get(id) === category) return true;
  if ((await aggregates.firstOf(streamOf(category, id))) === null) return false;
  if (existing.size >= MAX_EXISTING) existing.clear();
  existing.set(id, category);
  return true;
}

/** @throws {Problem} 404 for an id of nothing */
export async function requireExisting(api: ApiContext, category: Category, id: string): Promise<void> {
  if (!(await exists(api, category, id))) throw notFoundProblem();
}

interface Reference {
  readonly category: Category;
  readonly id: string;
  readonly pointer: string;
}

/** The references in a body to others than these; fields that are absent or null name nothing. */
export function referencesIn(
  references: References,
  body: unknown,
  known: ApiContext['existing'] = new Map(),
): readonly Reference[] {
  const found: Reference[] = [];
  for (const field in references) {
    const category = references[field];
    const value: unknown = Reflect.get(Object(body), field);
    if (category === undefined) continue;
    const pointer = `/${field}`;
    if (typeof value === 'string' && known.get(value) !== category) found.push({ category, id: value, pointer });
    if (!Array.isArray(value)) continue;
    for (const [index, id] of value.entries()) {
      if (typeof id !== 'string' || known.get(id) === category) continue;
      found.push({ category, id, pointer: `${pointer}/${index}` });
    }
  }
  return found;
}

export function originOf({ caller, id, deadline }: Sender): Origin {
  if (caller === null) return { correlationId: id, deadline };
  const { apiKeyId, licenseId, role } = caller;
  return { correlationId: id, apiKeyId, licenseId, role, deadline };
}

/**
 * Waits until the read models have reached a position; false when they do not in time, or when the client does not want
 * to wait.
 */
export async function waitUntilReadable(
  api: ApiContext,
  position: Position,
  { headers, deadline }: Pick<ApiRequest, 'headers' | 'deadline'>,
): Promise<boolean> {
  if (headers.respondAsync) return false;
  return api.checkpointWaiter.waitFor(position, Math.min(api.projectionWaitMs, deadline - api.clock.now()));
}

/** A resource that was written, and the properties of the response. */
interface WrittenResource {
  readonly query: Query;
  readonly id: string;
  readonly location: string;
  readonly position: Position;
  /** Revision of a change: a document at an older one waits for an event that is a dead letter. */
  readonly revision?: Revision;
  readonly status: 200 | 201;
  readonly headers?: Headers;
  /** What was sent to create it, where it existed already: its owners are told whether it is the same. */
  readonly sent?: object;
}

/**
 * The response to a write: what the next GET will return, or 202 when the read models have not reached the write
 * (docs/interface.md#answers-with-202).
 */
export async function writtenResponse(
  api: ApiContext,
  request: Pick<ApiRequest, 'headers' | 'deadline' | 'caller'>,
  written: WrittenResource,
): Promise<EndpointResponse> {
  const { query, id, location, position, revision = 0, status, sent } = written;
  const reader = request.caller;
  const headers = { ...written.headers, ...(status === 201 ? { Location: location } : {}) };
  const wait = Math.min(api.projectionWaitMs, request.deadline - api.clock.now());
  const read = async () => {
    try {
      const document = await documentOf(api, query, id);
      if (document === null) return null;
      const body =
        query.extend === null
          ? simpleView(api, { query, document }, reader)
          : await viewOf(api, { query, document }, reader);
      const isTold = sent !== undefined && showsContact(api, document, reader);
      const updatedAt = updatedAtOf(query, document);
      return { revision: document._revision, updatedAt, body, headers: isTold ? existingHeaders(sent, document) : {} };
    } catch (error) {
      // The write is on disk and must not look lost.
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
  };
  const resource = !request.headers.respondAsync && (await api.checkpointWaiter.readAt(position, wait, read));
  if (!resource || resource.revision < revision) return acceptedResponse({ id, location, headers });
  const { revision: shown, updatedAt, body, headers: told } = resource;
  return { kind: 'resource', status, revision: shown, updatedAt, body, headers: { ...told, ...headers } };
}

export function acceptedResponse(written: Pick<WrittenResource, 'id' | 'location' | 'headers'>): EndpointResponse {
  const { id, location: Location } = written;
  const headers = { ...written.headers, Location, 'Retry-After': ACCEPTED_RETRY_AFTER_SECONDS };
  return { kind: 'json', status: 202, body: { id, status: 'accepted' }, headers };
}

/** Tells whether what was sent is what is kept: JSON is compared as JSON. */
function existingHeaders(sent: object, document: Document): Headers {
  const isSame = Object.entries(sent).every(([field, value]: [string, Json]) => sameJson(value, document[field]));
  return { 'Existing-Resource': isSame ? 'same' : 'different' };
}

/** Statuses of the problems that a command may meet: a key that is taken, a reference to nothing. */
export function problemsOf({ claim }: Pick<Decider<never, never>, 'claim'>, references: References | null): number[] {
  return [...(claim === null ? [] : [409]), ...(references === null ? [] : [422])];
}
