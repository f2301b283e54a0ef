import { eventLayouts } from '../../projections/leaderboards/event-layouts.ts';
import type { RacingEventDocument } from '../../projections/racing-events.ts';
import type { Sources } from './sources.ts';

/** How many laps there are in an event by layout, valid or not. */
export type LapsByLayout = ReadonlyMap<string, number>;

/** How many laps there are now. */
export async function lapsByLayout(eventId: string, { models, allowance }: Sources): Promise<LapsByLayout> {
  const found = new Map<string, number>();
  for await (const batch of allowance.all(models, eventLayouts, { eventId })) {
    for (const { trackId, laps } of batch) found.set(trackId, laps);
  }
  return found;
}

/** The layouts of an event: its own, in its order, and then all others with laps, those with the most first. */
export function layoutIdsOf({ trackLayoutIds }: RacingEventDocument, laps: LapsByLayout): readonly string[] {
  const own = new Set(trackLayoutIds);
  const others = [...laps].filter(([id, count]) => count > 0 && !own.has(id));
  others.sort(([a, most], [b, count]) => count - most || (a < b ? -1 : 1));
  return [...own, ...others.map(([id]) => id)];
}
