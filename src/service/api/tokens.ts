import { z } from 'zod';
import { apiKeyQuery } from '../../../queries/api-keys.ts';
import { described } from '../../domain/fields.ts';
import type { IssuedKey, KeyRequest, PresetKey, RetriedRegistration } from '../access/keys.ts';
import type { ApiRequest } from '../http/endpoint.ts';
import { Problem, problemOf } from '../http/problems.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import { Rejection } from '../../kernel/aggregate/rejection.ts';
import type { ApiContext } from './context.ts';
import { originOf } from './pipeline.ts';

/** View of a new key with its token, which is shown only here (docs/interface.md#api-keys). */
export const ApiKeyCreatedView = z
  .object({
    apiKey: apiKeyQuery.view,
    token: described(z.string(), 'The token: the value of X-API-Key. It is shown only here.', 'srt_Q7wZp2Xk_[secret]'),
  })
  .meta({ id: 'ApiKeyCreated', description: 'A new key, with its token.' });

export const API_KEYS_PATH = '/api/v1/api-keys';

/**
 * Refuses a retry that is to get no fresh key (docs/interface.md#idempotency): whoever repeats a request whose answer was
 * received, or that somebody else sent, would get a key of what exists. `isLive`: whether that is enabled.
 * @throws {Problem} 409, with the `Location` of what exists
 */
export async function requireNewToken(
  api: ApiContext,
  retried: RetriedRegistration & { readonly isLive: boolean },
  told: { readonly location: string; readonly instead: string },
): Promise<void> {
  if (retried.isLive && (await api.keyIssuer.mayIssueAgain(retried))) return;
  const { location, instead } = told;
  throw new Problem(
    'NO_NEW_TOKEN',
    'A retry gets a token only with the key that sent the request first, within an hour, and until the new key is used ' +
      `or ends. ${instead}`,
    { headers: { Location: location } },
  );
}

/**
 * Issues the key of a registration. A retry (`replayed`) gets a new one, and the keys that earlier attempts left behind
 * are revoked: a client that has not received the response must not end up registered but without a key
 * (docs/interface.md#idempotency).
 * @throws {Problem} when the caller may not grant the role; {StoreUnavailable} when a revocation does not hold in time
 */
export async function issueKey(
  api: ApiContext,
  request: ApiRequest,
  asked: { readonly keyRequest: KeyRequest; readonly replayed: boolean } & Pick<PresetKey, 'authorize' | 'id'>,
): Promise<IssuedKey> {
  const { keyRequest, replayed, ...preset } = asked;
  const origin = originOf(request);
  const issued = await api.keyIssuer.issue(keyRequest, origin, preset);
  if (issued instanceof Rejection) throw problemOf(issued);
  if (issued === null) throw new Error('a key with a new id exists already');
  if (!replayed) return issued;
  const revoked = await api.keyIssuer.revokeLeftovers(keyRequest.registration, request.arrivedAt, origin);
  if (revoked !== null) await requireKnown(api, revoked, request);
  return issued;
}

/**
 * Waits until the registry of this node has reached a position: once this is answered, a key can no longer do what was
 * taken from it.
 * @throws {StoreUnavailable} when it has not by the request's deadline: the change is recorded, and may be asked for again
 */
export async function requireKnown(api: ApiContext, position: Position, request: ApiRequest): Promise<void> {
  const left = Math.max(0, request.deadline - api.clock.now());
  const [known] = await Promise.all([
    api.registry.runner.waitFor(position, left),
    api.checkpointWaiter.waitFor(position, Math.min(api.projectionWaitMs, left)),
  ]);
  if (known) return;
  throw new StoreUnavailable('the key registry has not read the newest events yet');
}

/**
 * Waits, in bounds, until the registry of this node and the read models have reached a position. A response that
 * carries a token does not depend on either.
 */
export async function waitUntilKnown(api: ApiContext, position: Position, { deadline }: ApiRequest): Promise<void> {
  const wait = Math.min(api.projectionWaitMs, deadline - api.clock.now());
  await Promise.all([api.registry.runner.waitFor(position, wait), api.checkpointWaiter.waitFor(position, wait)]);
}
