export type View =
  | { readonly kind: 'live' }
  /** As it was at an instant (ISO 8601). */
  | { readonly kind: 'past'; readonly at: string }
  | { readonly kind: 'replay'; readonly from: string; readonly speed: number }
  /** A replay that is paused at an instant. */
  | { readonly kind: 'paused'; readonly at: string; readonly speed: number };

export const SPEEDS: readonly number[] = [1, 2, 5, 10, 20, 60];

/** The instant (ISO 8601) with which a view is bookmarked; null: now. */
export function momentOf(view: View): string | null {
  if (view.kind === 'live') return null;
  return view.kind === 'replay' ? view.from : view.at;
}

/** The index of the last of some moments (ISO 8601, the earliest first) until an instant; 0: there is none. */
export function placeOf(moments: readonly string[], at: string): number {
  return Math.max(
    moments.findLastIndex((moment) => moment <= at),
    0,
  );
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
