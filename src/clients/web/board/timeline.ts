/** The time that a board shows. */
export type View =
  | { readonly kind: 'live' }
  /** As it was at an instant (ISO 8601). */
  | { readonly kind: 'past'; readonly at: string }
  | { readonly kind: 'replay'; readonly from: string; readonly speed: number }
  /** A replay that is paused at an instant. */
  | { readonly kind: 'paused'; readonly at: string; readonly speed: number };

/** Speeds of a replay. */
export const SPEEDS: readonly number[] = [1, 2, 5, 10, 20, 60];

/** The instant (ISO 8601) with which a view is bookmarked; null: now. */
export function momentOf(view: View): string | null {
  switch (view.kind) {
    case 'live':
      return null;
    case 'replay':
      return view.from;
    case 'past':
    case 'paused':
      return view.at;
  }
}

/** A span of time, in ms since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Steps of a slider, in ms: from a second to a day. */
const STEPS_MS = [1, 2, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400].map((seconds) => seconds * 1_000);

/** Most steps of a slider, unless they are days. */
const MOST_STEPS = 1_000;

/**
 * The span of the slider: from the start of the event, or from its first lap if that was earlier, until now.
 * @param begins instants (ISO 8601); null: not known
 * @returns null when nothing has begun yet
 */
export function spanOf(begins: readonly (string | null)[], now: number): Span | null {
  const known = begins.flatMap((begin) => (begin === null ? [] : [Date.parse(begin)]));
  const from = Math.min(...known.filter((begin) => begin < now));
  return Number.isFinite(from) ? { from, to: now } : null;
}

/** The step, in ms, of a slider over a span: fine, but not too fine for the keyboard. */
export function stepOf({ from, to }: Span): number {
  return STEPS_MS.find((step) => (to - from) / step <= MOST_STEPS) ?? Math.max(...STEPS_MS);
}

/** The instant (ISO 8601) of a position of the slider, kept within its span. */
export function instantAt({ from, to }: Span, place: number): string {
  return new Date(Math.min(Math.max(place, from), to)).toISOString();
}

/** The clock of a replay: it showed the instant `shown` at the page's time `since`, both in ms, and runs at `speed`. */
export interface ReplayClock {
  readonly shown: number;
  readonly since: number;
  readonly speed: number;
}

/** The instant, in ms, that a replay has reached; never later than the present. */
export function replayedAt({ shown, since, speed }: ReplayClock, now: number): number {
  return Math.min(shown + (now - since) * speed, now);
}

/**
 * The clock of a replay.
 * @param newest time of the newest event received (ISO 8601; null: there was none), and when it arrived; null: nothing
 *   has arrived yet
 */
export function replayClock(
  { from, speed }: { readonly from: string; readonly speed: number },
  newest: { readonly happened: string | null; readonly cameAt: number } | null,
): ReplayClock | null {
  if (newest === null) return null;
  // The first board is that of the start, and holds events from before it.
  const shown = Math.max(Date.parse(from), Date.parse(newest.happened ?? from));
  return { shown, since: newest.cameAt, speed };
}
