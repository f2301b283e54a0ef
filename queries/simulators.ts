import { z } from 'zod';
import { simulatorLayoutQuery, SimulatorLayoutView } from './simulator-layouts.ts';
import { Simulator } from '../commands/simulators.ts';
import { simulators } from '../projections/simulators.ts';
import { described } from '../src/domain/fields.ts';
import { query, resourceView } from '../src/domain/query.ts';
import { pick, type JsonObject } from '../src/kernel/json.ts';
import type { ReadModels } from '../src/kernel/ports/read-store.ts';

/** More layouts than a simulator has; every store takes it as a limit. */
const ALL = 1_000_000;

const { logoWide, enabled, svg, ...fields } = Simulator.shape;

export const simulatorQuery = query(simulators, {
  view: resourceView('Simulator', 'A program to race in.', {
    ...fields,
    logo_wide: logoWide,
    svg,
    layouts: described(z.array(SimulatorLayoutView), 'Its track layouts, with its own names for them.'),
    enabled,
  }),
  defaultSort: 'displayName',
  hidesDisabled: true,
  extend: async ({ id }, models) => ({ layouts: await layoutsOf(id, models) }),
  extendFrom: [simulatorLayoutQuery.model],
});

/** The track layouts mapped to a simulator, by name, as they are shown. */
async function layoutsOf(simulatorId: string, models: ReadModels): Promise<readonly JsonObject[]> {
  const { model, only, defaultSort, shown } = simulatorLayoutQuery;
  const sort = { field: defaultSort, direction: 'asc' } as const;
  const all = { where: { simulatorId, ...only }, sort, offset: 0, limit: ALL };
  return (await models.find(model.collection, all)).map((layout) => pick(layout, shown));
}
