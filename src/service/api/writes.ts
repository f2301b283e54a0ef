import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Write } from '../access/permissions.ts';
import type { BodyCommand, PathParams, References } from '../domain/body-command.ts';
import { EXAMPLES } from '../domain/examples.ts';
import { described } from '../domain/fields.ts';
import { rejectionOfMoments } from '../domain/moments.ts';
import type { Query } from '../domain/query.ts';
import { type EndpointResponse, type ApiRequest, type Headers, endpoint, type Endpoint } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import type { CommandSuccess, CommandOutcome, KeyTaken, Permit } from '../kernel/aggregate/command-handler.ts';
import type { Message, Origin } from '../kernel/event-types.ts';
import { Rejection } from '../kernel/aggregate/decider.ts';
import { canonicalJson } from '../kernel/json.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { Position, Revision } from '../kernel/ports/event-store.ts';
import { within } from '../kernel/ports/system.ts';
import type { ApiContext } from './context.ts';
import type { Referring } from './references.ts';
import {
  documentOf,
  readBy,
  viewOf,
  fillPath,
  rowBase,
  idFromPath,
  resourceName,
  wordsOf,
  pathParams,
  type AnyQuery,
  type ReadSources,
} from './reads.ts';

/** Header of a response that repeats that to an earlier request with the same `Idempotency-Key`. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' } as const;

/** Seconds after which a client may ask for the resource of a 202 response. */
export const ACCEPTED_RETRY_AFTER_SECONDS = '1';

/**
 * Id of a resource to be created: derived from licence, route and `Idempotency-Key` where there is one, so that a retry
 * gets the same id.
 */
export function newId(
  { ids }: Pick<ApiContext, 'ids'>,
  route: string,
  { idempotencyKey, caller }: Pick<ApiRequest, 'idempotencyKey' | 'caller'>,
): string {
  return idempotencyKey === null ? ids.next() : ids.derived(caller?.licenseId ?? '', route, idempotencyKey);
}

/** Fingerprint of a request with an `Idempotency-Key`: the same for bodies that are equal as JSON. */
export function fingerprintOf({ idempotencyKey, json }: Pick<ApiRequest, 'idempotencyKey' | 'json'>): {
  readonly fingerprint?: string;
} {
  if (idempotencyKey === null) return {};
  return { fingerprint: hash('sha256', canonicalJson(json), 'base64url') };
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

/** The same, except that a taken key is a result too. */
export function requireSuccessOrTaken<S>(outcome: CommandOutcome<S>): CommandSuccess<S> | KeyTaken {
  return outcome instanceof Rejection ? requireSuccess(outcome) : outcome;
}

/**
 * Waits until the read models have reached a position; false when they do not in time, or when the client does not want
 * to wait.
 */
export async function waitUntilReadable(
  api: ApiContext,
  position: Position,
  { respondAsync, deadline }: ApiRequest,
): Promise<boolean> {
  if (respondAsync) return false;
  return api.checkpointWaiter.waitFor(position, Math.min(api.projectionWaitMs, deadline - api.clock.now()));
}

/** A resource that was written, and the properties of the response. */
interface WrittenResource {
  readonly query: Query;
  readonly id: string;
  /** Path of the resource. */
  readonly location: string;
  readonly position: Position;
  /** Revision of a change: a document at an older one waits for an event that is a dead letter. */
  readonly revision?: Revision;
  readonly status: 200 | 201;
  readonly headers?: Headers;
}

/**
 * The response to a write: what the next GET will return, or 202 when the read models have not reached the write
 * (docs/interface.md#answers-with-202).
 */
export async function writtenResponse(
  api: ApiContext,
  request: ApiRequest,
  written: WrittenResource,
): Promise<EndpointResponse> {
  const { query, id, location, position, revision = 0, status } = written;
  const headers = { ...written.headers, ...(status === 201 ? { Location: location } : {}) };
  const began = api.clock.monotonic();
  if (await waitUntilReadable(api, position, request)) {
    const left = api.projectionWaitMs - (api.clock.monotonic() - began);
    const resource = await within(api.clock, left, readResource(readBy(api, request), query, id));
    if (resource !== null && resource.revision >= revision) return { kind: 'resource', status, ...resource, headers };
  }
  const accepted = { ...headers, Location: location, 'Retry-After': ACCEPTED_RETRY_AFTER_SECONDS };
  return { kind: 'json', status: 202, body: { id, status: 'accepted' }, headers: accepted };
}

/** Reads the written resource; null when the read store fails: the write is on disk and must not look lost. */
async function readResource(sources: ReadSources, query: Query, id: string) {
  try {
    const document = await documentOf(query, id, sources);
    return document === null ? null : { revision: document._revision, body: await viewOf(query, document, sources) };
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}

/** Body of the response 202. */
export const AcceptedView = z
  .object({
    id: described(z.string(), 'Id of the resource; of a mapping both ids, with a colon between them.', EXAMPLES.lap.id),
    status: described(z.literal('accepted'), 'Tells this answer from the resource.', 'accepted'),
  })
  .meta({ id: 'Accepted', description: 'The change is stored, and shows a little later at `Location`.' });

/** What writes answer, for the API document. */
export const ANSWERED = 'The answer is what the next GET shows; 202 with the id when that takes longer.';

/** The same for what is carried out by the projector. */
export const ANSWERED_LATER = 'The answer is what has come of it; 202 with the id when that takes longer.';

/** Creates the makers of the endpoints that write, which most resources have. */
export function writeRows(api: ApiContext) {
  return {
    /** POST of a new resource. */
    create: <B, S, C extends Message>(path: string, query: AnyQuery, make: BodyCommand<B, S, C>): Endpoint =>
      endpoint<undefined, undefined, z.ZodType<B>>({
        ...rowBase('POST', path, query),
        operationId: `create${resourceName(query)}`,
        summary: `Create one ${wordsOf(resourceName(query))}`,
        description: `${ANSWERED} Under one Idempotency-Key it may be sent again.`,
        ...accessOf(make),
        body: make.body,
        responses: { 201: query.view, 202: AcceptedView },
        problems: problemsOf(make),
        async handle(request) {
          const created = await createRequest(api, make, { path, request });
          const { position, recorded } = requireSuccess(await api.handler.handle(created));
          const headers = recorded ? {} : REPLAYED;
          const { id } = created;
          const location = `${path}/${id}`;
          return writtenResponse(api, request, { query, id, location, position, status: 201, headers });
        },
      }),
    /** PATCH of a resource. */
    change: <B, S, C extends Message>(path: string, query: AnyQuery, make: BodyCommand<B, S, C>): Endpoint =>
      endpoint({
        ...rowBase('PATCH', path, query),
        operationId: `update${resourceName(query)}`,
        summary: `Change one ${wordsOf(resourceName(query))}`,
        description: `What may be left out stays as it is, lists are replaced as a whole. ${ANSWERED}`,
        ...accessOf(make),
        params: pathParams(path),
        body: make.body,
        responses: { 200: query.view, 202: AcceptedView },
        problems: problemsOf(make),
        async handle(request) {
          await checkBody(api, make, request);
          const id = idFromPath(request.params);
          const changed = { ...commandRequest(api, make, { id, request }), expected: request.ifMatch };
          const { position, revision } = requireSuccess(await api.handler.handle(changed));
          const location = fillPath(path, request.params);
          return writtenResponse(api, request, { query, id, location, position, revision, status: 200 });
        },
      }),
  };
}

/** What a command is made of, of a request. */
type Commanding<B> = Pick<ApiRequest<PathParams | undefined, unknown, B>, 'params' | 'body' | 'signal'> & Sender;

/** Who sends a command, and how long they wait. */
type Sender = Pick<ApiRequest, 'caller' | 'requestId' | 'deadline'>;

/** What a resource is made of, of a request. */
export type Creating<B> = Commanding<B> & Pick<ApiRequest, 'json' | 'idempotencyKey'>;

/**
 * The request, for the command handler, for a new resource of a path.
 * @throws {Problem} 400, 422 for a body that cannot be taken
 */
export async function createRequest<B, S, C extends Message>(
  api: ApiContext,
  make: BodyCommand<B, S, C>,
  { path, request }: { readonly path: string; readonly request: Creating<B> },
) {
  await checkBody(api, make, request);
  const id = newId(api, path, request);
  return { ...commandRequest(api, make, { id, request }), fresh: true, ...fingerprintOf(request) };
}

/** Asks the permissions about a write of a request. */
export function permitOf(
  { permissions }: Pick<ApiContext, 'permissions'>,
  { caller }: Pick<ApiRequest, 'caller'>,
  write: Omit<Write, 'present'>,
): Permit<unknown> {
  return (present) => permissions.refusalOf(caller, { ...write, present });
}

/** The command of a request, for the command handler. */
export function commandRequest<B, S, C extends Message>(
  api: ApiContext,
  { decider, command, reason }: BodyCommand<B, S, C>,
  { id, request }: { readonly id: string; readonly request: Commanding<B> },
) {
  const made = command(request.body, request.params ?? {});
  const permit = permitOf(api, request, { category: decider.category, id, change: made.data });
  const why = reason?.(request.body);
  const origin = { ...originOf(request), ...(why === undefined ? {} : { reason: why }) };
  return { decider, id, command: made, origin, permit };
}

/** Who may send a command. */
function accessOf<B, S, C extends Message>({ forRigs }: BodyCommand<B, S, C>): Pick<Endpoint, 'access' | 'forRigs'> {
  return { access: 'CRUD', ...(forRigs && { forRigs }) };
}

/** Statuses of the problems that a command may meet: a key that is taken, a reference to nothing. */
function problemsOf<B, S, C extends Message>({ decider, references }: BodyCommand<B, S, C>): readonly number[] {
  return [...(decider.claim === null ? [] : [409]), ...(references === undefined ? [] : [422])];
}

/**
 * Holds a body against what only the service knows: its clock, and what there is.
 * @throws {Problem} 400 naming each field that lies too far ahead, 422 naming each that points at nothing
 */
async function checkBody<B, S, C extends Message>(
  api: ApiContext,
  { happened = [], references }: BodyCommand<B, S, C>,
  request: Commanding<B>,
): Promise<void> {
  const rejection = rejectionOfMoments(happened, request.body, api.clock.now());
  if (rejection !== null) throw problemOf(rejection);
  await checkReferences(api, references, request);
}

/** @throws {Problem} 422 naming each field that points at nothing */
export async function checkReferences(
  api: ApiContext,
  references: References | undefined,
  request: Referring,
): Promise<void> {
  const rejection = await api.references.findRejection(references, request);
  if (rejection !== null) throw problemOf(rejection);
}

/** Origin of the command of a request. */
export function originOf({ caller, requestId, deadline }: Sender): Origin {
  if (caller === null) return { correlationId: requestId, deadline };
  return { correlationId: requestId, apiKeyId: caller.apiKeyId, licenseId: caller.licenseId, deadline };
}
