import { apiKeyEvents, apiKeyUsageEvents } from '../commands/api-keys.ts';
import type { Role } from '../src/domain/roles.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

export type ApiKeyDocument = DocumentMeta & {
  readonly licenseId: string;
  readonly name: string;
  readonly keyPrefix: string;
  readonly role: Role;
  readonly enabled: boolean;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly _tokenHash: string;
  readonly _rigId: string | null;
  readonly _registration: string;
};

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
    ApiKeyRenamed: ({ data, id, at }) => apiKeys.set(id, { ...data, updatedAt: at }),
    ApiKeyRoleChanged: ({ data, id, at }) => apiKeys.set(id, { ...data, updatedAt: at }),
    ApiKeyRevoked: ({ id, at }) => apiKeys.set(id, { enabled: false, updatedAt: at }),
    ApiKeyUsed: ({ id, at }) => apiKeys.set(id, { lastUsedAt: at }),
  },
);
