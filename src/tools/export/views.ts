import { EXPORT_VIEWS, type ExportView } from '../../service/exports/views.ts';
import type { Index } from '../../kernel/ports/read-store.ts';
import type { Projection } from '../../kernel/projection/projection.ts';
import { lookUps } from '../replay/analysis.ts';

export const VIEW_NAMES: readonly string[] = EXPORT_VIEWS.map(({ name }) => name);

/** The view of a name, with all projections that a replay needs for it; null where there is none. */
export function viewOf(name: string): ExportView | null {
  const view = EXPORT_VIEWS.find((each) => each.name === name);
  if (view === undefined) return null;
  const projections = [...new Set([...lookUps, ...view.projections])];
  return { ...view, projections: projections.map((each) => withFewIndexes(each, view.finds)) };
}

/** The projection with only the indexes by which documents are found: each costs as much as the document. */
function withFewIndexes(projection: Projection, finds: Index | null): Projection {
  const { indexes, columns } = projection.model;
  const fields = [...indexes.flatMap(([field]: Index) => field ?? []), ...columns];
  const references = fields.filter((it) => /Id$/.test(it));
  const found = indexes.filter((index) => index.join() === finds?.join());
  return {
    ...projection,
    model: {
      ...projection.model,
      indexes: [...[...new Set(references)].map((field) => [field]), ...found],
      columns: [],
    },
  };
}
