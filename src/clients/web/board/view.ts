/** Which time a board shows. */
export type View =
  | { readonly kind: 'live' }
  /** As it was at an instant (ISO 8601). */
  | { readonly kind: 'past'; readonly at: string }
  | { readonly kind: 'replay'; readonly from: string; readonly speed: number }
  /** A replay that has stopped at an instant. */
  | { readonly kind: 'paused'; readonly at: string; readonly speed: number };

/** Speeds of a replay. */
export const SPEEDS: readonly number[] = [1, 2, 5, 10, 20, 60];

/** The instant (ISO 8601) that a view is bookmarked with; null: now. */
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
