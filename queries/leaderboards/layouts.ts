import { isDriven } from '../../projections/leaderboards/gathering-laps.ts';
import type { LapFacts } from '../../projections/laps.ts';
import { isInTime } from './filters.ts';
import type { RacingEventDocument } from '../../projections/racing-events.ts';

/** Number of laps of an event on each layout, valid or not. */
export type LapsByLayout = ReadonlyMap<string, number>;

/** Which laps of an event are counted, and whether they are added or taken off. */
interface Counting {
  readonly eventId: string;
  /** ISO 8601: laps driven later are not counted; null: all are. */
  readonly finishedAt: string | null;
  readonly by: 1 | -1;
}

/** Adds a lap to the numbers of an event, or takes it off; one that is not counted changes nothing. */
export function countLap(laps: Map<string, number>, facts: LapFacts, { eventId, finishedAt, by }: Counting): void {
  if (facts.eventId !== eventId || !isDriven(facts) || !isInTime(facts, finishedAt)) return;
  laps.set(facts.trackId, (laps.get(facts.trackId) ?? 0) + by);
}

/** The layouts of an event: its own, in its order, and then all others with laps, those with the most first. */
export function layoutIdsOf({ trackLayoutIds }: RacingEventDocument, laps: LapsByLayout): readonly string[] {
  const own = new Set(trackLayoutIds);
  const others = [...laps].filter(([id, count]) => count > 0 && !own.has(id));
  others.sort(([a, most], [b, count]) => count - most || (a < b ? -1 : 1));
  return [...own, ...others.map(([id]) => id)];
}

/** The same with their numbers of laps. */
export function layoutsOf(event: RacingEventDocument, laps: LapsByLayout) {
  return layoutIdsOf(event, laps).map((id) => ({ trackLayoutId: id, laps: laps.get(id) ?? 0 }));
}
