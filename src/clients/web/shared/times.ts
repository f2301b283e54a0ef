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
  const [hours, minutes, seconds] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const fraction = String(ms % 1_000).padStart(3, '0');
  const two = (value: number): string => String(value).padStart(2, '0');
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds)}.${fraction}`;
  return minutes > 0 ? `${minutes}:${two(seconds)}.${fraction}` : `${seconds}.${fraction}`;
}

/** The ms of a time as `lapTime` shows it, or of a plain number of ms: `2:17.450`, `58.12`, `137450`; undefined: none. */
export function timeIn(text: string): number | undefined {
  const parts = /^(?:(?:(\d+):)?(\d{1,2}):)?(\d{1,2})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (parts === null || /^\d*$/.test(text.trim())) return text.trim() === '' ? undefined : numberIn(text);
  const [, hours = '0', minutes = '0', seconds = '', fraction = ''] = parts;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(fraction.padEnd(3, '0'));
}

export function numberIn(text: string): number | undefined {
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
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

/** The IANA time zone in the address (`?tz=Europe/Berlin`); undefined: the reader's own. */
export function zoneFor(wanted: string | null): string | undefined {
  if (wanted === null) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: wanted }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
