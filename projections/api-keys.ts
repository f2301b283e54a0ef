import { apiKeyEvents, apiKeyUsageEvents } from '../commands/api-keys.ts';
import type { Role } from '../src/domain/roles.ts';
import { sets, type DocumentOf } from '../src/domain/documents.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';

export type ApiKeyDocument = DocumentOf<{
  readonly licenseId: string;
  readonly name: string;
  readonly keyPrefix: string;
  readonly role: Role;
  readonly enabled: boolean;
  readonly lastUsedAt: string | null;
  readonly _tokenHash: string;
  readonly _rigId: string | null;
  readonly _registration: string;
}>;

export const apiKeys = readModel<ApiKeyDocument>('apiKeys', { category: 'apiKey', indexes: [['licenseId', 'name']] });

export const apiKeysProjection = projection(
  apiKeys,
  { own: apiKeyEvents, others: apiKeyUsageEvents },
  {
    ApiKeyIssued: ({ data, id, at }) =>
      apiKeys.insert(id, {
        licenseId: data.licenseId,
        name: data.name,
        keyPrefix: data.keyPrefix,
        role: data.role,
        enabled: true,
        lastUsedAt: null,
        createdAt: at,
        updatedAt: at,
        _tokenHash: data.tokenHash,
        _rigId: data.rigId,
        _registration: data.registration,
      }),
    ApiKeyRenamed: sets(apiKeys),
    ApiKeyRoleChanged: sets(apiKeys),
    ApiKeyRevoked: sets(apiKeys, { enabled: false }),
    ApiKeyUsed: ({ id, at }) => apiKeys.set(id, { lastUsedAt: at }),
  },
);
