import { cars } from '../../../projections/cars.ts';
import { eventLayouts } from '../../../projections/leaderboards/gathering-laps.ts';
import type { RacingEventDocument } from '../../../projections/racing-events.ts';
import { carsOf, type BoardFilter } from '../../../queries/leaderboards/filters.ts';
import { readOne } from '../../domain/documents.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';

/** The fields of a filter that name something of the event. */
type NamingField = 'trackLayoutId' | 'carId' | 'carClassId';

/** Thrown when a filter names something that a racing event does not list and never had a lap of. */
export class NotInEvent extends Error {
  override readonly name = 'NotInEvent';
  readonly field: NamingField;

  constructor(field: NamingField) {
    super('The event neither lists it nor has a lap of it.');
    this.field = field;
  }
}

/** A field of a filter with its cars, one of which the event must list, or have a lap of. */
export interface RequiredCar {
  readonly field: NamingField;
  readonly carIds: readonly string[];
}

/**
 * Checks a filter by a few look-ups. Returns what can only be checked against the laps: cars that exist, but that the event
 * does not list.
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
  const required: RequiredCar[] = [];
  if (carId !== undefined) required.push({ field: 'carId', carIds: [carId] });
  const ofClass = carClassId === undefined ? null : await carsOf({ carClassId }, models);
  if (ofClass !== null) required.push({ field: 'carClassId', carIds: [...ofClass] });
  const unlisted = required.filter(({ carIds }) => !carIds.some((id) => event.carIds.includes(id)));
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
