import { apiKeys, type ApiKeyDocument } from '../../projections/api-keys.ts';
import { licenses } from '../../projections/licenses.ts';
import type { Caller } from '../domain/roles.ts';
import type { Authenticator } from '../http/authenticator.ts';
import type { EventStore } from '../kernel/event-store.ts';
import type { Clock } from '../kernel/time.ts';
import type { Registry } from './registry.ts';
import { hashOf, isWellFormed, prefixOf, sameHash } from './tokens.ts';

/** Longest wait, in ms, for the registry to reach the head before an unknown token is refused. */
const UNKNOWN_TOKEN_WAIT_MS = 2_000;

/** What the authenticator needs. `onUse` is told of each request under a valid key. */
export interface AuthenticatorPorts {
  readonly registry: Registry;
  readonly store: Pick<EventStore, 'head'>;
  readonly clock: Clock;
  readonly onUse: (caller: Caller) => void;
}

/** Makes the authenticator: a token is found by its prefix and compared by its hash, in memory. */
export function createAuthenticator({ registry, store, clock, onUse }: AuthenticatorPorts): Authenticator {
  const callers = new WeakMap<ApiKeyDocument, Caller>();

  const valid = (key: ApiKeyDocument): boolean => {
    const license = registry.license(key.licenseId);
    return key.enabled && license?.enabled === true && (license.expiresAt === null || Date.parse(license.expiresAt) > clock.now());
  };
  const callerOf = (key: ApiKeyDocument): Caller => {
    const known = callers.get(key);
    if (known !== undefined) return known;
    const caller: Caller = { apiKeyId: key.id, licenseId: key.licenseId, role: key.role, ofRig: key._rigId !== null };
    callers.set(key, caller);
    return caller;
  };
  const find = (token: string): ApiKeyDocument | null => {
    const candidates = registry.keysByPrefix(prefixOf(token));
    if (candidates.length === 0) return null;
    const hash = hashOf(token);
    return candidates.find((key) => sameHash(key._tokenHash, hash)) ?? null;
  };
  const admit = (key: ApiKeyDocument | null): Caller | null => {
    if (key === null || !valid(key)) return null;
    const caller = callerOf(key);
    onUse(caller);
    return caller;
  };
  const upToDate = sharedByAllWhoWait(async () => {
    const head = await store.head();
    if (head !== null) await registry.runner.reached(head, UNKNOWN_TOKEN_WAIT_MS);
  });
  return {
    authenticate(token) {
      const key = find(token);
      if (key !== null || !isWellFormed(token)) return admit(key);
      return upToDate().then(() => admit(find(token)));
    },
    onInvalid(listener) {
      registry.onChange((collection, id) => {
        const affected = collection === apiKeys.collection
          ? [registry.key(id)]
          : collection === licenses.collection ? registry.keysWhere((key) => key.licenseId === id) : [];
        for (const key of affected) if (key !== null && !valid(key)) listener(key.id);
      });
    },
  };
}

/** One run at a time; whoever comes during a run shares the next one, which began after they came. */
function sharedByAllWhoWait(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    next = null;
    current = run().finally(() => {
      current = null;
    });
    return current;
  };
  return () => {
    if (current === null) return start();
    next ??= current.then(start, start);
    return next;
  };
}
