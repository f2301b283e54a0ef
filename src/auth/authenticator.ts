import { apiKeys, type ApiKeyDocument } from '../../projections/api-keys.ts';
import { licenses } from '../../projections/licenses.ts';
import type { Caller } from '../domain/roles.ts';
import type { Authenticator } from '../http/handle-request.ts';
import type { Clock } from '../kernel/ports/system.ts';
import type { KeyRegistry } from './registry.ts';
import { hashOf, isWellFormed, prefixOf, sameHash } from './tokens.ts';

/** Options of the authenticator. `onUse` is called at each request with a valid key. */
export interface AuthenticatorOptions {
  readonly registry: KeyRegistry;
  readonly clock: Clock;
  readonly onUse: (caller: Caller) => void;
  /** Whether the key of a rig may do no more than a rig needs, whatever its role. */
  readonly rigsOnly: boolean;
}

/** Creates the authenticator: a token is found by its prefix and compared by its hash, in memory. */
export function createAuthenticator({ registry, clock, onUse, rigsOnly }: AuthenticatorOptions): Authenticator {
  const callers = new WeakMap<ApiKeyDocument, Caller>();

  const isValid = (key: ApiKeyDocument): boolean => {
    const license = registry.license(key.licenseId);
    return (
      key.enabled &&
      license?.enabled === true &&
      (license.expiresAt === null || Date.parse(license.expiresAt) > clock.now())
    );
  };
  const callerOf = (key: ApiKeyDocument): Caller => {
    const known = callers.get(key);
    if (known !== undefined) return known;
    const ofRigOnly = rigsOnly && key._rigId !== null;
    const role = ofRigOnly ? 'R' : key.role;
    const caller = { apiKeyId: key.id, licenseId: key.licenseId, role, rigId: key._rigId, ofRigOnly };
    callers.set(key, caller);
    return caller;
  };
  const findKey = (token: string): ApiKeyDocument | null => {
    const candidates = registry.keysByPrefix(prefixOf(token));
    if (candidates.length === 0) return null;
    const hash = hashOf(token);
    return candidates.find((key) => sameHash(key._tokenHash, hash)) ?? null;
  };
  const callerIfValid = (key: ApiKeyDocument | null): Caller | null => {
    if (key === null || !isValid(key)) return null;
    const caller = callerOf(key);
    onUse(caller);
    return caller;
  };
  return {
    authenticate(token) {
      const key = findKey(token);
      // Until the registry has loaded all keys, a key that it does not know may exist, whatever the token looks like.
      if (key !== null || (registry.isLoaded() && !isWellFormed(token))) return callerIfValid(key);
      return registry.waitUntilUpToDate().then(() => callerIfValid(findKey(token)));
    },
    onInvalid(listener) {
      registry.onChange((collection, id) => {
        const affected =
          collection === apiKeys.collection
            ? [registry.key(id)]
            : collection === licenses.collection
              ? registry.keysWhere((key) => key.licenseId === id)
              : [];
        for (const key of affected) if (key !== null && !isValid(key)) listener(key.id);
      });
    },
  };
}
