import type { ApiKeyDocument } from '../../../projections/api-keys.ts';
import { apiKeyDecider, type ApiKeyCommand } from '../../../commands/api-keys.ts';
import { rigDecider } from '../../../commands/rigs.ts';
import type { Caller, Role } from '../../domain/roles.ts';
import type { Authorize, CommandHandler } from '../../kernel/aggregate/command-handler.ts';
import type { Origin } from '../../kernel/event-types.ts';
import type { EventMetadata, Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import { Rejection } from '../../kernel/aggregate/rejection.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import type { KeyRegistry } from './registry.ts';
import { hashOf, newToken, prefixOf, type KeyUsage } from './authenticator.ts';

export interface KeyRequest {
  readonly licenseId: string;
  readonly name: string;
  readonly role: Role;
  readonly rigId: string | null;
  /** Id of the rig, licence or key whose registration the key belongs to. */
  readonly registration: string;
  /** ISO 8601; null or none: it has no end. */
  readonly expiresAt?: string | null;
}

/** A new key and its token, which is never shown again (docs/interface.md#api-keys). */
export interface IssuedKey {
  readonly apiKey: Omit<ApiKeyDocument, `_${string}`> & { readonly oldTokenValidUntil: null };
  readonly token: string;
  readonly position: Position;
}

export interface PresetKey {
  readonly id?: string;
  readonly token?: string;
  readonly fingerprint?: string;
  /** See `CommandRequest`; left out where the service itself issues the key. */
  readonly authorize?: Authorize<unknown>;
}

interface KeyIssuerPorts {
  readonly handler: CommandHandler;
  readonly aggregates: Pick<Aggregates, 'read'>;
  readonly registry: Pick<KeyRegistry, 'keysWhere' | 'waitUntilUpToDate'>;
  readonly usage: Pick<KeyUsage, 'lastUsedAt'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Issues a key, with the preset id and token if there are any. Null when a key of that id exists already. */
export async function issueApiKey(
  { handler, clock, ids }: Pick<KeyIssuerPorts, 'handler' | 'clock' | 'ids'>,
  { request, origin, preset }: { readonly request: KeyRequest; readonly origin: Origin; readonly preset: PresetKey },
): Promise<IssuedKey | null | Rejection> {
  const { id = ids.next(), token = newToken(), ...rest } = preset;
  const { expiresAt = null, ...key } = request;
  const keyPrefix = prefixOf(token);
  const command: ApiKeyCommand = {
    type: 'IssueApiKey',
    data: { ...key, expiresAt, now: clock.now(), keyPrefix, tokenHash: hashOf(token) },
  };
  const result = await handler.handle({
    decider: apiKeyDecider,
    id,
    commands: [command],
    origin,
    fresh: true,
    ...rest,
  });
  if (result instanceof Rejection) return result;
  if (result.outcome === 'taken' || !result.recorded) return null;
  const { licenseId, name, role } = request;
  const { createdAt, updatedAt, position } = result;
  const visible = { id, licenseId, name, keyPrefix, role, enabled: true, expiresAt };
  return { apiKey: { ...visible, lastUsedAt: null, oldTokenValidUntil: null, createdAt, updatedAt }, token, position };
}

/** Time, in ms, after a registration in which its retries get fresh keys. */
const RETRIES_FOR_MS = 60 * 60_000;

/** The reason that is recorded with the end of a key that a retry has replaced. */
const REPLACED = 'replaced by a retry of the request that issued it';

/** A retry of a registration. */
export interface RetriedRegistration {
  /** Metadata of the event that the first attempt recorded. */
  readonly first: EventMetadata;
  readonly caller: Pick<Caller, 'apiKeyId'> | null;
  /** Id of the registration, as in `KeyRequest`. */
  readonly registration: string;
  /** Whether a key is one of what was registered, whoever issued it. */
  readonly isOf: (key: ApiKeyDocument) => boolean;
}

/**
 * Whether a key has ended because its rig has left the licence that it was issued for, by the events of both. The key
 * stays ended when the rig comes back.
 */
export async function hasRigLeft(aggregates: Pick<Aggregates, 'read'>, keyId: string): Promise<boolean> {
  let issued: RecordedEvent | undefined;
  for await (const events of aggregates.read(streamOf(apiKeyDecider.category, keyId))) issued ??= events[0];
  const rigId = issued?.data['rigId'];
  if (issued === undefined || typeof rigId !== 'string') return false;
  for await (const events of aggregates.read(streamOf(rigDecider.category, rigId))) {
    for (const { type, data, position } of events) {
      const isMove = type === 'RigMovedToLicense' && data['from'] === issued.data['licenseId'];
      if (isMove && position > issued.position) return true;
    }
  }
  return false;
}

/** Issues, rotates and revokes keys. */
export type KeyIssuer = ReturnType<typeof createKeyIssuer>;

/** Creates the issuer of keys. */
export function createKeyIssuer({ handler, aggregates, registry, usage, clock, ids }: KeyIssuerPorts) {
  /** Whether a retry has ended a key. Every other end was meant to be one. */
  const wasReplaced = async (id: string): Promise<boolean> => {
    let isReplaced = false;
    for await (const events of aggregates.read(streamOf(apiKeyDecider.category, id))) {
      for (const { type, metadata } of events) isReplaced ||= type === 'ApiKeyRevoked' && metadata.reason === REPLACED;
    }
    return isReplaced;
  };
  /** Revokes the keys of which that is true; resolves to the position of the last revocation, or null. */
  const revokeWhere = async (is: (key: ApiKeyDocument) => boolean, origin: Origin): Promise<Position | null> => {
    await registry.waitUntilUpToDate();
    let last: Position | null = null;
    for (const { id } of registry.keysWhere(is)) {
      // No such key is one of an ADMIN's, who alone could be locked out.
      const command = { type: 'RevokeApiKey', data: { lastAdmin: false } } as const;
      const result = await handler.handle({ decider: apiKeyDecider, id, commands: [command], origin });
      if ('position' in result) last = result.position;
    }
    return last;
  };
  return {
    issue: (request: KeyRequest, origin: Origin, preset: PresetKey) =>
      issueApiKey({ handler, clock, ids }, { request, origin, preset }),
    /**
     * Whether a retry of a registration gets a fresh key: the caller's is the key that sent it first, not long ago, and
     * no key of what was registered has been used, was ended on purpose, or was issued in another way since. Whoever
     * else knows the request must get no key by it.
     */
    async mayIssueAgain({ first, caller, registration, isOf }: RetriedRegistration): Promise<boolean> {
      if (caller === null || first.apiKeyId !== caller.apiKeyId) return false;
      if (clock.now() - Date.parse(first.occurredAt) > RETRIES_FOR_MS) return false;
      await registry.waitUntilUpToDate();
      for (const key of registry.keysWhere(isOf)) {
        if (key._registration !== registration || usage.lastUsedAt(key.id) !== null) return false;
        if (!key.enabled && !(await wasReplaced(key.id))) return false;
      }
      return true;
    },
    /**
     * Revokes the keys of a registration that an earlier attempt of the same request left behind: those issued before
     * this attempt arrived (epoch ms) and never used, whose token nobody can have got (docs/architecture.md#idempotency).
     * Resolves to the position of the last revocation, or null.
     */
    revokeLeftovers: (registration: string, arrivedAt: number, origin: Origin) =>
      revokeWhere(
        (key) =>
          key._registration === registration &&
          key.enabled &&
          usage.lastUsedAt(key.id) === null &&
          Date.parse(key.createdAt) < arrivedAt,
        { ...origin, reason: REPLACED },
      ),
    /** Gives a key a new token; the one of before is valid for some seconds yet. `position` is that of the rotation. */
    async rotate(
      id: string,
      graceSeconds: number,
      authorize: Authorize<unknown>,
      origin: Origin,
    ): Promise<Pick<IssuedKey, 'token' | 'position'> | Rejection> {
      const token = newToken();
      const rigLeft = await hasRigLeft(aggregates, id);
      const command: ApiKeyCommand = {
        type: 'RotateApiKey',
        data: { now: clock.now(), rigLeft, graceSeconds, keyPrefix: prefixOf(token), tokenHash: hashOf(token) },
      };
      const result = await handler.handle({ decider: apiKeyDecider, id, commands: [command], origin, authorize });
      if (result instanceof Rejection) return result;
      return { token, position: result.position };
    },
    revokeWhere,
  };
}
