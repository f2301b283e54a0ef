import { apiKeyEvents, apiKeyUsageEvents, type OldToken } from '../commands/api-keys.ts';
import { rigEvents } from '../commands/rigs.ts';
import type { Role } from '../src/domain/roles.ts';
import { resourceProjection, type DocumentOf } from '../src/domain/documents.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

export type ApiKeyDocument = DocumentOf<{
  readonly licenseId: string;
  readonly name: string;
  readonly keyPrefix: string;
  readonly role: Role;
  readonly enabled: boolean;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly _tokenHash: string;
  /** Tokens that were replaced, and are valid for a while yet. */
  readonly _oldTokens: readonly OldToken[];
  readonly _rigId: string | null;
  /** The rig and the licence that it was issued to (`rigOfLicense`): it ends when that rig leaves that licence. */
  readonly _rigOfLicense: string | null;
  readonly _registration: string;
}>;

export const apiKeys = readModel<ApiKeyDocument>('apiKeys', {
  category: 'apiKey',
  version: 2,
  indexes: [['licenseId', 'name'], ['_rigOfLicense']],
});

function rigOfLicense(rigId: string, licenseId: string): string {
  return `${rigId}:${licenseId}`;
}

export const apiKeysProjection = resourceProjection(
  apiKeys,
  { own: apiKeyEvents, others: { ...apiKeyUsageEvents, RigMovedToLicense: rigEvents.RigMovedToLicense } },
  {
    ApiKeyIssued: ({ data: { tokenHash, rigId, registration, ...key }, id, at }) =>
      apiKeys.insert(id, {
        ...key,
        enabled: true,
        expiresAt: null,
        lastUsedAt: null,
        createdAt: at,
        updatedAt: at,
        _tokenHash: tokenHash,
        _oldTokens: [],
        _rigId: rigId,
        _registration: registration,
        _rigOfLicense: rigId === null ? null : rigOfLicense(rigId, key.licenseId),
      }),
    ApiKeyRotated: ({ data: { keyPrefix, tokenHash, oldTokens }, id, at }) =>
      apiKeys.set(id, { keyPrefix, _tokenHash: tokenHash, _oldTokens: oldTokens, updatedAt: at }),
    ApiKeyRevoked: ({ id, at }) => apiKeys.set(id, { enabled: false, updatedAt: at }),
    RigMovedToLicense: ({ data: { from }, id, at }) =>
      apiKeys.setWhere('_rigOfLicense', rigOfLicense(id, from), { enabled: false, updatedAt: at }),
    ApiKeyUsed: ({ id, at }) => apiKeys.set(id, { lastUsedAt: at }),
  },
);
