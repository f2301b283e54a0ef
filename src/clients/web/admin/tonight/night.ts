import { textOf, type JsonObject } from '../../shared/json.ts';
import { toLocal } from '../../shared/local-times.ts';

/** The events that matter this evening. */
export interface Night {
  /** Those that go on, the newest first. */
  readonly running: readonly JsonObject[];
  /** The one that begins next; null: none is planned. */
  readonly next: JsonObject | null;
  /** The one that began last, whether or not it is over; null: there was none. */
  readonly last: JsonObject | null;
  /** Whether an event of today goes on or is still to come. */
  readonly hasToday: boolean;
}

/** The day of an instant (ISO 8601) in a zone: `2026-05-01`. */
export function dayOf(instant: string, zone: string | undefined): string {
  return toLocal(instant, zone).slice(0, 10);
}

/**
 * Sorts out events by their `state`.
 * @param now ISO 8601
 * @param zoneOf gives the time zone of an event; undefined: that of the browser
 */
export function nightOf(
  events: readonly JsonObject[],
  now: string,
  zoneOf: (event: JsonObject) => string | undefined,
): Night {
  const newestFirst = [...events].sort((a, b) => (beginningOf(a) < beginningOf(b) ? 1 : -1));
  const live = newestFirst.filter(({ state }) => state === 'live');
  // An event without a date goes on for ever: it is shown only where there is no other one.
  const dated = live.filter(({ startsAt }) => startsAt !== null);
  const upcoming = newestFirst.filter(({ state }) => state === 'upcoming');
  const isToday = (event: JsonObject): boolean => {
    const startsAt = textOf(event['startsAt']);
    return startsAt !== '' && dayOf(startsAt, zoneOf(event)) === dayOf(now, zoneOf(event));
  };
  return {
    running: dated.length > 0 ? dated : live.slice(0, 1),
    next: upcoming.at(-1) ?? null,
    last: newestFirst.find(({ state }) => state !== 'upcoming') ?? null,
    hasToday: [...dated, ...upcoming].some(isToday),
  };
}

/** When an event begins, or, without a date, when it was created. */
function beginningOf(event: JsonObject): string {
  return textOf(event['startsAt']) || textOf(event['createdAt']);
}
