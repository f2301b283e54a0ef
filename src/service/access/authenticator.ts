import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { API_KEY_USAGE, apiKeyUsageEvents } from '../../../commands/api-keys.ts';
import { apiKeys, type ApiKeyDocument } from '../../../projections/api-keys.ts';
import type { Caller } from '../../domain/roles.ts';
import type { Authenticator } from '../http/middleware/authenticate.ts';
import { metadataOf, toNewEvent } from '../../kernel/aggregate/new-event.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import type { KeyRegistry } from './registry.ts';

const PREFIX_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Characters of a token that are stored and shown: `srt_` and 8 more (docs/interface.md#api-keys). */
const PREFIX_LENGTH = 12;

const SECRET_BYTES = 32;

const WELL_FORMED = /^srt_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/;

/** A new secret token: `srt_` + 8 characters + `_` + 32 random bytes in base64url. */
export function newToken(): string {
  const name = Array.from({ length: 8 }, () => PREFIX_ALPHABET.charAt(randomInt(PREFIX_ALPHABET.length))).join('');
  return `srt_${name}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

export function newLicenseKey(): string {
  return `lic_${randomBytes(24).toString('base64url')}`;
}

/** Whether a text has the form of the tokens that this service makes; a bootstrap token may be any string. */
export function isWellFormed(token: string): boolean {
  return WELL_FORMED.test(token);
}

/** The first characters of a token, by which it is found and shown; none of one that this service did not make. */
export function prefixOf(token: string): string {
  return isWellFormed(token) ? token.slice(0, PREFIX_LENGTH) : '';
}

/** SHA-256 of a token, base64url: all that is stored of it. */
export function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Whether two hashes are the same, in time that does not depend on where they differ. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Looks keys up by their tokens, and says whether they are valid now. */
function keyLookUp(registry: KeyRegistry, clock: Clock) {
  const isPast = (at: string | null): boolean => at !== null && Date.parse(at) <= clock.now();
  const isValid = (key: ApiKeyDocument): boolean => {
    const license = registry.license(key.licenseId);
    return key.enabled && !isPast(key.expiresAt) && license?.enabled === true && !isPast(license.expiresAt);
  };
  const isTokenOf = (key: ApiKeyDocument, hash: string): boolean =>
    sameHash(key._tokenHash, hash) ||
    key._oldTokens.some((old) => sameHash(old.tokenHash, hash) && !isPast(old.validUntil));
  const findKey = (token: string): ApiKeyDocument | null => {
    const named = registry.keysByPrefix(token.slice(0, PREFIX_LENGTH));
    // Of a token that this service did not make, no prefix is kept; release 0.1.0 did keep one.
    const candidates = isWellFormed(token) ? named : [...named, ...registry.keysByPrefix('')];
    if (candidates.length === 0) return null;
    const hash = hashOf(token);
    for (const key of candidates) if (isTokenOf(key, hash)) return key;
    return null;
  };
  return { isValid, isTokenOf, findKey };
}

interface AuthenticatorOptions {
  readonly registry: KeyRegistry;
  readonly clock: Clock;
  readonly onUse: (caller: Caller) => void;
  /** Whether the key of a rig may do no more than a rig needs, whatever its role. */
  readonly rigsOnly: boolean;
}

/** Creates the authenticator: a token is found by its prefix and compared by its hash, in memory. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { registry, clock, onUse, rigsOnly } = options;
  const callers = new WeakMap<ApiKeyDocument, Caller>();
  const { isValid, isTokenOf, findKey } = keyLookUp(registry, clock);
  const callerOf = (key: ApiKeyDocument): Caller => {
    const ofRigOnly = rigsOnly && key._rigId !== null;
    const role = ofRigOnly ? 'R' : key.role;
    const { id: apiKeyId, licenseId, _rigId: rigId } = key;
    const caller = { apiKeyId, licenseId, role, rigId, ofRigOnly, ofOldToken: false };
    callers.set(key, caller);
    return caller;
  };
  const callerIfValid = (key: ApiKeyDocument | null, token: string): Caller | null => {
    if (key === null || !isValid(key)) return null;
    const caller = callers.get(key) ?? callerOf(key);
    onUse(caller);
    const ofOldToken = key._oldTokens.length > 0 && !sameHash(key._tokenHash, hashOf(token));
    return ofOldToken ? { ...caller, ofOldToken } : caller;
  };
  return {
    authenticate(token) {
      const key = findKey(token);
      // One that it does not know may be a moment old, if it looks like one.
      const isKnown = key !== null || !isWellFormed(token);
      if (isKnown && registry.isCurrent()) return callerIfValid(key, token);
      return registry.waitUntilUpToDate().then(() => {
        if (registry.isCurrent()) return callerIfValid(findKey(token), token);
        throw new StoreUnavailable('the key registry is not up to date');
      });
    },
    onInvalid(listener) {
      registry.onChange((collection, id) => {
        const ends = (key: ApiKeyDocument) => (token: string) => !isValid(key) || !isTokenOf(key, hashOf(token));
        if (collection === apiKeys.collection) {
          const key = registry.key(id);
          if (key !== null) listener(id, ends(key));
        } else {
          for (const key of registry.keysWhere((one) => one.licenseId === id && !isValid(one)))
            listener(key.id, ends(key));
        }
      });
    },
  };
}

/** Shortest time, in ms, between two recorded uses of one key (docs/architecture.md#key-registry). */
const RECORD_EVERY_MS = 60_000;

/** Correlation id of usage events: each stands for many requests. */
const CORRELATION = 'usage';

export type KeyUsage = ReturnType<typeof createKeyUsage>;

/**
 * Record of when keys were last used: kept in memory at once, and written as an event now and then. `onError` is called
 * when a use could not be written; the request itself does not fail.
 */
export function createKeyUsage(ports: {
  readonly store: Pick<EventStore, 'append'>;
  readonly registry: Pick<KeyRegistry, 'key' | 'license'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onError: (error: unknown) => void;
}) {
  const { store, registry, clock, ids, onError } = ports;
  const keys = new Map<string, number>();
  const licenses = new Map<string, number>();
  const recorded = new Map<string, number>();

  async function record({ apiKeyId, licenseId, role, rigId }: Caller, now: number): Promise<void> {
    // The moment that is shown here already, so that it is the same after a restart.
    const source = { clock: { now: () => now }, ids };
    const metadata = metadataOf({ correlationId: CORRELATION, apiKeyId, licenseId, role }, undefined, source);
    const data = rigId === null ? { licenseId } : { licenseId, rigId };
    const used = { type: 'ApiKeyUsed', data };
    const event = toNewEvent(apiKeyUsageEvents, used, ids.random(), metadata);
    await store.append(streamOf(API_KEY_USAGE, apiKeyId), [event], 'newest_only');
  }
  return {
    recordUse: (caller: Caller): void => {
      const { apiKeyId, licenseId } = caller;
      const now = clock.now();
      keys.set(apiKeyId, now);
      licenses.set(licenseId, now);
      // Not a number where no use was recorded.
      const last = recorded.get(apiKeyId) ?? Date.parse(registry.key(apiKeyId)?.lastUsedAt ?? '');
      // Also after the clock was set back from a moment that was recorded.
      if (Math.abs(now - last) < RECORD_EVERY_MS) return;
      recorded.set(apiKeyId, now);
      record(caller, now).catch(onError);
    },
    /** When a key was last used as far as this process knows, ISO 8601, or null. */
    lastUsedAt: (id: string) => newest(keys.get(id), registry.key(id)?.lastUsedAt),
    /** When a licence last saw an authenticated request, ISO 8601, or null. */
    lastLoginAt: (id: string) => newest(licenses.get(id), registry.license(id)?.lastLoginAt),
  };
}

function newest(here: number | undefined, known: string | null | undefined): string | null {
  if (here === undefined) return known ?? null;
  const at = new Date(here).toISOString();
  return known !== null && known !== undefined && known > at ? known : at;
}
