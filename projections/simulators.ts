import { simulatorEvents } from '../commands/simulators.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

export type SimulatorDocument = DocumentMeta & {
  readonly displayName: string;
  readonly slug: string;
  readonly logo: string;
  /** `logoWide` in requests and events (SPEC.md "Simulator"). */
  readonly logo_wide: string;
  readonly svg: boolean;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const simulators = readModel<SimulatorDocument>('simulators', {
  category: 'simulator',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const simulatorsProjection = projection(
  simulators,
  { own: simulatorEvents },
  {
    SimulatorAdded: ({ data: { logoWide, ...data }, id, at }) =>
      simulators.insert(id, { ...data, logo_wide: logoWide, createdAt: at, updatedAt: at }),
    SimulatorRenamed: ({ data, id, at }) => simulators.set(id, { ...data, updatedAt: at }),
    SimulatorSlugChanged: ({ data, id, at }) => simulators.set(id, { ...data, updatedAt: at }),
    SimulatorLogoChanged: ({ data: { logo, logoWide, svg }, id, at }) =>
      simulators.set(id, { logo, logo_wide: logoWide, svg, updatedAt: at }),
    SimulatorEnabled: ({ id, at }) => simulators.set(id, { enabled: true, updatedAt: at }),
    SimulatorDisabled: ({ id, at }) => simulators.set(id, { enabled: false, updatedAt: at }),
  },
);
