import { hash } from 'node:crypto';
import { z } from 'zod';
import type { BodyCommand } from '../domain/body-command.ts';
import type { Query } from '../domain/query.ts';
import type { References } from '../domain/references.ts';
import { type EndpointResponse, type ApiRequest, type Headers, endpoint, type Endpoint } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import type { CommandSuccess, CommandOutcome, KeyTaken } from '../kernel/aggregate/command-handler.ts';
import type { Message, Origin } from '../kernel/event-types.ts';
import { Rejection } from '../kernel/aggregate/rejections.ts';
import { canonicalJson } from '../kernel/json.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { Position, Revision } from '../kernel/ports/event-store.ts';
import type { ApiContext } from './context.ts';
import { documentOf, viewOf, fillPath, rowBase, idFromPath, resourceName, pathParams, type AnyQuery } from './reads.ts';

/** Seconds after which a client that was answered 202 may look for its resource. */
const ACCEPTED_RETRY_AFTER_SECONDS = '1';

/**
 * The id of a resource to be created: derived from licence, route and `Idempotency-Key` where there is one, so that a
 * retry meets itself.
 */
export function newId({ ids }: Pick<ApiContext, 'ids'>, route: string, { idempotencyKey, caller }: ApiRequest): string {
  return idempotencyKey === null ? ids.next() : ids.derived(caller?.licenseId ?? '', route, idempotencyKey);
}

/** What makes two bodies of one `Idempotency-Key` the same: equality as JSON. */
export function fingerprintOf({ idempotencyKey, json }: ApiRequest): { readonly fingerprint?: string } {
  if (idempotencyKey === null) return {};
  return { fingerprint: hash('sha256', canonicalJson(json), 'base64url') };
}

/**
 * The outcome of a command that was carried out or was in effect.
 * @throws {Problem} when it was refused
 */
export function requireSuccess<S>(outcome: CommandOutcome<S>): CommandSuccess<S> {
  if (outcome instanceof Rejection) throw problemOf(outcome);
  if (outcome.outcome === 'taken') throw problemOf(outcome.rejection);
  return outcome;
}

/** The same, where being too late is an answer too. */
export function requireSuccessOrTaken<S>(outcome: CommandOutcome<S>): CommandSuccess<S> | KeyTaken {
  return outcome instanceof Rejection ? requireSuccess(outcome) : outcome;
}

/** Waits until a position shows in the read models; false when it does not in time, or the client would not wait. */
export async function waitUntilReadable(
  api: ApiContext,
  position: Position,
  { respondAsync, deadline }: ApiRequest,
): Promise<boolean> {
  if (respondAsync) return false;
  return api.checkpointWaiter.waitFor(position, Math.min(api.projectionWaitMs, deadline - api.clock.now()));
}

/** A resource that was written, and how to say so. */
export interface WrittenResource {
  readonly query: Query;
  readonly id: string;
  /** Path of the resource. */
  readonly location: string;
  readonly position: Position;
  /** Of a change: a document that is behind it waits for an event among the dead letters. */
  readonly revision?: Revision;
  readonly status: 200 | 201;
  readonly headers?: Headers;
}

/** Answers a write with what the next GET will say, or with 202 when the read models are not there yet (DESIGN §4). */
export async function writtenResponse(
  api: ApiContext,
  request: ApiRequest,
  written: WrittenResource,
): Promise<EndpointResponse> {
  const { query, id, location, position, revision = 0, status } = written;
  const headers = { ...written.headers, ...(status === 201 ? { Location: location } : {}) };
  if (await waitUntilReadable(api, position, request)) {
    const shown = await readResource(api, query, id);
    if (shown !== null && shown.revision >= revision) return { kind: 'resource', status, ...shown, headers };
  }
  return acceptedResponse(id, { ...headers, Location: location });
}

/** 202: written, but not to be seen yet. */
export function acceptedResponse(id: string, headers: Headers): EndpointResponse {
  return {
    kind: 'json',
    status: 202,
    body: { id, status: 'accepted' },
    headers: { ...headers, 'Retry-After': ACCEPTED_RETRY_AFTER_SECONDS },
  };
}

/** The write is on disk: a read store that fails now must not make it look lost. */
async function readResource(api: ApiContext, query: Query, id: string) {
  try {
    const document = await documentOf(query, id, api);
    return document === null ? null : { revision: document._revision, body: await viewOf(query, document, api) };
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}

/** Body of 202: written, but not to be seen yet. */
export const AcceptedView = z.object({ id: z.string(), status: z.literal('accepted') }).meta({ id: 'Accepted' });

/** The makers of the write rows that resources share. */
export interface WriteRows {
  /** POST of a new resource. */
  readonly create: <B, S, C extends Message>(path: string, query: AnyQuery, make: BodyCommand<B, S, C>) => Endpoint;
  /** PATCH of a resource. */
  readonly change: <B, S, C extends Message>(path: string, query: AnyQuery, make: BodyCommand<B, S, C>) => Endpoint;
}

/** Makes the makers. */
export function writeRows(api: ApiContext): WriteRows {
  return {
    create: (path, query, make) => createRow(api, { path, query, make }),
    change: (path, query, make) => changeRow(api, { path, query, make }),
  };
}

interface WriteRowOptions<B, S, C extends Message> {
  readonly path: string;
  readonly query: AnyQuery;
  readonly make: BodyCommand<B, S, C>;
}

function createRow<B, S, C extends Message>(
  api: ApiContext,
  { path, query, make }: WriteRowOptions<B, S, C>,
): Endpoint {
  return endpoint<undefined, undefined, z.ZodType<B>>({
    ...rowBase('POST', path, query),
    operationId: `create${resourceName(query)}`,
    summary: `Create one ${resourceName(query)}`,
    access: 'CRUD',
    body: make.body,
    responses: { 201: query.view, 202: AcceptedView },
    problems: [...(make.decider.claim === null ? [] : [409]), ...(make.references === undefined ? [] : [422])],
    async handle(request): Promise<EndpointResponse> {
      await checkReferences(api, make.references, request.body);
      const id = newId(api, path, request);
      const command = make.command(request.body, {});
      const origin = originOf(request);
      const done = requireSuccess(
        await api.handler.handle({
          decider: make.decider,
          id,
          command,
          origin,
          fresh: true,
          ...fingerprintOf(request),
        }),
      );
      const { position, recorded } = done;
      const headers = recorded ? {} : { 'Idempotency-Replayed': 'true' };
      return writtenResponse(api, request, { query, id, location: `${path}/${id}`, position, status: 201, headers });
    },
  });
}

function changeRow<B, S, C extends Message>(
  api: ApiContext,
  { path, query, make }: WriteRowOptions<B, S, C>,
): Endpoint {
  return endpoint({
    ...rowBase('PATCH', path, query),
    operationId: `update${resourceName(query)}`,
    summary: `Change one ${resourceName(query)}`,
    access: 'CRUD',
    params: pathParams(path),
    body: make.body,
    responses: { 200: query.view, 202: AcceptedView },
    problems: [...(make.decider.claim === null ? [] : [409]), ...(make.references === undefined ? [] : [422])],
    async handle(request): Promise<EndpointResponse> {
      await checkReferences(api, make.references, request.body);
      const id = idFromPath(request.params);
      const command = make.command(request.body, request.params);
      const { position, revision } = requireSuccess(
        await api.handler.handle({
          decider: make.decider,
          id,
          command,
          origin: originOf(request),
          expected: request.ifMatch,
        }),
      );
      const location = fillPath(path, request.params);
      return writtenResponse(api, request, { query, id, location, position, revision, status: 200 });
    },
  });
}

/** @throws {Problem} 422 naming each field that points at nothing */
export async function checkReferences(
  api: ApiContext,
  references: References | undefined,
  body: unknown,
): Promise<void> {
  const refused = await api.references.refusal(references, body);
  if (refused !== null) throw problemOf(refused);
}

/** Who asks, for the events of a request. */
export function originOf({
  caller,
  requestId,
  deadline,
}: Pick<ApiRequest, 'caller' | 'requestId' | 'deadline'>): Origin {
  if (caller === null) return { correlationId: requestId, deadline };
  return { correlationId: requestId, apiKeyId: caller.apiKeyId, licenseId: caller.licenseId, deadline };
}
