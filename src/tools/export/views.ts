import type { Query } from '../../service/domain/query.ts';
import type { Index } from '../../service/kernel/ports/read-store.ts';
import type { Projection } from '../../service/kernel/projection/projection.ts';
import { RESOURCES } from '../../service/resources/index.ts';
import { lookUps } from '../replay/analysis.ts';

/** A list that can be exported. */
export interface ExportView {
  readonly name: string;
  readonly query: Query;
  /** Fields of the view that are read from other lists, which are exported by themselves. */
  readonly without: readonly string[];
  /** What has to be projected for it. */
  readonly projections: readonly Projection[];
}

const VIEWS: ReadonlyMap<string, ExportView> = new Map(
  RESOURCES.flatMap(({ query, projection, export: table }) => {
    if (table === null) return [];
    const { name, without = [] } = table;
    const projections = lookUps.includes(projection) ? lookUps : [...lookUps, projection];
    return [[name, { name, query, without, projections }] as const];
  }),
);

/** The names of all views. */
export const VIEW_NAMES: readonly string[] = [...VIEWS.keys()];

/** The view of a name; null where there is none. */
export function viewOf(name: string): ExportView | null {
  const view = VIEWS.get(name);
  return view === undefined ? null : { ...view, projections: view.projections.map(withFewIndexes) };
}

/** Fields that refer to something, as indexes name them. */
const REFERENCE = /Id$/;

/**
 * The same projection with the indexes alone by which renames find documents: nobody sorts or filters here, and an index
 * costs as much as the document.
 */
function withFewIndexes(projection: Projection): Projection {
  const references = projection.model.indexes
    .flatMap(([field]: Index) => field ?? [])
    .filter((it) => REFERENCE.test(it));
  return { ...projection, model: { ...projection.model, indexes: [...new Set(references)].map((field) => [field]) } };
}
