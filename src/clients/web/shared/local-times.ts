/** An instant that a local time names, and whether the clocks of its zone change there. */
export interface NamedInstant {
  /** ISO 8601, in UTC. */
  readonly instant: string;
  /** `twice`: the clocks are put back, so that the time comes twice; `skipped`: they are put forward, so that it does not. */
  readonly comes: 'once' | 'twice' | 'skipped';
}

/**
 * Follows a local time that is the second one of a time that comes twice. It belongs to entries, which people do not see,
 * and makes each instant have an entry of its own.
 */
const SECOND = ' second';

/** More than any zone was ever ahead of UTC, or behind: within it of a local time, read as UTC, lie all its instants. */
const MOST_OFFSET_MS = 16 * 3_600_000;

/** A format that tells the local time of a zone; one for each zone, as making it is expensive. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const made =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(timeZone, made);
  return made;
}

type Part = Intl.DateTimeFormatPartTypes;

function partOf(parts: readonly Intl.DateTimeFormatPart[], type: Part): string {
  return parts.find((part) => part.type === type)?.value ?? '';
}

/** How many ms a zone is ahead of UTC at an instant; undefined: the reader's own zone. */
function offsetAt(epochMs: number, timeZone: string | undefined): number {
  const wholeSeconds = Math.floor(epochMs / 1_000) * 1_000;
  const parts = formatOf(timeZone).formatToParts(wholeSeconds);
  const numberOf = (type: Part): number => Number(partOf(parts, type));
  const year = partOf(parts, 'era').startsWith('B') ? 1 - numberOf('year') : numberOf('year');
  // `Date.UTC` takes the years 0 to 99 for those of the 20th century.
  const shown = new Date(0);
  shown.setUTCFullYear(year, numberOf('month') - 1, numberOf('day'));
  shown.setUTCHours(numberOf('hour'), numberOf('minute'), numberOf('second'));
  return shown.getTime() - wholeSeconds;
}

/** The offset in force before a local time, and the instants (epoch ms) at which it is that time, the earliest first. */
function instantsAt(localMs: number, timeZone: string | undefined) {
  const before = offsetAt(localMs - MOST_OFFSET_MS, timeZone);
  const after = offsetAt(localMs + MOST_OFFSET_MS, timeZone);
  const offsets = before === after ? [before] : [before, after];
  const instants = offsets
    .map((offset) => localMs - offset)
    .filter((epochMs) => epochMs + offsetAt(epochMs, timeZone) === localMs)
    .sort((a, b) => a - b);
  return { before, instants };
}

/** Which of the instants that show the same local time in a zone an instant is, and how many there are. */
function placeOf(epochMs: number, timeZone: string | undefined) {
  const localMs = epochMs + offsetAt(epochMs, timeZone);
  const { instants } = instantsAt(localMs, timeZone);
  return { localMs, index: instants.indexOf(epochMs), count: instants.length };
}

/**
 * An instant (ISO 8601) in a zone, as an input of date and time has it: `2026-05-01T20:00:00.000`. Behind it stands
 * whether it is the second one of a time that comes twice.
 */
export function toLocal(instant: string, timeZone: string | undefined): string {
  const { localMs, index } = placeOf(Date.parse(instant), timeZone);
  const local = new Date(localMs).toISOString().replace('Z', '');
  return `${local.replace(/(:00)?\.000$/, '')}${index > 0 ? SECOND : ''}`;
}

/** The part of `toLocal` that an input of date and time shows, and whether it is the second of a time that comes twice. */
export function splitLocal(local: string): { readonly shown: string; readonly isSecond: boolean } {
  const isSecond = local.endsWith(SECOND);
  return { shown: isSecond ? local.slice(0, -SECOND.length) : local, isSecond };
}

/** The entry for a local time that an input shows. */
export function joinLocal(shown: string, isSecond: boolean): string {
  return isSecond && shown !== '' ? `${shown}${SECOND}` : shown;
}

/**
 * The instant that a local time names; null if it is not a date and a time of day. By the rule of calendars (RFC 5545
 * §3.3.5), a time that comes twice is the first one, and one that is skipped counts with the offset before the change.
 */
export function fromLocal(local: string, timeZone: string | undefined): NamedInstant | null {
  const { shown, isSecond } = splitLocal(local);
  const localMs = Date.parse(`${shown}Z`);
  if (Number.isNaN(localMs)) return null;
  const { before, instants } = instantsAt(localMs, timeZone);
  const [first, second] = instants;
  if (first === undefined) return { instant: new Date(localMs - before).toISOString(), comes: 'skipped' };
  const chosen = isSecond ? (second ?? first) : first;
  return { instant: new Date(chosen).toISOString(), comes: second === undefined ? 'once' : 'twice' };
}

const ISO_INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?/;

/**
 * The instant (ISO 8601, in UTC) that an address names: with `Z` or an offset, otherwise as a local time of a zone; a
 * date alone is its midnight there. Null if it is none.
 */
export function instantIn(text: string, timeZone: string | undefined): string | null {
  const local = ISO_INSTANT.exec(text)?.[0];
  if (local === undefined) return null;
  const [date = '', time = '00:00'] = local.replace(',', '.').split('T');
  const localMs = Date.parse(`${date}T${time}Z`);
  // Otherwise the day is beyond the end of its month, or the hour is 24.
  if (Number.isNaN(localMs) || !new Date(localMs).toISOString().startsWith(date)) return null;
  // A plus that an address does not encode is read as a blank.
  const zone = text.slice(local.length).replace(/^ /, '+');
  if (zone === '') return fromLocal(`${date}T${time}`, timeZone)?.instant ?? null;
  if (!local.includes('T') || !/^(?:Z|[+-]\d\d:\d\d)$/i.test(zone)) return null;
  const epochMs = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(epochMs) ? null : new Date(epochMs).toISOString();
}

/**
 * What tells an instant from the other one that shows the same local time, such as `EDT` or `GMT-4`; empty if there is
 * no other one.
 */
export function zoneMark(instant: string, timeZone: string | undefined, locale: string): string {
  const epochMs = Date.parse(instant);
  const { localMs, count } = placeOf(epochMs, timeZone);
  return count > 1 ? (zoneMarks(localMs, timeZone, locale).get(epochMs) ?? '') : '';
}

/** What tells apart the instants that show a local time, by the instants (epoch ms). */
function zoneMarks(localMs: number, timeZone: string | undefined, locale: string): ReadonlyMap<number, string> {
  const { instants } = instantsAt(localMs, timeZone);
  for (const timeZoneName of ['short', 'shortOffset'] as const) {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName });
    const nameAt = (epochMs: number): string => partOf(format.formatToParts(epochMs), 'timeZoneName');
    const marks = instants.map((epochMs) => [epochMs, nameAt(epochMs)] as const);
    // Some zones have one name for both.
    if (new Set(marks.map(([, name]) => name)).size === instants.length) return new Map(marks);
  }
  return new Map();
}

/** What tells apart the two instants of a local time that comes twice, the first one first; empty: it does not. */
export function marksOf(local: string, timeZone: string | undefined, locale: string): readonly string[] {
  const localMs = Date.parse(`${splitLocal(local).shown}Z`);
  if (Number.isNaN(localMs) || instantsAt(localMs, timeZone).instants.length < 2) return [];
  return [...zoneMarks(localMs, timeZone, locale).values()];
}
