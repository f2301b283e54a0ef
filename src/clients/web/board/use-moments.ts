import { useCallback, useMemo } from 'preact/hooks';
import type { LiveLap } from '../live/messages.ts';
import { api } from '../shared/api.ts';
import { useRetried } from '../shared/hooks.ts';

/** Laps of a request, and most requests: so many of the newest laps have a moment each. */
const PAGE = 1_000;
const MOST_PAGES = 5;

/** Moments, evenly spaced, for all laps before those. */
const EARLIER = 1_000;

/**
 * The moments (ISO 8601) at which laps of an event were recorded, the earliest first: there is nothing to see in between.
 * @param wanted whether all are needed; until then they are those of `laps`
 * @param laps the newest laps
 */
export function useMoments(eventId: string, wanted: boolean, laps: readonly LiveLap[]): readonly string[] {
  const load = useCallback(
    async (signal: AbortSignal) => (wanted ? momentsOf(eventId, signal) : []),
    [eventId, wanted],
  );
  const { data: known } = useRetried(load);
  return useMemo(
    () => [...new Set([...(known ?? []), ...laps.map(({ createdAt }) => createdAt)])].sort(),
    [known, laps],
  );
}

async function momentsOf(eventId: string, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { moments, last } = await read({ eventId, sort: 'createdAt,desc', size: PAGE, page }, signal);
    found.push(...moments);
    if (last) return found;
  }
  const { moments } = await read({ eventId, sort: 'createdAt', size: 1 }, signal);
  const [from, to] = [Date.parse(moments[0] ?? ''), Date.parse(found.at(-1) ?? '')];
  const earlier = Array.from({ length: EARLIER }, (_, n) => new Date(from + ((to - from) * n) / EARLIER).toISOString());
  return [...found, ...earlier];
}

async function read(
  query: { readonly eventId: string; readonly sort: string; readonly size: number; readonly page?: number },
  signal: AbortSignal,
) {
  const { data } = await api.GET('/api/v1/laps/paged', { params: { query }, signal });
  if (data === undefined) throw new Error('the laps were refused');
  return { moments: data.content.map(({ createdAt }) => createdAt), last: data.last };
}
