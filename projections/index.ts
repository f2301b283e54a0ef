import { apiKeysProjection } from './api-keys.ts';
import { brandsProjection } from './brands.ts';
import { carBrandsProjection } from './car-brands.ts';
import { carClassesProjection } from './car-classes.ts';
import { carsProjection } from './cars.ts';
import { lapDeparturesProjection } from './lap-departures.ts';
import { lapsProjection } from './laps.ts';
import { leaderboardsProjection } from './leaderboards.ts';
import { licensesProjection } from './licenses.ts';
import { participantsProjection } from './participants.ts';
import { racingEventsProjection } from './racing-events.ts';
import { rigsProjection } from './rigs.ts';
import { signupFieldsProjection } from './signup-fields.ts';
import { simulatorCarsProjection } from './simulator-cars.ts';
import { simulatorLayoutsProjection } from './simulator-layouts.ts';
import { simulatorsProjection } from './simulators.ts';
import { trackLayoutsProjection } from './track-layouts.ts';
import { tracksProjection } from './tracks.ts';

/** Namespace of the built-in read models. */
export const BUILT_IN = 'built-in';

/**
 * Version of the built-in read models. To be raised by one whenever a release makes other documents of the same events,
 * or declares other collections or indexes: the read models are then rebuilt by the first projector of that release.
 */
export const BUILT_IN_VERSION = 1;

/** The built-in read models: one group, with one checkpoint (DESIGN §4). */
export const builtInProjections = [
  apiKeysProjection,
  brandsProjection,
  carBrandsProjection,
  carClassesProjection,
  carsProjection,
  lapDeparturesProjection,
  lapsProjection,
  leaderboardsProjection,
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
