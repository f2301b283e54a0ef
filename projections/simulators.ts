import { simulatorEvents, type Simulator } from '../commands/simulators.ts';
import { sets, type DocumentOf } from '../src/service/domain/documents.ts';
import { projection, readModel } from '../src/service/kernel/projection/projection.ts';

/** A simulator as it is shown: `logo_wide` is `logoWide` in requests and events. */
export type SimulatorDocument = DocumentOf<Omit<Simulator, 'logoWide'> & { readonly logo_wide: string }>;

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
    SimulatorRenamed: sets(simulators),
    SimulatorSlugChanged: sets(simulators),
    SimulatorLogoChanged: ({ data: { logo, logoWide, svg }, id, at }) =>
      simulators.set(id, { logo, logo_wide: logoWide, svg, updatedAt: at }),
    SimulatorEnabled: sets(simulators, { enabled: true }),
    SimulatorDisabled: sets(simulators, { enabled: false }),
  },
);
