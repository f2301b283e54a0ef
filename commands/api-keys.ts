import { z } from 'zod';
import { name, uuid } from '../src/domain/fields.ts';
import { includesRole, ROLES, type Caller, type Role } from '../src/domain/roles.ts';
import { changesTo, evolvedBy, fieldsChanged } from '../src/domain/field-events.ts';
import { decider, evolveExisting, whenAbsent, reject, type Rejection } from '../src/kernel/aggregate/decider.ts';
import type { DecidedEvent } from '../src/kernel/event-types.ts';
import { eventType } from '../src/kernel/event-types.ts';

const keyName = name(3, 120);
const role = z.enum(ROLES);

export const IssueApiKeyBody = z.object({ name: keyName, role }).meta({ id: 'IssueApiKey' });
export const ChangeApiKeyBody = z.object({ name: keyName, role }).partial().meta({ id: 'ChangeApiKey' });

const issued = z.object({
  licenseId: uuid,
  name: keyName,
  role,
  keyPrefix: z.string(),
  /** SHA-256 of the token, base64url. The token itself is in no event. */
  tokenHash: z.string(),
  /** The rig that the key was issued to, or null. */
  rigId: uuid.nullable(),
  /**
   * What the key was issued with: the id of the rig, licence or key request. Retries of that request find their older
   * keys by it.
   */
  registration: uuid,
});

const changes = {
  ApiKeyRenamed: fieldsChanged(z.object({ name: keyName })),
  ApiKeyRoleChanged: fieldsChanged(z.object({ role })),
};
export const apiKeyEvents = { ApiKeyIssued: eventType(issued), ...changes, ApiKeyRevoked: eventType(z.object({})) };

/**
 * In a stream of its own (`apiKeyUsage-<id>`) that keeps only its newest event, so that use never contends with change.
 */
export const apiKeyUsageEvents = { ApiKeyUsed: eventType(z.object({ licenseId: uuid })) };

type ApiKey = { readonly licenseId: string; readonly name: string; readonly role: Role; readonly revoked: boolean };

export type ApiKeyCommand =
  /** `by` is null where the service itself issues a key: with a licence, to a rig, at the first start. */
  | { readonly type: 'IssueApiKey'; readonly data: z.output<typeof issued> & { readonly by: Caller | null } }
  | { readonly type: 'ChangeApiKey'; readonly data: z.output<typeof ChangeApiKeyBody> & { readonly by: Caller } }
  | { readonly type: 'RevokeApiKey'; readonly data: { readonly by: Caller | null } };

export const apiKeyDecider = decider<ApiKey | null, ApiKeyCommand, typeof apiKeyEvents>({
  category: 'apiKey',
  initial: null,
  events: apiKeyEvents,
  evolve: {
    ApiKeyIssued: (_, { licenseId, name, role }) => ({ licenseId, name, role, revoked: false }),
    ...evolvedBy(changes),
    ApiKeyRevoked: evolveExisting((key) => ({ ...key, revoked: true })),
  },
  decide: {
    IssueApiKey: whenAbsent(({ by, ...data }) => mayGrant(by, data.role) ?? [{ type: 'ApiKeyIssued', data }]),
    ChangeApiKey: (key, { by, ...change }) =>
      whenManagedBy(
        key,
        by,
        (present) => mayGrant(by, change.role ?? present.role) ?? changesTo(changes, present, change),
      ),
    RevokeApiKey: (key, { by }) =>
      whenManagedBy(key, by, ({ revoked }) => (revoked ? [] : [{ type: 'ApiKeyRevoked', data: {} }])),
  },
});

/** Nobody grants a role above their own (docs/interface.md#api-keys). */
function mayGrant(by: Caller | null, granted: Role): Rejection | null {
  if (by === null || includesRole(by.role, granted)) return null;
  return reject('FORBIDDEN', `A key of role ${by.role} cannot grant role ${granted}.`, '/role');
}

/**
 * Keys are managed under their own licence, or by ADMIN; nobody below ADMIN touches an ADMIN key
 * (docs/interface.md#api-keys).
 */
function whenManagedBy<E extends DecidedEvent>(
  key: ApiKey | null,
  by: Caller | null,
  decide: (key: ApiKey) => readonly E[] | Rejection,
): readonly E[] | Rejection {
  const admin = by === null || by.role === 'ADMIN';
  // A key of another licence is not even said to exist.
  if (key === null || (!admin && key.licenseId !== by.licenseId)) return reject('NOT_FOUND', 'No such key.');
  if (key.role === 'ADMIN' && !admin) return reject('FORBIDDEN', 'Only an ADMIN key may change an ADMIN key.');
  return decide(key);
}
