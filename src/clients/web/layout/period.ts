import { fromLocal, toLocal } from '../shared/local-times.ts';

export const PERIODS = ['today', 'week', 'month', 'year', 'ever'] as const;

/** The time whose laps a board shows: it ends now. */
export type Period = (typeof PERIODS)[number];

const DAY_MS = 86_400_000;

/** Days since Monday. */
function weekday(localMidnight: number): number {
  return (new Date(localMidnight).getUTCDay() + 6) % 7;
}

/**
 * The instant (ISO 8601) at which a period began in a time zone (undefined: the reader's own); null: it has no beginning.
 * Weeks begin on Mondays (ISO 8601).
 */
export function startOf(period: Period, now: number, timeZone: string | undefined): string | null {
  if (period === 'ever') return null;
  const local = toLocal(new Date(now).toISOString(), timeZone);
  const today = local.slice(0, 'yyyy-mm-dd'.length);
  return fromLocal(`${firstDayOf(period, today)}T00:00`, timeZone)?.instant ?? null;
}

/** The first day (`2026-05-01`) of a period that a day is in. */
function firstDayOf(period: Exclude<Period, 'ever'>, day: string): string {
  if (period === 'year') return `${day.slice(0, 'yyyy'.length)}-01-01`;
  if (period === 'month') return `${day.slice(0, 'yyyy-mm'.length)}-01`;
  if (period === 'today') return day;
  // A local date as if it were one of UTC, whose days all have 24 hours.
  const midnight = Date.parse(`${day}T00:00Z`);
  return new Date(midnight - weekday(midnight) * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
