import { simulators } from './simulators.ts';
import { trackLayouts } from './track-layouts.ts';
import { simulatorLayoutEvents } from '../commands/simulator-layouts.ts';
import { simulatorEvents } from '../commands/simulators.ts';
import { trackLayoutEvents } from '../commands/track-layouts.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** What a simulator calls a track layout. */
export type SimulatorLayoutDocument = DocumentMeta & {
  readonly simulatorId: string;
  readonly simulatorDisplayName: string;
  readonly trackLayoutId: string;
  readonly trackLayoutDisplayName: string;
  readonly simulatorIdentifier: string;
  /** False once taken back: nothing is deleted (DESIGN §2), and names stay current for the day it is mapped again. */
  readonly _mapped: boolean;
};

export const simulatorLayouts = readModel<SimulatorLayoutDocument>('simulatorLayouts', {
  category: 'simulatorLayout',
  indexes: [['simulatorId', '_mapped', 'trackLayoutDisplayName'], ['trackLayoutId']],
});

export const simulatorLayoutsProjection = projection(
  simulatorLayouts,
  { own: simulatorLayoutEvents, others: { ...simulatorEvents, ...trackLayoutEvents } },
  {
    TrackLayoutMapped: async ({ data, id }, look) =>
      simulatorLayouts.insert(id, {
        simulatorId: data.simulatorId,
        simulatorDisplayName: (await look(simulators, data.simulatorId))?.displayName ?? '',
        trackLayoutId: data.trackLayoutId,
        trackLayoutDisplayName: (await look(trackLayouts, data.trackLayoutId))?.displayName ?? '',
        simulatorIdentifier: data.simulatorIdentifier,
        _mapped: true,
      }),
    TrackLayoutRemapped: ({ data: { simulatorIdentifier }, id }) =>
      simulatorLayouts.set(id, { simulatorIdentifier, _mapped: true }),
    TrackLayoutIdentifierChanged: ({ data, id }) => simulatorLayouts.set(id, data),
    TrackLayoutUnmapped: ({ id }) => simulatorLayouts.set(id, { _mapped: false }),
    SimulatorRenamed: ({ data, id }) =>
      simulatorLayouts.setWhere('simulatorId', id, { simulatorDisplayName: data.displayName }),
    TrackLayoutRenamed: ({ data, id }) =>
      simulatorLayouts.setWhere('trackLayoutId', id, { trackLayoutDisplayName: data.displayName }),
  },
);
