import type { ApiKeyDocument } from '../../projections/api-keys.ts';
import { apiKeyDecider, type ApiKeyCommand } from '../../commands/api-keys.ts';
import type { Caller, Role } from '../domain/roles.ts';
import type { CommandHandler } from '../kernel/aggregate/command-handler.ts';
import type { Origin } from '../kernel/event-types.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { Rejection } from '../kernel/aggregate/decider.ts';
import type { Ids } from '../kernel/ports/system.ts';
import type { KeyRegistry } from './registry.ts';
import { hashOf, newToken, prefixOf } from './authenticator.ts';
import type { KeyUsage } from './usage.ts';

/** Request for a key. `by` is null where the service itself grants it. */
export interface KeyRequest {
  readonly licenseId: string;
  readonly name: string;
  readonly role: Role;
  readonly rigId: string | null;
  /** Id of the rig, licence or key whose registration the key belongs to. */
  readonly registration: string;
  readonly by: Caller | null;
}

/** A new key and its token, which is never shown again (docs/interface.md#api-keys). */
export interface IssuedKey {
  readonly apiKey: Omit<ApiKeyDocument, `_${string}`>;
  readonly token: string;
  readonly position: Position;
}

/** Properties of a key that may be chosen by the caller of `issue`. */
export interface PresetKey {
  readonly id?: string;
  readonly token?: string;
  /** Fingerprint of the request for the key. */
  readonly fingerprint?: string;
}

/** Issuer of API keys. */
export interface KeyIssuer {
  /** Issues a key, with the preset id and token if there are any. Null when a key of that id exists already. */
  issue(request: KeyRequest, origin: Origin, preset?: PresetKey): Promise<IssuedKey | null | Rejection>;
  /**
   * Revokes the keys of a registration that an earlier attempt of the same request left behind: those issued before
   * this attempt arrived (epoch ms) and never used, whose token nobody can have got (docs/architecture.md#idempotency).
   */
  revokeLeftovers(registration: string, arrivedAt: number, origin: Origin): Promise<void>;
}

/** Options of the issuer of keys. */
export interface KeyIssuerOptions {
  readonly handler: CommandHandler;
  readonly registry: KeyRegistry;
  readonly usage: KeyUsage;
  readonly ids: Ids;
}

/** Creates the issuer of keys. */
export function createKeyIssuer({ handler, registry, usage, ids }: KeyIssuerOptions): KeyIssuer {
  return {
    async issue(request, origin, { id = ids.next(), token = newToken(), fingerprint } = {}) {
      const keyPrefix = prefixOf(token);
      const command: ApiKeyCommand = { type: 'IssueApiKey', data: { ...request, keyPrefix, tokenHash: hashOf(token) } };
      const result = await handler.handle({
        decider: apiKeyDecider,
        id,
        command,
        origin,
        fresh: true,
        ...(fingerprint === undefined ? {} : { fingerprint }),
      });
      if (result instanceof Rejection) return result;
      if (result.outcome === 'taken' || !result.recorded) return null;
      const { licenseId, name, role } = request;
      const { createdAt, updatedAt, position } = result;
      return {
        apiKey: { id, licenseId, name, keyPrefix, role, enabled: true, lastUsedAt: null, createdAt, updatedAt },
        token,
        position,
      };
    },
    async revokeLeftovers(registration, arrivedAt, origin) {
      const leftovers = registry.keysWhere(
        (key) =>
          key._registration === registration &&
          key.enabled &&
          usage.lastUsedAt(key.id) === null &&
          Date.parse(key.createdAt) < arrivedAt,
      );
      for (const { id } of leftovers) {
        await handler.handle({
          decider: apiKeyDecider,
          id,
          command: { type: 'RevokeApiKey', data: { by: null } },
          origin,
        });
      }
    },
  };
}
