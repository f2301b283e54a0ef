import { delay as delayIn, id, oneOf, parameterReader } from '../live/parameters.ts';

/** The row that a gap is measured to. */
export type GapTo = 'leader' | 'next';

/** What the viewer has chosen to see; it is kept in the address, so that it can be bookmarked. */
export type Choices = Readonly<ReturnType<typeof readChoices>>;

export function readChoices(query: URLSearchParams) {
  const read = parameterReader(query);
  const at = Date.parse(query.get('at') ?? '');
  return {
    /** Id of the track layout; null: the first of the event. */
    layout: read('layout', id, null),
    /** Id of the car class; null: all. */
    carClass: read('class', id, null),
    /** Seconds by which everything is delayed. */
    delay: read('delay', delayIn, 0),
    /** The moment that is shown (ISO 8601); null: now. */
    at: Number.isNaN(at) ? null : new Date(at).toISOString(),
    gapTo: read('gap', oneOf<GapTo>(['leader', 'next']), 'leader'),
  };
}

/** The parameters of the address for choices; null for a parameter that is not needed. */
export function parametersOf({ layout, carClass, delay, at, gapTo }: Choices): Readonly<Record<string, string | null>> {
  return {
    layout,
    class: carClass,
    delay: delay === 0 ? null : String(delay),
    at,
    gap: gapTo === 'leader' ? null : gapTo,
  };
}
