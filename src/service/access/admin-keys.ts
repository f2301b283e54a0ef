import type { ApiKeyDocument } from '../../../projections/api-keys.ts';
import type { KeyRegistry } from './registry.ts';

/** The target of a change that may end ADMIN keys: one key, or a licence with all of its keys. */
type Weakened = { readonly apiKeyId: string } | { readonly licenseId: string };

/** The guard of the last ADMIN key. */
export type AdminKeyGuard = ReturnType<typeof createAdminKeyGuard>;

/**
 * Creates the guard of the last ADMIN key (docs/interface.md#api-keys): it runs a change with the fact whether that
 * concerns this key. Changes of ADMIN keys run one after the other, each once the registry knows all earlier ones: if
 * two ADMIN keys revoke each other, one stays. `change` must end only when the registry knows its result. Changes on two
 * nodes at the same moment can still revoke both; `keys issue` is the way back.
 */
export function createAdminKeyGuard(registry: Pick<KeyRegistry, 'keysWhere' | 'license' | 'waitUntilUpToDate'>) {
  let last: Promise<unknown> = Promise.resolve();
  return async <T>(weakened: Weakened, change: (lastAdmin: boolean) => Promise<T>) => {
    // A key may have become an ADMIN key a moment ago, on another node.
    await registry.waitUntilUpToDate();
    const concerned = registry.keysWhere((key) => key.role === 'ADMIN' && isOf(key, weakened));
    if (concerned.length === 0) return change(false);
    const run = last.then(async () => {
      await registry.waitUntilUpToDate();
      return change(isLastAdmin(registry, weakened));
    });
    // The caller gets the failure; the next change runs nevertheless.
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
