import { licenses } from './licenses.ts';
import { apiKeyUsageEvents } from '../commands/api-keys.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { rigEvents, type Rig } from '../commands/rigs.ts';
import { nameOf, resourceProjection, type DocumentOf, type Named } from '../src/domain/documents.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

export const rigNames = { licenseId: 'licenseDisplayName' } as const;

/** A rig as it is shown; its name is null until somebody gives it one. */
export type RigDocument = DocumentOf<Rig & Named<typeof rigNames> & { readonly lastSeenAt: string | null }>;

export const rigs = readModel<RigDocument>('rigs', {
  category: 'rig',
  version: 3,
  indexes: [['enabled', 'name'], ['name'], ['hardwareId']],
  columns: ['enabled', 'name', 'licenseId'],
});

export const rigsProjection = resourceProjection(
  rigs,
  { own: rigEvents, others: { ...licenseEvents, ...apiKeyUsageEvents } },
  {
    RigRegistered: async ({ data, id, at }, look) =>
      rigs.insert(id, {
        ...data,
        name: null,
        description: null,
        enabled: true,
        lastSeenAt: null,
        licenseDisplayName: await nameOf(look(licenses, data.licenseId)),
        createdAt: at,
        updatedAt: at,
      }),
    RigMovedToLicense: async ({ data: { to }, id, at }, look) =>
      rigs.set(id, { licenseId: to, licenseDisplayName: await nameOf(look(licenses, to)), updatedAt: at }),
    ApiKeyUsed: ({ data: { rigId }, at }) => (rigId === undefined ? null : rigs.set(rigId, { lastSeenAt: at })),
    LicenseRenamed: ({ data, id }) => rigs.setWhere('licenseId', id, { licenseDisplayName: data.displayName }),
  },
);
