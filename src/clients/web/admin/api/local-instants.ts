/** Minutes that a zone is ahead of UTC at an instant; undefined: the reader's own zone. */
function aheadOfUtc(epochMs: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(epochMs);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return Math.round((shown - epochMs) / 60_000);
}

/** An instant (ISO 8601) in a zone, as an input of date and time has it: `2026-05-01T20:00:00.000`. */
export function toLocal(instant: string, timeZone: string | undefined): string {
  const epochMs = Date.parse(instant);
  const local = new Date(epochMs + aheadOfUtc(epochMs, timeZone) * 60_000).toISOString();
  return local.replace('Z', '').replace(/(:00)?\.000$/, '');
}

/** The instant, in UTC, that an input of date and time names; null if it is not a date. */
export function fromLocal(local: string, timeZone: string | undefined): string | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  // The offset at that instant; the first guess may be on the other side of a clock change.
  const guess = asUtc - aheadOfUtc(asUtc, timeZone) * 60_000;
  return new Date(asUtc - aheadOfUtc(guess, timeZone) * 60_000).toISOString();
}
