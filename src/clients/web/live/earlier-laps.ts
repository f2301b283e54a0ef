import { api } from '../shared/api.ts';
import { isMeasured } from '../shared/times.ts';
import type { LiveLap } from './messages.ts';
import { KEPT_LAPS } from './state.ts';
import type { BoardSelection } from './stream.ts';

/** Most cars of a class that are searched. */
const MOST_CARS = 1_000;

/** The newest laps of a board that were recorded until an instant (ISO 8601) or at it, in their current state. */
export async function earlierLaps(
  { eventId, trackLayoutId: trackId, carClassId }: BoardSelection & { readonly trackLayoutId: string },
  until: string,
  signal: AbortSignal,
): Promise<readonly LiveLap[]> {
  const to = new Date(Date.parse(until) + 1).toISOString();
  const query = { eventId, trackId, to, sort: 'createdAt,desc', size: KEPT_LAPS };
  const [fits, { data }] = await Promise.all([
    carsOf(carClassId, signal),
    api.GET('/api/v1/laps/paged', { params: { query }, signal }),
  ]);
  if (data === undefined) throw new Error('the laps were refused');
  return data.content
    .filter(({ car, totalTime }) => fits(car) && isMeasured(totalTime))
    .map(({ id, ...lap }) => ({ lapId: id, ...lap }));
}

/** Tells whether a car belongs to a class; every car does if there is none. */
async function carsOf(carClassId: string | undefined, signal: AbortSignal): Promise<(car: string) => boolean> {
  if (carClassId === undefined) return () => true;
  const query = { carClassId, size: MOST_CARS };
  const { data } = await api.GET('/api/v1/cars/paged', { params: { query }, signal });
  if (data === undefined) throw new Error('the cars were refused');
  const ids = new Set(data.content.map(({ id }) => id));
  return (car) => ids.has(car);
}
