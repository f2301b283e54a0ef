import { api, type Schemas } from '../shared/api.ts';
import type { LiveLap } from './messages.ts';
import { KEPT_LAPS } from './state.ts';

/** Most cars of a class that are searched. */
const MOST_CARS = 1_000;

/** The request: the newest laps up to and including an instant (ISO 8601). */
export interface EarlierLaps {
  readonly eventId: string;
  readonly trackId: string;
  readonly carClassId: string | undefined;
  readonly until: string;
}

/** The newest laps of a board that were recorded until an instant, in their current state. */
export async function earlierLaps(
  { eventId, trackId, carClassId, until }: EarlierLaps,
  signal: AbortSignal,
): Promise<readonly LiveLap[]> {
  const to = new Date(Date.parse(until) + 1).toISOString();
  const query = { eventId, trackId, to, sort: 'createdAt,desc', size: KEPT_LAPS };
  const [fits, { data }] = await Promise.all([
    carsOf(carClassId, signal),
    api.GET('/api/v1/laps/paged', { params: { query }, signal }),
  ]);
  if (data === undefined) throw new Error('the laps were refused');
  return data.content.filter(({ car, totalTime }) => fits(car) && totalTime > 0).map(shown);
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

function shown({ id, ...lap }: Schemas['Lap']): LiveLap {
  return { lapId: id, ...lap };
}
