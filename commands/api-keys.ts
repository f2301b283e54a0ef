import { z } from 'zod';
import type { CommandsOf, PartialUpdate } from '../src/domain/body-command.ts';
import { component } from '../src/domain/component.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { Id, listOf, marked, Moment, Text } from '../src/domain/facts.ts';
import { described, inUnit, instant, name } from '../src/domain/fields.ts';
import { ROLES } from '../src/domain/roles.ts';
import { changesTo, evolvedBy, fieldsChanged } from '../src/domain/field-events.ts';
import { decider, evolveExisting, mergeFields, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { reject, type Rejection } from '../src/kernel/aggregate/rejection.ts';
import { categoryOf } from '../src/kernel/stream-names.ts';
import { eventType } from '../src/kernel/event-types.ts';

const keyName = described(name(3, 120), 'What the key is for.', EXAMPLES.apiKey.name);
const role = described(
  z.enum(ROLES).meta(component('Role', 'What a key may do; each includes those before it.')),
  'What it may do; each role includes those before it.',
  'CRUD',
);

const expiresAt = described(instant.nullable(), 'When it expires; null: never.', null);

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
      'Seconds for which the old token may still record and read; 0: it ends at once.',
      300,
    ).default(0),
  })
  .meta({ id: 'RotateApiKey' });

const issued = z.object({
  licenseId: Id,
  name: Text,
  role: z.enum(['R', 'CR', 'CRUD', 'ADMIN']),
  keyPrefix: Text,
  /** SHA-256 of the token, base64url. The token itself is in no event. */
  tokenHash: marked('secret', Text),
  /** The rig that the key was issued to, or null. */
  rigId: Id.nullable(),
  /**
   * The id of the rig, licence or key request that the key was issued for. Retries of that request find their older keys
   * by it.
   */
  registration: Id,
});

/** A token as it is stored: its first characters, and its SHA-256, base64url. */
const token = issued.pick({ keyPrefix: true, tokenHash: true });
type Token = z.output<typeof token>;
/** A replaced token, and until when it is valid. */
const OldToken = token.extend({ validUntil: Moment });
export type OldToken = z.output<typeof OldToken>;

const changes = {
  ApiKeyRenamed: fieldsChanged(issued, 'name'),
  ApiKeyRoleChanged: fieldsChanged(issued, 'role'),
  ApiKeyExpirySet: fieldsChanged(z.object({ expiresAt: Moment.nullable() }), 'expiresAt'),
};
export const apiKeyEvents = {
  ApiKeyIssued: eventType(issued),
  ...changes,
  /** The key has a new token. `oldTokens` are the replaced ones that are still valid: one at most, once there were more. */
  ApiKeyRotated: eventType(token.extend({ oldTokens: marked('secret', listOf(OldToken)) })),
  ApiKeyRevoked: eventType(z.object({})),
};

/**
 * The category of the streams that record the use of keys (`apiKeyUsage-<id>`). Each keeps only its newest event. Streams
 * of their own, so that the use of a key never contends with its changes.
 */
export const API_KEY_USAGE = 'apiKeyUsage';
/** Whether a stream keeps only its newest event: those that are appended to with `newest_only`. */
export const keepsNewestOnly = (stream: string): boolean => categoryOf(stream) === API_KEY_USAGE;
export const apiKeyUsageEvents = {
  ApiKeyUsed: eventType(
    z.object({
      licenseId: Id,
      /** The rig that the key was issued to; release 0.1.0 left it out. */
      rigId: Id.optional(),
    }),
  ),
};

type ApiKey = Omit<z.output<typeof issued>, 'registration'> & {
  readonly expiresAt: string | null;
  readonly oldTokens: readonly OldToken[];
  readonly revoked: boolean;
};

/** Facts from outside the key on which its management depends. */
export interface Managing {
  /** Epoch ms. */
  readonly now: number;
  /** Whether no other ADMIN key works without an expiry date. */
  readonly lastAdmin: boolean;
  /** Whether the key has ended because its rig left the licence, by the events of the rig. */
  readonly rigLeft: boolean;
}

type Now = Pick<Managing, 'now'>;
type RigLeft = Pick<Managing, 'rigLeft'>;

type Rights = Pick<ApiKey, 'role' | 'expiresAt'>;

const decide = {
  IssueApiKey: whenAbsent(({ now, expiresAt, ...data }: z.output<typeof issued> & Now & Pick<Rights, 'expiresAt'>) => {
    const rejection = isPast(expiresAt, now);
    if (rejection !== null) return rejection;
    const issuedEvent = { type: 'ApiKeyIssued', data } as const;
    if (expiresAt === null) return [issuedEvent];
    return [issuedEvent, { type: 'ApiKeyExpirySet', data: { expiresAt } } as const];
  }),
  RenameApiKey: whenPresent((key: ApiKey, { rigLeft, name }: Pick<ApiKey, 'name'> & RigLeft) =>
    unlessEnded(key, rigLeft, changesTo(changes, key, { name })),
  ),
  /** Role and expiry are judged together, as either may take the last ADMIN key away. */
  SetApiKeyRights: whenPresent((key: ApiKey, asked: PartialUpdate<Rights> & Managing) => {
    const { now, lastAdmin, rigLeft, ...rights } = asked;
    const weakens = (rights.role ?? 'ADMIN') !== 'ADMIN' || typeof rights.expiresAt === 'string';
    return (
      isPast(rights.expiresAt ?? null, now) ??
      (weakens ? locksOut(key, lastAdmin) : null) ??
      unlessEnded(key, rigLeft, changesTo(changes, key, rights))
    );
  }),
  RotateApiKey: whenPresent((key: ApiKey, asked: Token & Now & RigLeft & { readonly graceSeconds: number }) => {
    const { now, rigLeft, graceSeconds, ...token } = asked;
    if (key.revoked || rigLeft) return reject('REVOKED', 'The key has ended and cannot get a new token.');
    const validUntil = new Date(now + graceSeconds * 1_000).toISOString();
    const replaced = { keyPrefix: key.keyPrefix, tokenHash: key.tokenHash, validUntil };
    const oldTokens = graceSeconds === 0 ? [] : [replaced];
    return [{ type: 'ApiKeyRotated', data: { ...token, oldTokens } } as const];
  }),
  RevokeApiKey: whenPresent((key: ApiKey, { lastAdmin }: Pick<Managing, 'lastAdmin'>) =>
    key.revoked ? [] : (locksOut(key, lastAdmin) ?? [{ type: 'ApiKeyRevoked', data: {} } as const]),
  ),
};
export type ApiKeyCommand = CommandsOf<typeof decide>;

export const apiKeyDecider = decider<ApiKey, ApiKeyCommand, typeof apiKeyEvents>({
  category: 'apiKey',
  events: apiKeyEvents,
  evolve: {
    ApiKeyIssued: (_, { registration: _registration, ...key }) => ({
      ...key,
      expiresAt: null,
      oldTokens: [],
      revoked: false,
    }),
    ...evolvedBy(changes),
    ApiKeyRotated: mergeFields,
    ApiKeyRevoked: evolveExisting((key) => ({ ...key, revoked: true })),
  },
  decide,
});

/** The intents of a change, in the order of their events. */
export function apiKeyIntents(
  { name, ...rights }: z.output<typeof ChangeApiKeyBody>,
  managing: Managing,
): readonly ApiKeyCommand[] {
  const intents: ApiKeyCommand[] = [];
  if (name !== undefined) intents.push({ type: 'RenameApiKey', data: { name, rigLeft: managing.rigLeft } });
  intents.push({ type: 'SetApiKeyRights', data: { ...rights, ...managing } });
  return intents;
}

/** Rejects changes of a key that has ended. */
function unlessEnded<E>({ revoked }: ApiKey, rigLeft: boolean, events: readonly E[]): readonly E[] | Rejection {
  if (events.length === 0 || !(revoked || rigLeft)) return events;
  return reject('REVOKED', 'The key has ended and is not changed any more.');
}

function isPast(expiresAt: string | null, now: number): Rejection | null {
  if (expiresAt === null || Date.parse(expiresAt) > now) return null;
  return reject('INVALID', 'A key cannot expire in the past.', '/expiresAt');
}

/** Without an ADMIN key that never expires, nobody could ever issue another one over the API. */
function locksOut({ role, revoked }: ApiKey, lastAdmin: boolean): Rejection | null {
  if (!lastAdmin || role !== 'ADMIN' || revoked) return null;
  return reject('LAST_ADMIN_KEY', 'This is the last ADMIN key without an expiry date; issue another one first.');
}
