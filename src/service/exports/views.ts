import { lapVersionsProjection } from '../../../projections/leaderboards/lap-versions.ts';
import { leaderboardsProjection } from '../../../projections/leaderboards/leaderboards.ts';
import { LAPS_BY_DRIVER, lapsProjection } from '../../../projections/laps.ts';
import { bestLapQuery, bestLapRows } from '../../../queries/leaderboards/best-laps.ts';
import type { Query } from '../../domain/query.ts';
import type { Document, Index, QueryBounds, ReadModels } from '../../kernel/ports/read-store.ts';
import type { Projection } from '../../kernel/projection/projection.ts';
import { RESOURCES } from '../resources/index.ts';
import { builtInProjections } from '../resources/built-in.ts';

export interface ExportView {
  readonly name: string;
  readonly query: Query;
  /** Fields of the view that come from other lists, which have exports of their own. */
  readonly without: readonly string[];
  /** The projections that its rows are made from, beside those that names are looked up in. */
  readonly projections: readonly Projection[];
  /** The index by which rows are found in other documents; null: they are documents themselves. */
  readonly finds: Index | null;
  /** All rows, in batches, deleted ones included: those that `query.only` does not fit. */
  readonly rows: (models: ReadModels, bounds: QueryBounds) => AsyncIterable<readonly Document[]>;
}

const BEST_LAPS: ExportView = {
  name: 'best-laps',
  query: bestLapQuery,
  without: [],
  projections: [lapsProjection, lapVersionsProjection, leaderboardsProjection],
  finds: LAPS_BY_DRIVER,
  rows: bestLapRows,
};

export const EXPORT_VIEWS: readonly ExportView[] = [
  ...RESOURCES.flatMap(({ query, export: table }): readonly ExportView[] => {
    if (table === null) return [];
    const { name, without = [] } = table;
    const rows: ExportView['rows'] = (models, bounds) =>
      models.stream(query.model.collection, { where: {}, ...bounds });
    const projections = builtInProjections.filter(({ model }) => model === query.model);
    return [{ name, query, without, projections, finds: null, rows }];
  }),
  BEST_LAPS,
];
