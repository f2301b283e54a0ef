import { apiKeyUsageEvents } from '../commands/api-keys.ts';
import { licenseEvents, type License } from '../commands/licenses.ts';
import { sets, type DocumentOf } from '../src/service/domain/documents.ts';
import { projection, readModel } from '../src/service/kernel/projection/projection.ts';

export type LicenseDocument = DocumentOf<License & { readonly lastLoginAt: string | null }>;

export const licenses = readModel<LicenseDocument>('licenses', { category: 'license', indexes: [['name']] });

export const licensesProjection = projection(
  licenses,
  { own: licenseEvents, others: apiKeyUsageEvents },
  {
    LicenseIssued: ({ data, id, at }) =>
      licenses.insert(id, {
        name: data.name,
        displayName: data.displayName,
        licenseKey: data.licenseKey,
        enabled: true,
        expiresAt: null,
        lastLoginAt: null,
        createdAt: at,
        updatedAt: at,
      }),
    LicenseRenamed: sets(licenses),
    LicenseKeyRotated: sets(licenses),
    LicenseExpirySet: sets(licenses),
    LicenseEnabled: sets(licenses, { enabled: true }),
    LicenseDisabled: sets(licenses, { enabled: false }),
    ApiKeyUsed: ({ data, at }) => licenses.set(data.licenseId, { lastLoginAt: at }),
  },
);
