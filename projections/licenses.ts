import { apiKeyUsageEvents } from '../commands/api-keys.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

export type LicenseDocument = DocumentMeta & {
  readonly name: string;
  readonly displayName: string;
  readonly licenseKey: string;
  readonly enabled: boolean;
  readonly expiresAt: string | null;
  readonly lastLoginAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

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
    LicenseRenamed: ({ data, id, at }) => licenses.set(id, { ...data, updatedAt: at }),
    LicenseExpirySet: ({ data, id, at }) => licenses.set(id, { ...data, updatedAt: at }),
    LicenseEnabled: ({ id, at }) => licenses.set(id, { enabled: true, updatedAt: at }),
    LicenseDisabled: ({ id, at }) => licenses.set(id, { enabled: false, updatedAt: at }),
    ApiKeyUsed: ({ data, at }) => licenses.set(data.licenseId, { lastLoginAt: at }),
  },
);
