import type { ApiKeyDocument } from '../../../projections/api-keys.ts';
import type { KeyRegistry } from './registry.ts';

/** What a change may take ADMIN keys away from: one key, or a licence with all of its keys. */
export type Weakened = { readonly apiKeyId: string } | { readonly licenseId: string };

/** Runs a change, and tells it whether no ADMIN key would be left (docs/interface.md#api-keys). */
export type AdminKeyGuard = <T>(weakened: Weakened, change: (lastAdmin: boolean) => Promise<T>) => Promise<T>;

/**
 * Creates the guard of the last ADMIN key. Changes that concern ADMIN keys run one after the other, each when the
 * registry knows all of before: of two ADMIN keys that revoke each other, one stays. `change` ends when the registry
 * holds what it did. Two nodes at the very same moment are not told apart; `keys issue` is the way back then.
 */
export function createAdminKeyGuard(
  registry: Pick<KeyRegistry, 'keysWhere' | 'license' | 'waitUntilUpToDate'>,
): AdminKeyGuard {
  let last: Promise<unknown> = Promise.resolve();
  return async (weakened, change) => {
    const concerned = registry.keysWhere((key) => key.role === 'ADMIN' && isOf(key, weakened));
    if (concerned.length === 0) return change(false);
    const run = last.then(async () => {
      await registry.waitUntilUpToDate();
      return change(isLastAdmin(registry, weakened));
    });
    // Who asked is told of a failure; the next change runs all the same.
    last = run.catch(() => undefined);
    return run;
  };
}

/** Whether this is the last working ADMIN key without an expiry: enabled, of an enabled licence, and neither expires. */
function isLastAdmin(registry: Pick<KeyRegistry, 'keysWhere' | 'license'>, weakened: Weakened): boolean {
  const others = registry.keysWhere((key) => {
    if (isOf(key, weakened) || key.role !== 'ADMIN' || !key.enabled || key.expiresAt !== null) return false;
    const license = registry.license(key.licenseId);
    return license?.enabled === true && license.expiresAt === null;
  });
  return others.length === 0;
}

function isOf(key: ApiKeyDocument, weakened: Weakened): boolean {
  return 'apiKeyId' in weakened ? key.id === weakened.apiKeyId : key.licenseId === weakened.licenseId;
}
