import { z } from 'zod';
import { simulatorLayoutQuery, SimulatorLayoutView } from './simulator-layouts.ts';
import { simulators } from '../projections/simulators.ts';
import { instant, uuid } from '../src/domain/fields.ts';
import { query, show } from '../src/domain/query.ts';
import type { JsonObject } from '../src/kernel/json.ts';
import type { ReadModels } from '../src/kernel/ports/read-store.ts';

const SimulatorView = z
  .object({
    id: uuid,
    displayName: z.string(),
    slug: z.string(),
    logo: z.string(),
    logo_wide: z.string(),
    svg: z.boolean(),
    layouts: z.array(SimulatorLayoutView),
    enabled: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Simulator' });

export const simulatorQuery = query(simulators, {
  view: SimulatorView,
  defaultSort: 'displayName',
  hidesDisabled: true,
  extend: async (id, models) => ({ layouts: await layoutsOf(id, models) }),
});

/** The track layouts mapped to a simulator, by name, as they are shown. */
async function layoutsOf(simulatorId: string, models: ReadModels): Promise<readonly JsonObject[]> {
  const { model, only, defaultSort } = simulatorLayoutQuery;
  const sort = { field: defaultSort, direction: 'asc' } as const;
  const found = models.stream(model.collection, { where: { simulatorId, ...only }, sort });
  const layouts: JsonObject[] = [];
  for await (const batch of found) for (const layout of batch) layouts.push(show(simulatorLayoutQuery, layout));
  return layouts;
}
