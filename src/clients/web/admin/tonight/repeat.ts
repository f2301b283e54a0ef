import { textOf, type Json, type JsonObject } from '../../shared/json.ts';
import { fromLocal, joinLocal, splitLocal, toLocal } from '../../shared/local-times.ts';
import type { Field } from '../api/fields.ts';
import { dayOf } from './night.ts';

const MS_PER_DAY = 86_400_000;

/** Characters of a date: `2026-05-01`. */
const DATE_LENGTH = 10;

/** The fields of a record that a body takes, as the record has them. */
export function copyOf(record: JsonObject, fields: readonly Field[]): JsonObject {
  const copied = fields.map(({ name, shownAs }): readonly [string, Json | undefined] => [name, record[shownAs]]);
  return Object.fromEntries(copied);
}

/**
 * The body that schedules an event again, today and public: with all that it has, at the same times of day in the zone of
 * the venue. One that had no beginning begins now; an end that is over already is left out.
 * @param fields those of the body
 * @param now ISO 8601
 * @param zone undefined: that of the browser
 */
export function repeatedToday(
  event: JsonObject,
  fields: readonly Field[],
  now: string,
  zone: string | undefined,
): JsonObject {
  const startsAt = textOf(event['startsAt']);
  const copy = { ...copyOf(event, fields), enabled: true };
  if (startsAt === '') return { ...copy, startsAt: minuteOf(now), endsAt: null };
  const days = daysBetween(dayOf(startsAt, zone), dayOf(now, zone));
  const endsAt = movedBy(textOf(event['endsAt']), days, zone);
  return { ...copy, startsAt: movedBy(startsAt, days, zone), endsAt: endsAt !== null && endsAt > now ? endsAt : null };
}

/** The beginning of the minute of an instant. */
export function minuteOf(instant: string): string {
  return `${instant.slice(0, 'YYYY-MM-DDTHH:mm'.length)}:00.000Z`;
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / MS_PER_DAY);
}

/** An instant, so many days later at the same time of day; null: there is none. */
function movedBy(instant: string, days: number, zone: string | undefined): string | null {
  if (instant === '') return null;
  const { shown, isSecond } = splitLocal(toLocal(instant, zone));
  const day = new Date(Date.parse(shown.slice(0, DATE_LENGTH)) + days * MS_PER_DAY).toISOString();
  const moved = `${day.slice(0, DATE_LENGTH)}${shown.slice(DATE_LENGTH)}`;
  return fromLocal(joinLocal(moved, isSecond), zone)?.instant ?? null;
}
