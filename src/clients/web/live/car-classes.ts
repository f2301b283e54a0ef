import { api } from '../shared/api.ts';
import type { Row } from './messages.ts';

/** Most cars, and most classes, that are read. */
const MOST = 1_000;

/** A class of cars. */
export interface CarClass {
  readonly id: string;
  readonly name: string;
  readonly shortName: string;
  /** From 0, to give each class of an event a colour of its own. */
  readonly number: number;
}

/** The classes of cars, by the ids of the cars. */
export type ClassesOfCars = ReadonlyMap<string, CarClass>;

/**
 * Reads the classes of all cars.
 * @param event resolves to the ids of the cars of an event, whose classes have the first numbers
 */
export async function readClassesOfCars(
  event: Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<ClassesOfCars> {
  const query = { size: MOST };
  const [cars, classes, carIds] = await Promise.all([
    api.GET('/api/v1/cars/paged', { params: { query }, signal }),
    api.GET('/api/v1/car-classes/paged', { params: { query }, signal }),
    event,
  ]);
  if (cars.data === undefined || classes.data === undefined) throw new Error('the cars were refused');
  const shortNames = new Map(classes.data.content.map(({ id, shortName }) => [id, shortName]));
  const inEvent = new Set(carIds);
  const all = cars.data.content;
  const known = new Map<string, CarClass>();
  const ofCars = new Map<string, CarClass>();
  for (const car of [...all.filter(({ id }) => inEvent.has(id)), ...all]) {
    const carClass = known.get(car.carClassId) ?? {
      id: car.carClassId,
      name: car.carClassDisplayName,
      shortName: shortNames.get(car.carClassId) ?? car.carClassDisplayName,
      number: known.size,
    };
    known.set(carClass.id, carClass);
    ofCars.set(car.id, carClass);
  }
  return ofCars;
}

/** The place of each driver among those of the same class, by the ids of the drivers; equal times share one. */
export function placesInClass(rows: readonly Row[], classes: ClassesOfCars): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const counts = new Map<string, { count: number; position: number; place: number }>();
  for (const { participantId, position, bestLap } of rows) {
    const carClass = classes.get(bestLap.car);
    if (carClass === undefined) continue;
    const before = counts.get(carClass.id) ?? { count: 0, position: 0, place: 0 };
    const count = before.count + 1;
    const place = before.position === position ? before.place : count;
    counts.set(carClass.id, { count, position, place });
    places.set(participantId, place);
  }
  return places;
}
