import { licenseDecider } from '../../../commands/licenses.ts';
import { hashOf, newLicenseKey, newToken } from '../access/authenticator.ts';
import type { KeyIssuer } from '../access/keys.ts';
import { ROOT_KEY_ID, type KeyRegistry } from '../access/registry.ts';
import type { Config } from '../config/config.ts';
import { ROOT_LICENSE_ID } from '../../domain/roles.ts';
import { OtherHistory, StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { CommandHandler } from '../../kernel/aggregate/command-handler.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import { retry } from '../../kernel/retry.ts';
import type { Logger } from '../observability/log.ts';
import { createOutageLog } from '../observability/outage-log.ts';

/** The services that the root key is made with. */
interface RootKeyServices {
  readonly handler: CommandHandler;
  readonly keyIssuer: Pick<KeyIssuer, 'issue'>;
  readonly registry: Pick<KeyRegistry, 'key' | 'waitUntilUpToDate'>;
  readonly clock: Clock;
}

/**
 * Creates the root licence and its ADMIN key unless they exist, and waits until this node knows every key: a revoked
 * one must not be accepted. While a store is unavailable it tries again, with the same token: an append without an
 * answer may have created the key.
 */
export async function ensureRootKey(
  { handler, keyIssuer, registry, clock }: RootKeyServices,
  options: {
    readonly config: Pick<Config, 'bootstrapAdminToken' | 'requestDeadlineMs'>;
    readonly log: Logger;
    /** Shows the token, once, at the very first start. */
    readonly announce: (token: string) => void;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { config, log, announce, signal } = options;
  const { bootstrapAdminToken, requestDeadlineMs } = config;
  const token = bootstrapAdminToken ?? newToken();
  const outage = createOutageLog(log, 'The first start (root licence and ADMIN key)');
  await retry(clock, signal, async () => {
    try {
      // First, as the token of a key that is created while the keys cannot be read would be lost if this process ended.
      await registry.waitUntilUpToDate();
      await createRootKey({ handler, keyIssuer }, token, clock.now() + requestDeadlineMs);
      await registry.waitUntilUpToDate();
      outage.recovered();
      return 'done';
    } catch (error) {
      if (!(error instanceof StoreUnavailable || error instanceof OtherHistory)) throw error;
      outage.failed(error);
      return 'stuck';
    }
  });
  const known = registry.key(ROOT_KEY_ID);
  if (known === null) return;
  const isOurs = known._tokenHash === hashOf(token);
  if (isOurs && bootstrapAdminToken === null) announce(token);
  if (!isOurs && bootstrapAdminToken !== null)
    log.warn('BOOTSTRAP_ADMIN_TOKEN is not the token of the root key, which the first start made; it is ignored');
}

/** Creates the root licence and its ADMIN key of this token, or the one of them that a crash left out. */
async function createRootKey(
  { handler, keyIssuer }: Pick<RootKeyServices, 'handler' | 'keyIssuer'>,
  token: string,
  deadline: number,
): Promise<void> {
  const origin = { correlationId: 'bootstrap', deadline };
  const data = { name: 'root', displayName: 'Root', licenseKey: newLicenseKey() };
  const command = { type: 'IssueLicense', data } as const;
  await handler.handle({ decider: licenseDecider, id: ROOT_LICENSE_ID, commands: [command], origin, fresh: true });
  await keyIssuer.issue(
    { licenseId: ROOT_LICENSE_ID, name: 'Root ADMIN key', role: 'ADMIN', rigId: null, registration: ROOT_LICENSE_ID },
    origin,
    { id: ROOT_KEY_ID, token },
  );
}
