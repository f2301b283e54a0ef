/** The least number of ms that is no time (docs/interface.md#leaderboards). */
const NO_TIME_FROM = 2_147_483_647;

/** Whether a time of a lap or a sector, in ms, was measured. */
export function isMeasured(ms: number): boolean {
  return ms > 0 && ms < NO_TIME_FROM;
}

/** Shown for a time that was not measured, or for no time. */
export const NO_TIME = '–';

/** A lap or sector time: `1:23.456`, `58.120`, `1:02:03.004`; whole minutes are left out below one minute. */
export function lapTime(ms: number | null): string {
  if (ms === null || !isMeasured(ms)) return NO_TIME;
  const whole = Math.floor(ms / 1_000);
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor(whole / 60) % 60;
  const seconds = whole % 60;
  const fraction = String(ms % 1_000).padStart(3, '0');
  const two = (value: number): string => String(value).padStart(2, '0');
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds)}.${fraction}`;
  return minutes > 0 ? `${minutes}:${two(seconds)}.${fraction}` : `${seconds}.${fraction}`;
}

/** Why a text is no time of a lap or a sector. */
export type TimeFault = 'form' | 'seconds' | 'minutes' | 'decimals';

export type ReadTime = { readonly ms: number } | { readonly fault: TimeFault };

/** Hours and minutes, if there are any, seconds, and decimals of a second. */
const CLOCK = /^(?:(?:(\d+):)?(\d+):)?(\d+)(?:[.,](\d+))?$/;

/**
 * Reads a time as people type it: `2:17.450`, `1:02:03.004`, `137.45` or `75` in seconds, `137450 ms` in milliseconds.
 * The decimal sign is a point or a comma. After minutes, seconds end at 59; after hours, minutes do.
 */
export function readTime(text: string): ReadTime {
  const typed = text.trim();
  const milliseconds = /^(\d+) ?ms$/i.exec(typed)?.[1];
  if (milliseconds !== undefined) return exactly(Number(milliseconds));
  const parts = CLOCK.exec(/^[\d.,]+ ?s$/i.test(typed) ? typed.slice(0, -1).trim() : typed);
  if (parts === null) return { fault: 'form' };
  const [, hours, minutes, seconds = '', decimals = ''] = parts;
  if (minutes !== undefined && !isSixtieth(seconds)) return { fault: 'seconds' };
  if (hours !== undefined && minutes !== undefined && !isSixtieth(minutes)) return { fault: 'minutes' };
  if (decimals.length > 3) return { fault: 'decimals' };
  const wholeSeconds = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds);
  return exactly(wholeSeconds * 1_000 + Number(decimals.padEnd(3, '0')));
}

/** Whether digits after a colon are 0 to 59. */
function isSixtieth(digits: string): boolean {
  return digits.length <= 2 && Number(digits) < 60;
}

function exactly(ms: number): ReadTime {
  return Number.isSafeInteger(ms) ? { ms } : { fault: 'form' };
}

/**
 * Reads a list of times. Blanks, line breaks and semicolons separate them, and so does a comma with a blank beside it.
 * A comma between two digits is a decimal sign, unless each time has a point or a unit of its own: `58.1,59.2`.
 */
export function readTimes(text: string): readonly ReadTime[] {
  const pieces = text.replaceAll(/(\d)\s+(m?s)\b/gi, '$1$2').split(/[\s;]+/);
  return pieces
    .map((piece) => piece.replace(/^,/, '').replace(/,$/, ''))
    .filter((piece) => piece !== '')
    .flatMap((piece) => {
      const parts = piece.split(',');
      const areTimes = parts.every((part) => part.includes('.') || /s$/i.test(part));
      return (areTimes ? parts : [piece]).map(readTime);
    });
}

/** The number that a plain decimal names, with a point or a comma; undefined: it is none, or no number holds it exactly. */
export function numberIn(text: string): number | undefined {
  const typed = text.trim();
  if (!/^-?\d+(?:[.,]\d+)?$/.test(typed)) return undefined;
  const number = Number(typed.replace(',', '.'));
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

/** A time in ms without its fraction of a second; clocks may differ, so it is not below 0. */
export function wholeSeconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1_000) * 1_000);
}

/** A duration in ms: `41 ms`, `4.7 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${tenths / 10} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A gap: `+0.123`; empty for the leader, who has none. */
export function gap(ms: number | null): string {
  if (ms === null) return '';
  return `+${ms === 0 ? '0.000' : lapTime(ms)}`;
}

/** The IANA time zone of this name (`?tz=Europe/Berlin`); undefined: none, or one that this browser does not know. */
export function zoneFor(requested: string | null): string | undefined {
  if (requested === null) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: requested }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
