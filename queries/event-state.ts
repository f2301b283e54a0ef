import { z } from 'zod';
import { component } from '../src/domain/component.ts';
import { described } from '../src/domain/fields.ts';

/** The moments that say whether an event goes on, ISO 8601. */
export interface EventTimes {
  /** Null: it has no beginning, and so goes on at once. */
  readonly startsAt: string | null;
  /** Null: open. */
  readonly endsAt: string | null;
  /** Null: it has not been finished. */
  readonly finishedAt: string | null;
}

const EventState = z
  .enum(['upcoming', 'live', 'finished'])
  .meta(component('EventState', 'Whether an event is to come, goes on, or is over.'));

export const eventState = described(
  EventState,
  'Whether it is to come (before `startsAt`), goes on, or is over: since `endsAt`, or because it has a `finishedAt`.',
  'live',
);

export type EventState = z.output<typeof EventState>;

/** The state of an event at a moment, ISO 8601. */
export function eventStateAt({ startsAt, endsAt, finishedAt }: EventTimes, moment: string): EventState {
  if (finishedAt !== null) return 'finished';
  if (endsAt !== null && endsAt <= moment) return 'finished';
  return startsAt !== null && moment < startsAt ? 'upcoming' : 'live';
}
