/** To whom a row's gap is. */
export type GapTo = 'leader' | 'next';

/** What somebody has chosen to see; it is kept in the address, so that a screen can be bookmarked. */
export interface Choices {
  /** Id of the track layout; null: the first of the event. */
  readonly layout: string | null;
  /** Id of the car class; null: all. */
  readonly carClass: string | null;
  /** By how many seconds everything is held back. */
  readonly delay: number;
  /** The moment that is shown (ISO 8601); null: now. */
  readonly at: string | null;
  readonly gapTo: GapTo;
}

/** Most seconds of delay (docs/interface.md#live). */
export const MOST_DELAY = 3_600;

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads choices from the address; what makes no sense there counts as not said. */
export function readChoices(query: URLSearchParams): Choices {
  const idOf = (name: string): string | null => {
    const value = query.get(name);
    return value !== null && ID.test(value) ? value.toLowerCase() : null;
  };
  const at = Date.parse(query.get('at') ?? '');
  return {
    layout: idOf('layout'),
    carClass: idOf('class'),
    delay: wholeNumber(query.get('delay'), MOST_DELAY) ?? 0,
    at: Number.isNaN(at) ? null : new Date(at).toISOString(),
    gapTo: query.get('gap') === 'next' ? 'next' : 'leader',
  };
}

/** The parameters of the address for choices; null: none is needed. */
export function parametersOf({ layout, carClass, delay, at, gapTo }: Choices): Readonly<Record<string, string | null>> {
  return {
    layout,
    class: carClass,
    delay: delay === 0 ? null : String(delay),
    at,
    gap: gapTo === 'leader' ? null : gapTo,
  };
}

/** A whole number from 0 to `most`; null: the text is none. */
export function wholeNumber(text: string | null, most: number): number | null {
  if (text === null || !/^\d{1,6}$/.test(text)) return null;
  return Number(text) <= most ? Number(text) : null;
}
