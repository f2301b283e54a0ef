import type { ApiKeyDocument } from '../../../projections/api-keys.ts';
import { apiKeyDecider, type ApiKeyCommand } from '../../../commands/api-keys.ts';
import type { Role } from '../domain/roles.ts';
import type { Authorize, CommandHandler } from '../kernel/aggregate/command-handler.ts';
import type { Origin } from '../kernel/event-types.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { Rejection } from '../kernel/aggregate/decider.ts';
import type { Clock, Ids } from '../kernel/ports/system.ts';
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
  readonly registry: KeyRegistry;
  readonly usage: KeyUsage;
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

export function createKeyIssuer({ handler, registry, usage, clock, ids }: KeyIssuerPorts) {
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
        origin,
      ),
    /** Gives a key a new token; the one of before is valid for some seconds yet. `position` is that of the rotation. */
    async rotate(
      id: string,
      { graceSeconds, authorize }: { readonly graceSeconds: number; readonly authorize: Authorize<unknown> },
      origin: Origin,
    ): Promise<Pick<IssuedKey, 'token' | 'position'> | Rejection> {
      const token = newToken();
      const command: ApiKeyCommand = {
        type: 'RotateApiKey',
        data: { now: clock.now(), graceSeconds, keyPrefix: prefixOf(token), tokenHash: hashOf(token) },
      };
      const result = await handler.handle({ decider: apiKeyDecider, id, commands: [command], origin, authorize });
      if (result instanceof Rejection) return result;
      return { token, position: result.position };
    },
    revokeWhere,
  };
}
