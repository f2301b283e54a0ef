import { licenseDecider } from '../../../commands/licenses.ts';
import { ROOT_LICENSE_ID } from '../domain/roles.ts';
import type { CommandHandler } from '../kernel/aggregate/command-handler.ts';
import { randomBytes } from 'node:crypto';
import type { KeyIssuer } from './keys.ts';

/** A fixed id, so that two nodes that start at the same time create one key of the root licence. */
export const ROOT_KEY_ID = '00000000-0000-7000-8000-000000000002';

export function newLicenseKey(): string {
  return `lic_${randomBytes(24).toString('base64url')}`;
}

/** Creates the root licence and its ADMIN key of this token, or the one of them that a crash left out. */
export async function bootstrap(
  { handler, keyIssuer }: { readonly handler: CommandHandler; readonly keyIssuer: KeyIssuer },
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
