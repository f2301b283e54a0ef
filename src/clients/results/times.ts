/** What games write for no time, in ms, is 0, less, or at least this: 999999999 (Assetto Corsa), 2147483647 (ACC). */
const NO_TIME_FROM = 999_999_999;

/** A time of a file in whole ms, rounded half up; null for a sentinel. */
export function msOf(value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  const ms = Math.floor(value + 0.5);
  return ms > 0 && ms < NO_TIME_FROM ? ms : null;
}

/** A time of iRacing, in 1/10000 s, in whole ms, rounded half up; null for a sentinel. */
export function msOfTenThousandths(value: number | null): number | null {
  return value === null ? null : msOf(value / 10);
}

/**
 * A time as text in whole ms, rounded half up; null where it is none. The text is seconds (`134.8484`), or has minutes
 * and hours before them (`1:31.207`). It is read digit by digit: as a number, 1.0005 s would be a little less.
 */
export function msOfText(text: string): number | null {
  const parts = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,9})(?:\.(\d{1,12}))?$/.exec(text.trim());
  if (parts === null) return null;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = parts;
  const thousandths = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const half = Number(fraction.charAt(3) || '0') >= 5 ? 1 : 0;
  const wholeSeconds = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return msOf(wholeSeconds * 1_000 + thousandths + half);
}
