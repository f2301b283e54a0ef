import { lapEvents } from '../../../commands/laps.ts';
import type { Lap } from '../../../projections/leaderboards/best-laps.ts';
import { lapChanges, type LapChangeType } from '../../../projections/leaderboards/lap-versions.ts';
import { recordedFacts, type LapFacts } from '../../../projections/laps.ts';
import { streamOf } from '../kernel/aggregate/decider.ts';
import { upcast, type DataOf } from '../kernel/event-types.ts';
import type { EventStore, RecordedEvent, Revision } from '../kernel/ports/event-store.ts';

/** A lap and its facts at some moment. */
export interface LapAt {
  readonly lap: Lap;
  readonly facts: LapFacts;
}

/** A lap as it was recorded. */
export function recordedLap(event: RecordedEvent, lapId: string): LapAt {
  // The schema is that of the event's type.
  const data = upcast(lapEvents, event) as DataOf<(typeof lapEvents)['LapRecorded']>;
  const createdAt = event.metadata.occurredAt;
  return { lap: { lapId, created: event.position, createdAt }, facts: recordedFacts(data, createdAt) };
}

/** The facts of a lap after an event that changes it. */
export function changedFacts(before: LapFacts, event: RecordedEvent): LapFacts {
  // As above.
  const changesOf = lapChanges[event.type as LapChangeType] as (data: unknown) => Partial<LapFacts>;
  return { ...before, ...changesOf(upcast(lapEvents, event)) };
}

/** A lap just before its event at a revision, read from its stream; null: it did not exist. */
export async function lapBefore(
  store: Pick<EventStore, 'readStream'>,
  lapId: string,
  revision: Revision,
): Promise<LapAt | null> {
  const events: RecordedEvent[] = [];
  for await (const batch of store.readStream(streamOf('lap', lapId))) {
    events.push(...batch.filter((event) => event.revision < revision));
  }
  const [first, ...changes] = events;
  if (first === undefined) return null;
  const { lap, facts } = recordedLap(first, lapId);
  return { lap, facts: changes.reduce(changedFacts, facts) };
}
