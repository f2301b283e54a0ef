import { cars } from '../../projections/cars.ts';
import { streamAll } from '../../src/domain/documents.ts';
import type { ReadModels } from '../../src/kernel/ports/read-store.ts';

/** Which laps of an event a leaderboard shows; all conditions must hold. */
export interface BoardFilter {
  /** Left out: the first layout of the event. */
  readonly trackLayoutId?: string | undefined;
  readonly carId?: string | undefined;
  /** The class that the car has now. */
  readonly carClassId?: string | undefined;
  /** Whether only valid laps count for the best. */
  readonly validOnly: boolean;
}

/** The cars whose laps pass a filter; null: all. */
export async function carsOf({ carId, carClassId }: Pick<BoardFilter, 'carId' | 'carClassId'>, models: ReadModels) {
  if (carClassId === undefined) return carId === undefined ? null : new Set([carId]);
  const ids = new Set<string>();
  for await (const batch of streamAll(models, cars, { where: { carClassId } })) for (const { id } of batch) ids.add(id);
  if (carId === undefined) return ids;
  return new Set(ids.has(carId) ? [carId] : []);
}

/** What decides which laps of an event count, beside a filter. */
export interface CountingRules {
  /** ms: the time of the shortest lap that counts. */
  readonly minimum: number;
  /** ISO 8601: no lap driven later counts; null: any may. */
  readonly finishedAt: string | null;
}

/** Whether a lap was driven before its event was finished, or at that very moment; moments are ISO 8601. */
export function isInTime({ drivenAt }: { readonly drivenAt: string }, finishedAt: string | null): boolean {
  return finishedAt === null || drivenAt <= finishedAt;
}

/** What may say which laps are too short. */
type Minimum = { readonly minLapTime?: number | null | undefined } | null;

/** The shortest lap time that counts, in ms: that of the event, or else that of the layout. */
export function minimumIn(event: Minimum, layout: Minimum): number {
  return event?.minLapTime ?? layout?.minLapTime ?? 1;
}
