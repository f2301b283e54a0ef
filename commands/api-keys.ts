import { z } from 'zod';
import { EXAMPLES } from '../src/service/domain/examples.ts';
import { described, inUnit, instant, name, uuid } from '../src/service/domain/fields.ts';
import { includesRole, ROLES, type Caller, type Role } from '../src/service/domain/roles.ts';
import { changesTo, evolvedBy, fieldsChanged } from '../src/service/domain/field-events.ts';
import {
  categoryOf,
  decider,
  evolveExisting,
  mergeFields,
  whenAbsent,
  reject,
  type Rejection,
} from '../src/service/kernel/aggregate/decider.ts';
import type { DecidedEvent } from '../src/service/kernel/event-types.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

const keyName = described(name(3, 120), 'What the key is for.', EXAMPLES.apiKey.name);
const role = described(z.enum(ROLES), 'What it may do; each role includes those before it.', 'CRUD');

const expiresAt = described(instant.nullable(), 'When it is taken no more; null: never.', null);

/** Longest time, in seconds, that an old token stays valid after a rotation: a week. */
const MAX_GRACE_SECONDS = 604_800;

export const IssueApiKeyBody = z
  .object({ name: keyName, role, expiresAt: expiresAt.default(null) })
  .meta({ id: 'IssueApiKey' });
export const ChangeApiKeyBody = z.object({ name: keyName, role, expiresAt }).partial().meta({ id: 'ChangeApiKey' });
export const RotateApiKeyBody = z
  .object({
    graceSeconds: described(
      inUnit(z.int().min(0).max(MAX_GRACE_SECONDS), 's'),
      'Seconds for which the old token stays valid.',
      300,
    ).default(0),
  })
  .meta({ id: 'RotateApiKey' });

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

/** A token as it is stored: its first characters, and its SHA-256, base64url. */
const token = issued.pick({ keyPrefix: true, tokenHash: true });
/** A token that was replaced, and until when it is valid all the same. */
const OldToken = token.extend({ validUntil: instant });
export type OldToken = z.output<typeof OldToken>;

const changes = {
  ApiKeyRenamed: fieldsChanged(z.object({ name: keyName })),
  ApiKeyRoleChanged: fieldsChanged(z.object({ role })),
  ApiKeyExpirySet: fieldsChanged(z.object({ expiresAt })),
};
export const apiKeyEvents = {
  ApiKeyIssued: eventType(issued),
  ...changes,
  /** The key has a new token; those that are valid for a while yet are named, newest first. */
  ApiKeyRotated: eventType(token.extend({ oldTokens: z.array(OldToken) })),
  ApiKeyRevoked: eventType(z.object({})),
};

/**
 * In a stream of its own (`apiKeyUsage-<id>`) that keeps only its newest event, so that use never contends with change.
 */
export const API_KEY_USAGE = 'apiKeyUsage';
/** Whether a stream keeps only its newest event: those that are appended to with `newest_only`. */
export const keepsNewestOnly = (stream: string): boolean => categoryOf(stream) === API_KEY_USAGE;
export const apiKeyUsageEvents = {
  ApiKeyUsed: eventType(
    z.object({
      licenseId: uuid,
      /** The rig that the key was issued to; release 0.1.0 left it out. */
      rigId: uuid.optional(),
    }),
  ),
};

type ApiKey = z.output<typeof token> & {
  readonly licenseId: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAt: string | null;
  readonly oldTokens: readonly OldToken[];
  readonly revoked: boolean;
};

/** Who manages a key and when (epoch ms), and whether no other ADMIN key works for good. */
export type Managing = { readonly by: Caller | null; readonly now: number; readonly lastAdmin: boolean };

export type ApiKeyCommand =
  /** `by` is null where the service itself issues a key: with a licence, to a rig, at the first start. */
  | { readonly type: 'IssueApiKey'; readonly data: z.output<typeof issued> & IssuedBy }
  | { readonly type: 'ChangeApiKey'; readonly data: z.output<typeof ChangeApiKeyBody> & Managing }
  | {
      readonly type: 'RotateApiKey';
      readonly data: z.output<typeof token> & Omit<Managing, 'lastAdmin'> & { readonly graceSeconds: number };
    }
  | { readonly type: 'RevokeApiKey'; readonly data: Managing };

type IssuedBy = Omit<Managing, 'lastAdmin'> & { readonly expiresAt: string | null };

export const apiKeyDecider = decider<ApiKey | null, ApiKeyCommand, typeof apiKeyEvents>({
  category: 'apiKey',
  initial: null,
  events: apiKeyEvents,
  evolve: {
    ApiKeyIssued: (_, { licenseId, name, role, keyPrefix, tokenHash }) => ({
      ...{ licenseId, name, role, keyPrefix, tokenHash },
      ...{ expiresAt: null, oldTokens: [], revoked: false },
    }),
    ...evolvedBy(changes),
    ApiKeyRotated: mergeFields,
    ApiKeyRevoked: evolveExisting((key) => ({ ...key, revoked: true })),
  },
  decide: {
    IssueApiKey: whenAbsent(({ by, now, expiresAt, ...data }) => {
      const rejection = mayGrant(by, data.role) ?? isPast(expiresAt, now);
      if (rejection !== null) return rejection;
      const expiry = expiresAt === null ? [] : [{ type: 'ApiKeyExpirySet', data: { expiresAt } } as const];
      return [{ type: 'ApiKeyIssued', data }, ...expiry];
    }),
    ChangeApiKey: (key, { by, now, lastAdmin, ...change }) =>
      whenManagedBy(key, by, (present) => {
        const weakens = (change.role ?? 'ADMIN') !== 'ADMIN' || typeof change.expiresAt === 'string';
        return (
          mayGrant(by, change.role ?? present.role) ??
          isPast(change.expiresAt ?? null, now) ??
          (weakens ? locksOut(present, lastAdmin) : null) ??
          changesTo(changes, present, change)
        );
      }),
    RotateApiKey: (key, { by, now, graceSeconds, keyPrefix, tokenHash }) =>
      whenManagedBy(key, by, (present) => {
        if (present.revoked) return reject('REVOKED', 'The key was revoked: it gets no new token.');
        const validUntil = new Date(now + graceSeconds * 1_000).toISOString();
        const replaced = { keyPrefix: present.keyPrefix, tokenHash: present.tokenHash, validUntil };
        const oldTokens = [replaced, ...present.oldTokens].filter((old) => Date.parse(old.validUntil) > now);
        return [{ type: 'ApiKeyRotated', data: { keyPrefix, tokenHash, oldTokens } }];
      }),
    RevokeApiKey: (key, { by, lastAdmin }) =>
      whenManagedBy(key, by, (present) => {
        if (present.revoked) return [];
        return locksOut(present, lastAdmin) ?? [{ type: 'ApiKeyRevoked', data: {} }];
      }),
  },
});

function isPast(expiresAt: string | null, now: number): Rejection | null {
  if (expiresAt === null || Date.parse(expiresAt) > now) return null;
  return reject('INVALID', 'A key does not expire in the past.', '/expiresAt');
}

/** Without an ADMIN key that works for good, nobody could ever make another one over the API. */
function locksOut({ role, revoked }: ApiKey, lastAdmin: boolean): Rejection | null {
  if (!lastAdmin || role !== 'ADMIN' || revoked) return null;
  return reject('LAST_ADMIN_KEY', 'No other ADMIN key works without an end: issue one first.');
}

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
