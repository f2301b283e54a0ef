import type { Schemas } from '../shared/api.ts';

type Lap = Pick<Schemas['Lap'], 'id' | 'totalTime' | 'sectors' | 'valid' | 'drivenAt' | 'car'>;

/** A lap of a driver on a board. */
export interface DriverLap extends Lap {
  /** Its place among the driver's laps on the layout, from 1: the first that was driven. */
  readonly number: number;
}

/**
 * Laps with their numbers.
 * @param laps the newest ones of a driver, the newest first
 * @param total how many there are, with those that are not in `laps`
 */
export function numberedLaps(laps: readonly Lap[], total: number): readonly DriverLap[] {
  const last = Math.max(total, laps.length);
  return laps.map((lap, index) => ({ ...lap, number: last - index }));
}

/** The best valid lap with each car, the fastest first; of equal ones, the first that was driven. */
export function bestOfCars(laps: readonly DriverLap[]): readonly DriverLap[] {
  const bests = new Map<string, DriverLap>();
  for (const lap of laps) {
    const best = bests.get(lap.car);
    const isBetter = best === undefined || lap.totalTime <= best.totalTime;
    if (lap.valid && isBetter) bests.set(lap.car, lap);
  }
  return [...bests.values()].sort((a, b) => a.totalTime - b.totalTime);
}
