import { z } from 'zod';
import { apiKeyQuery } from '../../queries/api-keys.ts';
import type { IssuedKey, KeyRequest } from '../auth/keys.ts';
import type { ApiRequest } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { Rejection } from '../kernel/aggregate/rejections.ts';
import type { ApiContext } from './context.ts';
import { originOf } from './writes.ts';

/** A key with its token, the only time that it is shown (SPEC.md "ApiKeyCreated"). */
export const ApiKeyCreatedView = z
  .object({ apiKey: apiKeyQuery.view, token: z.string() })
  .meta({ id: 'ApiKeyCreated' });

/** Says that an answer is that of an earlier request with the same `Idempotency-Key`. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' } as const;

/** The path of a key. */
export const API_KEYS_PATH = '/api/v1/api-keys';

/**
 * Issues the key that comes with a registration. A retry (`replayed`) gets a fresh one, and the keys that the attempts
 * before it left behind are revoked: a client whose answer got lost must not end up registered and locked out (DESIGN
 * §3).
 * @throws {Problem} when the caller may not grant the role
 */
export async function issueKey(
  api: ApiContext,
  request: ApiRequest,
  { keyRequest: keyRequest, replayed }: { readonly keyRequest: KeyRequest; readonly replayed: boolean },
): Promise<IssuedKey> {
  const origin = originOf(request);
  const issued = await api.keyIssuer.issue(keyRequest, origin);
  if (issued instanceof Rejection) throw problemOf(issued);
  if (issued === null) throw new Error('a key of a new id existed already');
  if (replayed) await api.keyIssuer.revokeLeftovers(keyRequest.registration, request.arrivedAt, origin);
  return issued;
}

/** What a client sees of an issued key. */
export function createdKeyView({ apiKey, token }: IssuedKey) {
  return { apiKey, token };
}

/**
 * Waits until this node knows a key or licence, and then, in bounds, until it shows in the read models. An answer that
 * carries a token does not depend on either.
 */
export async function waitUntilKnown(api: ApiContext, position: Position, { deadline }: ApiRequest): Promise<void> {
  const wait = Math.min(api.projectionWaitMs, deadline - api.clock.now());
  await Promise.all([api.registry.runner.waitFor(position, wait), api.checkpointWaiter.waitFor(position, wait)]);
}
