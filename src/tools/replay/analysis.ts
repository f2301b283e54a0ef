/*
 * The exports of this package, `import { … } from 'sim-racing-timing'`, for modules that `sim-racing-timing replay`
 * runs. docs/analysts.md begins with an example.
 */
import type { JsonObject } from '../../kernel/json.ts';
import { readModel, type ReadModel } from '../../kernel/projection/projection.ts';
import type { DocumentMeta } from '../../kernel/ports/read-store.ts';
import { apiKeysProjection, lapEvents, lapsProjection, lapVersionsProjection } from '../../../projections/all.ts';
import { gatheringLaps as gathering, type LapState } from '../../../projections/leaderboards/gathering-laps.ts';
import { withOwnNames } from './lap-names.ts';
import { builtInProjections } from '../../service/resources/built-in.ts';

// To define projections.
export { projection, readModel } from '../../kernel/projection/projection.ts';
export type {
  Effect,
  Effects,
  Fields,
  Find,
  Lookup,
  // Modules may still call it by its name of release 0.1.0.
  Lookup as Look,
  Project,
  ProjectionEvent,
  ProjectionEvent as Projected,
  Projection,
  ReadModel,
} from '../../kernel/projection/projection.ts';
export type { DataOf, EventOf, EventTypes } from '../../kernel/event-types.ts';
export type { EventMetadata, Position, RecordedEvent, Revision } from '../../kernel/ports/event-store.ts';
export type { Json, JsonObject } from '../../kernel/json.ts';
export type { Document, DocumentMeta } from '../../kernel/ports/read-store.ts';

// Every type of event with the type of its data, and the built-in read models, to look things up in.
export * from '../../../projections/all.ts';

/**
 * The projections of the built-in read models, except those of API keys, of laps and of anything computed from laps.
 * Put `...lookUps` into the default export to look up their documents; they have few events, so they cost little.
 */
export const lookUps = builtInProjections.filter(
  (each) => each !== apiKeysProjection && !Object.keys(lapEvents).some((type) => each.on.has(type)),
);

/**
 * Handlers of the lap events for a table with a row for each group of laps, such as each driver on each layout: `idOf`
 * says which row a lap belongs to, `rewrite` recomputes the row when a lap leaves it, joins it or changes. Laps
 * without a time (`isMeasured`) are ignored. Put `...lapLookUps` into the default export: `gatheringLaps` looks up in
 * them what a lap was before.
 */
export function gatheringLaps({ idOf, rewrite }: Parameters<typeof gathering>[0]) {
  const checked = (state: LapState | null) => state && { ...state, facts: withOwnNames({ ...state.facts }) };
  return gathering({
    idOf: (facts) => idOf(withOwnNames({ ...facts })),
    rewrite: ({ id, left, joined }, ...reads) =>
      rewrite({ id, left: checked(left), joined: checked(joined) }, ...reads),
  });
}
export type { Gathering, LapState } from '../../../projections/leaderboards/gathering-laps.ts';

/** The projections of laps and of their earlier versions, which `gatheringLaps` looks up. */
export const lapLookUps = [lapsProjection, lapVersionsProjection];

// To run projections from a script; `sim-racing-timing replay` does it from the command line.
export { replay, type ReplayOptions, type ReplaySummary } from './replay.ts';

/**
 * A read model of the analyst's own: its documents belong to no stream of the history and may have any id. `Row` is
 * their shape, as a `type` (an `interface` does not fit). Each field by which `setWhere` finds documents needs an
 * index.
 */
export function table<Row extends JsonObject>(
  name: string,
  { indexes = [] }: { readonly indexes?: readonly (readonly (keyof Row & string)[])[] } = {},
): ReadModel<DocumentMeta & Row> {
  return readModel<DocumentMeta & Row>(name, { category: name, indexes });
}
