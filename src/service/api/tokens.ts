import { z } from 'zod';
import { apiKeyQuery } from '../../../queries/api-keys.ts';
import { described } from '../../domain/fields.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import { Rejection } from '../../kernel/aggregate/rejection.ts';
import type { Origin } from '../../kernel/event-types.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import type { CheckpointReader } from '../../kernel/projection/checkpoint-waiter.ts';
import type { IssuedKey, KeyIssuer, KeyRequest, PresetKey, RetriedRegistration } from '../access/keys.ts';
import type { KeyRegistry } from '../access/registry.ts';
import type { ApiRequest } from '../http/endpoint.ts';
import { Problem, problemOf } from '../http/problems.ts';
import { originOf } from './request-commands.ts';

/** View of a new key with its token, which is shown only here (docs/interface.md#api-keys). */
export const ApiKeyCreatedView = z
  .object({
    apiKey: apiKeyQuery.view,
    token: described(z.string(), 'The token: the value of X-API-Key. It is shown only here.', 'srt_Q7wZp2Xk_[secret]'),
  })
  .meta({ id: 'ApiKeyCreated', description: 'A new key, with its token.' });

export const API_KEYS_PATH = '/api/v1/api-keys';

interface KeyChangesOptions {
  readonly registry: Pick<KeyRegistry, 'runner'>;
  readonly checkpointWaiter: Pick<CheckpointReader, 'waitFor'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Longest wait, in ms, for the read models. */
  readonly projectionWaitMs: number;
}

/** Waits until changes of keys have taken effect. */
export class KeyChanges {
  readonly #options: KeyChangesOptions;

  constructor(options: KeyChangesOptions) {
    this.#options = options;
  }

  /**
   * Waits until the registry of this node has reached a position: once this is answered, a key can no longer do what was
   * taken from it.
   * @throws {StoreUnavailable} when it has not by the request's deadline: the change is recorded, and may be requested
   * again
   */
  async requireKnown(position: Position, { deadline }: Pick<ApiRequest, 'deadline'>): Promise<void> {
    const { registry, checkpointWaiter, clock, projectionWaitMs } = this.#options;
    const remaining = Math.max(0, deadline - clock.now());
    const [isKnown] = await Promise.all([
      registry.runner.waitFor(position, remaining),
      checkpointWaiter.waitFor(position, Math.min(projectionWaitMs, remaining)),
    ]);
    if (isKnown) return;
    throw new StoreUnavailable('the key registry has not read the newest events yet');
  }

  /**
   * Waits, in bounds, until the registry of this node and the read models have reached a position. A response that
   * carries a token does not depend on either.
   */
  async waitUntilKnown(position: Position, { deadline }: Pick<ApiRequest, 'deadline'>): Promise<void> {
    const { registry, checkpointWaiter, clock, projectionWaitMs } = this.#options;
    const wait = Math.min(projectionWaitMs, deadline - clock.now());
    await Promise.all([registry.runner.waitFor(position, wait), checkpointWaiter.waitFor(position, wait)]);
  }
}

/** A retry that asks for a key. */
interface RetriedRequest extends Omit<RetriedRegistration, 'first'> {
  /** Stream of what the first attempt created. */
  readonly stream: string;
  /** Whether that is enabled. */
  readonly isLive: boolean;
}

/** Detail of the problem of a retry that gets no fresh key. */
interface NoTokenAnswer {
  /** Path of what the first attempt created. */
  readonly location: string;
  /** A sentence that says how else to get a key. */
  readonly instead: string;
}

/** Keys that requests ask for. */
export class RequestedKeys {
  readonly #keyIssuer: KeyIssuer;
  readonly #keyChanges: KeyChanges;
  readonly #aggregates: Pick<Aggregates, 'requireFirstOf'>;

  constructor(keyIssuer: KeyIssuer, keyChanges: KeyChanges, aggregates: Pick<Aggregates, 'requireFirstOf'>) {
    this.#keyIssuer = keyIssuer;
    this.#keyChanges = keyChanges;
    this.#aggregates = aggregates;
  }

  /**
   * Refuses a retry that must not get a fresh key (docs/interface.md#idempotency): whoever repeats a request whose answer
   * was received, or that somebody else sent, would get a key of what exists.
   * @throws {Problem} 409, with the `Location` of what exists
   */
  async requireNewToken(
    { stream, isLive, ...retried }: RetriedRequest,
    { location, instead }: NoTokenAnswer,
  ): Promise<void> {
    const first = await this.#aggregates.requireFirstOf(stream);
    if (isLive && (await this.#keyIssuer.mayIssueAgain({ ...retried, first }))) return;
    throw new Problem(
      'NO_NEW_TOKEN',
      'A retry gets a token only with the key that sent the request first, within an hour, and until the new key is ' +
        `used or ends. ${instead}`,
      { headers: { Location: location } },
    );
  }

  /**
   * Issues the key of a registration. A retry gets a new one, and the keys that earlier attempts left behind are revoked:
   * a client that has not received the response must not end up registered but without a key
   * (docs/interface.md#idempotency). `origin`: in whose name; that of the request by default.
   * @throws {Problem} when the caller may not grant the role; {StoreUnavailable} when a revocation does not hold in time
   */
  async issue(
    request: ApiRequest,
    keyRequest: KeyRequest,
    options: { readonly isRetry: boolean; readonly origin?: Origin } & Pick<PresetKey, 'authorize' | 'id'>,
  ): Promise<IssuedKey> {
    const { isRetry, origin = originOf(request), ...preset } = options;
    const issued = await this.#keyIssuer.issue(keyRequest, origin, preset);
    if (issued instanceof Rejection) throw problemOf(issued);
    if (issued === null) throw new Error('a key with a new id exists already');
    if (!isRetry) return issued;
    const revoked = await this.#keyIssuer.revokeLeftovers(keyRequest.registration, request.arrivedAt, origin);
    if (revoked !== null) await this.#keyChanges.requireKnown(revoked, request);
    return issued;
  }
}
