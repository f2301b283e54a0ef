import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { apiKeys, type ApiKeyDocument } from '../../../projections/api-keys.ts';
import type { Caller } from '../domain/roles.ts';
import type { Authenticator } from '../http/handle-request.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { Clock } from '../kernel/ports/system.ts';
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

/** Options of the authenticator. `onUse` is called at each request with a valid key. */
export interface AuthenticatorOptions {
  readonly registry: KeyRegistry;
  readonly clock: Clock;
  readonly onUse: (caller: Caller) => void;
  /** Whether the root key exists: before that, a request with it comes too early. */
  readonly rootKey: { readonly exists: boolean };
  /** Whether the key of a rig may do no more than a rig needs, whatever its role. */
  readonly rigsOnly: boolean;
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
    return candidates.find((key) => isTokenOf(key, hash)) ?? null;
  };
  return { isValid, isTokenOf, findKey };
}

/** Creates the authenticator: a token is found by its prefix and compared by its hash, in memory. */
export function createAuthenticator({
  registry,
  clock,
  onUse,
  rootKey,
  rigsOnly,
}: AuthenticatorOptions): Authenticator {
  const callers = new WeakMap<ApiKeyDocument, Caller>();
  const { isValid, isTokenOf, findKey } = keyLookUp(registry, clock);
  const isCurrent = (): boolean => registry.isCurrent() && rootKey.exists;
  const callerOf = (key: ApiKeyDocument): Caller => {
    const known = callers.get(key);
    if (known !== undefined) return known;
    const ofRigOnly = rigsOnly && key._rigId !== null;
    const role = ofRigOnly ? 'R' : key.role;
    const { id: apiKeyId, licenseId, _rigId: rigId } = key;
    const caller = { apiKeyId, licenseId, role, rigId, ofRigOnly, ofOldToken: false };
    callers.set(key, caller);
    return caller;
  };
  const callerIfValid = (key: ApiKeyDocument | null, token: string): Caller | null => {
    if (key === null || !isValid(key)) return null;
    const caller = callerOf(key);
    onUse(caller);
    const ofOldToken = key._oldTokens.length > 0 && !sameHash(key._tokenHash, hashOf(token));
    return ofOldToken ? { ...caller, ofOldToken } : caller;
  };
  return {
    authenticate(token) {
      const key = findKey(token);
      // One that it does not know may be a moment old, if it looks like one.
      if (isCurrent() && (key !== null || !isWellFormed(token))) return callerIfValid(key, token);
      return registry.waitUntilUpToDate().then(() => {
        if (isCurrent()) return callerIfValid(findKey(token), token);
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
