import { licenses } from './licenses.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { rigEvents } from '../commands/rigs.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

export type RigDocument = DocumentMeta & {
  /** Null until somebody gives the rig a name. */
  readonly name: string | null;
  readonly description: string | null;
  readonly hardwareId: string;
  readonly licenseId: string;
  readonly licenseDisplayName: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const rigs = readModel<RigDocument>('rigs', {
  category: 'rig',
  indexes: [['enabled', 'name'], ['name'], ['hardwareId'], ['licenseId']],
});

export const rigsProjection = projection(
  rigs,
  { own: rigEvents, others: licenseEvents },
  {
    RigRegistered: async ({ data, id, at }, look) =>
      rigs.insert(id, {
        name: null,
        description: null,
        hardwareId: data.hardwareId,
        licenseId: data.licenseId,
        licenseDisplayName: (await look(licenses, data.licenseId))?.displayName ?? '',
        enabled: true,
        createdAt: at,
        updatedAt: at,
      }),
    RigRenamed: ({ data, id, at }) => rigs.set(id, { ...data, updatedAt: at }),
    RigDescribed: ({ data, id, at }) => rigs.set(id, { ...data, updatedAt: at }),
    RigHardwareReplaced: ({ data, id, at }) => rigs.set(id, { ...data, updatedAt: at }),
    RigMovedToLicense: async ({ data, id, at }, look) =>
      rigs.set(id, {
        licenseId: data.to,
        licenseDisplayName: (await look(licenses, data.to))?.displayName ?? '',
        updatedAt: at,
      }),
    RigEnabled: ({ id, at }) => rigs.set(id, { enabled: true, updatedAt: at }),
    RigDisabled: ({ id, at }) => rigs.set(id, { enabled: false, updatedAt: at }),
    LicenseRenamed: ({ data, id }) => rigs.setWhere('licenseId', id, { licenseDisplayName: data.displayName }),
  },
);
