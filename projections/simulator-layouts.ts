import { simulators } from './simulators.ts';
import { trackLayouts } from './track-layouts.ts';
import { simulatorLayoutEvents, type SimulatorLayout } from '../commands/simulator-layouts.ts';
import { simulatorEvents } from '../commands/simulators.ts';
import { trackLayoutEvents } from '../commands/track-layouts.ts';
import { nameOf, type Named } from '../src/domain/documents.ts';
import type { MappingDocument } from '../src/domain/mappings.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';

export const simulatorLayoutNames = {
  simulatorId: 'simulatorDisplayName',
  trackLayoutId: 'trackLayoutDisplayName',
} as const;

export type SimulatorLayoutDocument = MappingDocument<SimulatorLayout & Named<typeof simulatorLayoutNames>>;

export const simulatorLayouts = readModel<SimulatorLayoutDocument>('simulatorLayouts', {
  version: 2,
  category: 'simulatorLayout',
  indexes: [['simulatorId', '_mapped', 'trackLayoutDisplayName'], ['trackLayoutId']],
});

export const simulatorLayoutsProjection = projection(
  simulatorLayouts,
  { own: simulatorLayoutEvents, others: { ...simulatorEvents, ...trackLayoutEvents } },
  {
    TrackLayoutMapped: async ({ data, id, at }, look) =>
      simulatorLayouts.insert(id, {
        ...data,
        simulatorDisplayName: await nameOf(look(simulators, data.simulatorId)),
        trackLayoutDisplayName: await nameOf(look(trackLayouts, data.trackLayoutId)),
        _mapped: true,
        _updatedAt: at,
      }),
    TrackLayoutRemapped: ({ data: { simulatorIdentifier }, id, at }) =>
      simulatorLayouts.set(id, { simulatorIdentifier, _mapped: true, _updatedAt: at }),
    TrackLayoutIdentifierChanged: ({ data, id, at }) => simulatorLayouts.set(id, { ...data, _updatedAt: at }),
    TrackLayoutUnmapped: ({ id, at }) => simulatorLayouts.set(id, { _mapped: false, _updatedAt: at }),
    SimulatorRenamed: ({ data, id }) =>
      simulatorLayouts.setWhere('simulatorId', id, { simulatorDisplayName: data.displayName }),
    TrackLayoutRenamed: ({ data, id }) =>
      simulatorLayouts.setWhere('trackLayoutId', id, { trackLayoutDisplayName: data.displayName }),
  },
);
