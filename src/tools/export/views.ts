import { lapsProjection } from '../../../projections/laps.ts';
import { brandQuery } from '../../../queries/brands.ts';
import { carBrandQuery } from '../../../queries/car-brands.ts';
import { carClassQuery } from '../../../queries/car-classes.ts';
import { carQuery } from '../../../queries/cars.ts';
import { lapQuery } from '../../../queries/laps.ts';
import { participantQuery } from '../../../queries/participants.ts';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import { signupFieldQuery } from '../../../queries/signup-fields.ts';
import { simulatorCarQuery } from '../../../queries/simulator-cars.ts';
import { simulatorLayoutQuery } from '../../../queries/simulator-layouts.ts';
import { simulatorQuery } from '../../../queries/simulators.ts';
import { trackLayoutQuery } from '../../../queries/track-layouts.ts';
import { trackQuery } from '../../../queries/tracks.ts';
import type { Query } from '../../service/domain/query.ts';
import type { Index } from '../../service/kernel/ports/read-store.ts';
import type { Projection } from '../../service/kernel/projection/projection.ts';
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

type Declared = Pick<ExportView, 'query'> & Partial<Pick<ExportView, 'without' | 'projections'>>;

/** Every list but those of licences and API keys, which are accounts: nothing to analyse, and secrets. */
const VIEWS: Readonly<Record<string, Declared>> = {
  laps: { query: lapQuery, projections: [...lookUps, lapsProjection] },
  participants: { query: participantQuery },
  rigs: { query: rigQuery },
  events: { query: racingEventQuery },
  'signup-fields': { query: signupFieldQuery },
  cars: { query: carQuery },
  'car-brands': { query: carBrandQuery },
  'car-classes': { query: carClassQuery },
  tracks: { query: trackQuery },
  'track-layouts': { query: trackLayoutQuery },
  simulators: { query: simulatorQuery, without: ['layouts'] },
  'simulator-cars': { query: simulatorCarQuery },
  'simulator-layouts': { query: simulatorLayoutQuery },
  brands: { query: brandQuery },
};

/** The names of all views. */
export const VIEW_NAMES: readonly string[] = Object.keys(VIEWS);

/** The view of a name; null where there is none. */
export function viewOf(name: string): ExportView | null {
  const declared = Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined;
  if (declared === undefined) return null;
  const { query, without = [], projections = lookUps } = declared;
  return { name, query, without, projections: projections.map(withFewIndexes) };
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
