import type { Revision } from '../src/kernel/ports/event-store.ts';

/** What a lap is to a leaderboard: whose, where, in what, and how fast. `car` and `trackId` as a lap shows them. */
export type LapFacts = {
  readonly eventId: string;
  readonly participantId: string;
  readonly totalTime: number;
  readonly sectors: readonly number[];
  readonly valid: boolean;
  readonly car: string;
  readonly trackId: string;
};

/** What one event of a lap changed: the values before it. */
export type TrailEntry = {
  readonly revision: Revision;
  /** When it happened, ISO 8601. */
  readonly at: string;
  readonly was: Partial<LapFacts>;
};

/** What a lap's document keeps so that its past can be told; absent while the lap is as it was recorded. */
export type Trailed = LapFacts & { readonly _trail?: readonly TrailEntry[] };

/**
 * The trail after an event that gives a lap these values. The lap may be ahead of the event, and the result wrong: then
 * the lap's document takes no notice of it.
 */
export function longerTrail(
  lap: Trailed,
  event: { readonly revision: Revision; readonly at: string },
  next: Partial<LapFacts>,
): readonly TrailEntry[] {
  const { eventId, participantId, totalTime, sectors, valid, car, trackId } = lap;
  const facts = Object.entries({ eventId, participantId, totalTime, sectors, valid, car, trackId });
  // Fields of the facts, with their own values.
  const was = Object.fromEntries(facts.filter(([field]) => field in next)) as Partial<LapFacts>;
  return [...(lap._trail ?? []), { ...event, was }];
}

/** What a lap was just before its event of this revision, however far ahead of that event its document is. */
export function lapBefore(lap: Trailed, revision: Revision): LapFacts {
  return undone(lap, (entry) => entry.revision >= revision);
}

/**
 * What a lap was at a moment, ISO 8601: after its last event before the first that is later. (Clocks of several nodes
 * may disagree a little, so the times of a stream need not be in order.)
 */
export function lapAsOf(lap: Trailed, at: string): LapFacts {
  return undone(lap, (entry) => entry.at > at);
}

/** Undoes the first entry that is later, and all that follow. */
function undone(lap: Trailed, isLater: (entry: TrailEntry) => boolean): LapFacts {
  const { _trail = [] } = lap;
  const first = _trail.findIndex(isLater);
  return first < 0 ? lap : _trail.slice(first).reduceRight<LapFacts>((facts, { was }) => ({ ...facts, ...was }), lap);
}
