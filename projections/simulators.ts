import { simulatorEvents, type Simulator } from '../commands/simulators.ts';
import { resourceProjection, type DocumentOf } from '../src/domain/documents.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

/** A simulator as it is shown: `logo_wide` is `logoWide` in requests and events. */
export type SimulatorDocument = DocumentOf<Omit<Simulator, 'logoWide'> & { readonly logo_wide: string }>;

export const simulators = readModel<SimulatorDocument>('simulators', {
  category: 'simulator',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const simulatorsProjection = resourceProjection(
  simulators,
  { own: simulatorEvents },
  {
    SimulatorAdded: ({ data: { logoWide, ...data }, id, at }) =>
      simulators.insert(id, { ...data, logo_wide: logoWide, createdAt: at, updatedAt: at }),
    SimulatorLogoChanged: ({ data: { logo, logoWide, svg }, id, at }) =>
      simulators.set(id, { logo, logo_wide: logoWide, svg, updatedAt: at }),
  },
);
