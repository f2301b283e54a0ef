import type { Schemas } from './api.ts';

export type EventState = Schemas['EventState'];

/** The moments that say whether an event goes on, ISO 8601 or null. */
export type EventTimes = Pick<Schemas['Event'], 'startsAt' | 'endsAt' | 'finishedAt'>;

/** The state of an event at an instant, in ms, as the service tells it: pages show it when the moment comes. */
export function eventStateAt({ startsAt, endsAt, finishedAt }: EventTimes, now: number): EventState {
  if (finishedAt !== null) return 'finished';
  if (endsAt !== null && Date.parse(endsAt) <= now) return 'finished';
  return startsAt !== null && now < Date.parse(startsAt) ? 'upcoming' : 'live';
}
