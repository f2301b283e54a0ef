import { apiKeyUsageEvents } from '../commands/api-keys.ts';
import { licenseEvents, type License } from '../commands/licenses.ts';
import { resourceProjection, type DocumentOf } from '../src/domain/documents.ts';
import { DEFAULT_PUBLIC_NAMES } from '../src/domain/public-names.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

export type LicenseDocument = DocumentOf<License & { readonly lastLoginAt: string | null }>;

export const licenses = readModel<LicenseDocument>('licenses', {
  category: 'license',
  version: 3,
  indexes: [['name']],
});

export const licensesProjection = resourceProjection(
  licenses,
  { own: licenseEvents, others: apiKeyUsageEvents },
  {
    LicenseIssued: ({ data, id, at }) =>
      licenses.insert(id, {
        ...data,
        enabled: true,
        expiresAt: null,
        logo: null,
        accentColor: null,
        timeZone: null,
        publicNames: DEFAULT_PUBLIC_NAMES,
        lastLoginAt: null,
        createdAt: at,
        updatedAt: at,
      }),
    ApiKeyUsed: ({ data, at }) => licenses.set(data.licenseId, { lastLoginAt: at }),
  },
);
