import { useCallback, useState } from 'preact/hooks';
import { api, type Schemas } from '../shared/api.ts';
import { useRetried } from '../shared/hooks.ts';

/** Most cars that are searched for the classes of an event, and most sponsors that are shown. */
const MOST_CARS = 1_000;
const MOST_BRANDS = 24;

export type EventFacts = Readonly<NonNullable<Awaited<ReturnType<typeof factsOf>>>>;

/** Facts of an event; `null` until they are loaded. `missing`: the event does not exist. */
export function useEvent(eventId: string) {
  const [facts, show] = useState<EventFacts | null>(null);
  const [missing, setMissing] = useState(false);
  const load = useCallback(
    async (signal: AbortSignal): Promise<void> => {
      const found = await factsOf(eventId, signal);
      if (found === null) setMissing(true);
      else show(found);
    },
    [eventId],
  );
  return { facts, missing, failed: useRetried(load) };
}

async function factsOf(eventId: string, signal: AbortSignal) {
  const [event, cars] = await Promise.all([
    api.GET('/api/v1/events/{eventId}', { params: { path: { eventId } }, signal }),
    api.GET('/api/v1/cars/paged', { params: { query: { size: MOST_CARS } }, signal }),
  ]);
  if (event.response.status === 404 || event.response.status === 400) return null;
  if (event.data === undefined || cars.data === undefined) throw new Error('the event was refused');
  const { carIds, brandIds } = event.data;
  return {
    event: event.data,
    brands: (await Promise.all(brandIds.slice(0, MOST_BRANDS).map((id) => brandOf(id, signal)))).flat(),
    /** Classes of its cars, by name. */
    carClasses: classesOf(cars.data.content.filter(({ id }) => carIds.includes(id))),
  };
}

async function brandOf(brandId: string, signal: AbortSignal): Promise<readonly Schemas['Brand'][]> {
  const { data } = await api.GET('/api/v1/brands/{brandId}', { params: { path: { brandId } }, signal });
  return data === undefined ? [] : [data];
}

function classesOf(cars: readonly Schemas['Car'][]) {
  const names = new Map(cars.map(({ carClassId, carClassDisplayName }) => [carClassId, carClassDisplayName]));
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}
