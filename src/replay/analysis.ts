/*
 * The exports of this package, `import { … } from 'sim-racing-timing'`, for modules that `sim-racing-timing replay` runs.
 * README.md, "Ask history a new question", begins with an example.
 */
import type { JsonObject } from '../kernel/json.ts';
import { readModel, type ReadModel } from '../kernel/projection/projection.ts';
import type { DocumentMeta } from '../kernel/ports/read-store.ts';
import { brandsProjection } from '../../projections/brands.ts';
import { carBrandsProjection } from '../../projections/car-brands.ts';
import { carClassesProjection } from '../../projections/car-classes.ts';
import { carsProjection } from '../../projections/cars.ts';
import { licensesProjection } from '../../projections/licenses.ts';
import { participantsProjection } from '../../projections/participants.ts';
import { racingEventsProjection } from '../../projections/racing-events.ts';
import { rigsProjection } from '../../projections/rigs.ts';
import { signupFieldsProjection } from '../../projections/signup-fields.ts';
import { simulatorCarsProjection } from '../../projections/simulator-cars.ts';
import { simulatorLayoutsProjection } from '../../projections/simulator-layouts.ts';
import { simulatorsProjection } from '../../projections/simulators.ts';
import { trackLayoutsProjection } from '../../projections/track-layouts.ts';
import { tracksProjection } from '../../projections/tracks.ts';

// To define projections.
export { projection, readModel } from '../kernel/projection/projection.ts';
export type {
  Effect,
  Effects,
  Fields,
  Look,
  Project,
  Projected,
  Projection,
  ReadModel,
} from '../kernel/projection/projection.ts';
export type { DataOf, EventOf, EventTypes } from '../kernel/event-types.ts';
export type { EventMetadata, Position, RecordedEvent, Revision } from '../kernel/ports/event-store.ts';
export type { Json, JsonObject } from '../kernel/json.ts';
export type { Document, DocumentMeta } from '../kernel/ports/read-store.ts';

// All event types, with the types of their data.
export { apiKeyEvents, apiKeyUsageEvents } from '../../commands/api-keys.ts';
export { brandEvents } from '../../commands/brands.ts';
export { carBrandEvents } from '../../commands/car-brands.ts';
export { carClassEvents } from '../../commands/car-classes.ts';
export { carEvents } from '../../commands/cars.ts';
export { lapEvents } from '../../commands/laps.ts';
export { licenseEvents } from '../../commands/licenses.ts';
export { participantEvents } from '../../commands/participants.ts';
export { racingEventEvents } from '../../commands/racing-events.ts';
export { rigEvents } from '../../commands/rigs.ts';
export { signupFieldEvents } from '../../commands/signup-fields.ts';
export { simulatorCarEvents } from '../../commands/simulator-cars.ts';
export { simulatorLayoutEvents } from '../../commands/simulator-layouts.ts';
export { simulatorEvents } from '../../commands/simulators.ts';
export { trackLayoutEvents } from '../../commands/track-layouts.ts';
export { trackEvents } from '../../commands/tracks.ts';

// The built-in read models, for look-ups.
export { brands, type BrandDocument } from '../../projections/brands.ts';
export { carBrands, type CarBrandDocument } from '../../projections/car-brands.ts';
export { carClasses, type CarClassDocument } from '../../projections/car-classes.ts';
export { cars, type CarDocument } from '../../projections/cars.ts';
export { laps, lapsProjection, type LapDocument } from '../../projections/laps.ts';
export { licenses, type LicenseDocument } from '../../projections/licenses.ts';
export { fullName, participants, type ParticipantDocument } from '../../projections/participants.ts';
export { racingEvents, type RacingEventDocument } from '../../projections/racing-events.ts';
export { rigs, type RigDocument } from '../../projections/rigs.ts';
export { signupFields, type SignupFieldDocument } from '../../projections/signup-fields.ts';
export { simulatorCars, type SimulatorCarDocument } from '../../projections/simulator-cars.ts';
export { simulatorLayouts, type SimulatorLayoutDocument } from '../../projections/simulator-layouts.ts';
export { simulators, type SimulatorDocument } from '../../projections/simulators.ts';
export { trackLayouts, type TrackLayoutDocument } from '../../projections/track-layouts.ts';
export { tracks, type TrackDocument } from '../../projections/tracks.ts';

/**
 * The projections of the built-in read models except those of API keys, of laps and of what is computed from laps. Put
 * `...lookUps` into the default export to be able to look up their documents; they have few events, so it costs little.
 */
export const lookUps = [
  brandsProjection,
  carBrandsProjection,
  carClassesProjection,
  carsProjection,
  licensesProjection,
  participantsProjection,
  racingEventsProjection,
  rigsProjection,
  signupFieldsProjection,
  simulatorCarsProjection,
  simulatorLayoutsProjection,
  simulatorsProjection,
  trackLayoutsProjection,
  tracksProjection,
] as const;

/**
 * A read model of the analyst's own: documents that belong to no stream of the history, under any id. `Row` is their
 * shape, as a `type` (an `interface` does not fit); give an index to each field that `setWhere` finds documents by.
 */
export function table<Row extends JsonObject>(
  name: string,
  { indexes = [] }: { readonly indexes?: readonly (readonly (keyof Row & string)[])[] } = {},
): ReadModel<DocumentMeta & Row> {
  return readModel<DocumentMeta & Row>(name, { category: name, indexes });
}
