import { SimulatorLayout } from '../commands/simulator-layouts.ts';
import { simulatorLayoutNames, simulatorLayouts } from '../projections/simulator-layouts.ts';
import { query, view, withNames } from '../src/domain/query.ts';

export const SimulatorLayoutView = view(
  'SimulatorLayout',
  'What a simulator calls a track layout.',
  withNames(SimulatorLayout.shape, simulatorLayoutNames),
);

export const simulatorLayoutQuery = query(simulatorLayouts, {
  view: SimulatorLayoutView,
  defaultSort: 'trackLayoutDisplayName',
  only: { _mapped: true },
});
