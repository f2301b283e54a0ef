import { z } from 'zod';
import { simulatorLayouts } from '../projections/simulator-layouts.ts';
import { uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

export const SimulatorLayoutView = z
  .object({
    simulatorId: uuid,
    simulatorDisplayName: z.string(),
    trackLayoutId: uuid,
    trackLayoutDisplayName: z.string(),
    simulatorIdentifier: z.string(),
  })
  .meta({ id: 'SimulatorLayout' });

export const simulatorLayoutQuery = query(simulatorLayouts, {
  view: SimulatorLayoutView,
  defaultSort: 'trackLayoutDisplayName',
  only: { _mapped: true },
});
