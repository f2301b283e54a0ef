import { cars } from '../../../projections/cars.ts';
import { eventLayouts } from '../../../projections/leaderboards/gathering-laps.ts';
import type { RacingEventDocument } from '../../../projections/racing-events.ts';
import { carsOf, type BoardFilter } from '../../../queries/leaderboards/filters.ts';
import { readOne } from '../../domain/documents.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';

/** The fields of a filter that name something of the event. */
type NamingField = 'trackLayoutId' | 'carId' | 'carClassId';

/** Thrown for a filter by something that a racing event neither lists nor has, or has ever had, a lap of. */
export class NotInEvent extends Error {
  override readonly name = 'NotInEvent';
  readonly field: NamingField;

  constructor(field: NamingField) {
    super('The event neither lists it nor has a lap of it.');
    this.field = field;
  }
}

/** A field of a filter, and cars: one of them must be listed by the event or have driven in it. */
export interface RequiredCar {
  readonly field: NamingField;
  readonly carIds: readonly string[];
}

/**
 * Checks a filter by a few look-ups; returns what only the laps can tell: cars that exist, but are not listed.
 * @throws {NotInEvent}
 */
export async function requiredCars(
  { trackLayoutId, carId, carClassId }: BoardFilter,
  event: RacingEventDocument,
  models: ReadModels,
): Promise<readonly RequiredCar[]> {
  const isDriven = async (id: string) => (await readOne(models, eventLayouts, `${event.id}:${id}`)) !== null;
  const isAbsent = trackLayoutId !== undefined && !event.trackLayoutIds.includes(trackLayoutId);
  if (isAbsent && !(await isDriven(trackLayoutId))) throw new NotInEvent('trackLayoutId');
  const wanted: RequiredCar[] = [];
  if (carId !== undefined) wanted.push({ field: 'carId', carIds: [carId] });
  const ofClass = carClassId === undefined ? null : await carsOf({ carClassId }, models);
  if (ofClass !== null) wanted.push({ field: 'carClassId', carIds: [...ofClass] });
  const unlisted = wanted.filter(({ carIds }) => !carIds.some((id) => event.carIds.includes(id)));
  for (const { field, carIds } of unlisted) {
    const [first] = carIds;
    if (first === undefined || (await readOne(models, cars, first)) === null) throw new NotInEvent(field);
  }
  return unlisted;
}

/** @throws {NotInEvent} */
export function requireDriven(required: readonly RequiredCar[], driven: ReadonlySet<string>): void {
  const missing = required.find(({ carIds }) => !carIds.some((id) => driven.has(id)));
  if (missing !== undefined) throw new NotInEvent(missing.field);
}
