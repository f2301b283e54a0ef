import { delay as delayIn, id, oneOf, parameterReader, type Reader } from '../live/parameters.ts';
import { momentOf, type View } from './timeline.ts';

/** The row that a gap is measured to. */
export type GapTo = 'leader' | 'next';

const asOf: Reader<View> = (text) =>
  Number.isNaN(Date.parse(text)) ? null : { kind: 'past', at: new Date(text).toISOString() };

/** What the viewer has chosen to see; it is kept in the address, so that it can be bookmarked. */
export type Choices = Readonly<ReturnType<typeof readChoices>>;

export function readChoices(query: URLSearchParams) {
  const read = parameterReader(query);
  return {
    /** Id of the track layout; null: the first of the event. */
    layout: read('layout', id, null),
    /** Id of the car class; null: all. */
    carClass: read('class', id, null),
    /** Seconds by which everything is delayed. */
    delay: read('delay', delayIn, 0),
    view: read<View, View>('at', asOf, { kind: 'live' }),
    gapTo: read('gap', oneOf<GapTo>(['leader', 'next']), 'leader'),
  };
}

/** The parameters of the address for choices; null for a parameter that is not needed. */
export function parametersOf({ layout, carClass, delay, view, gapTo }: Choices) {
  return {
    layout,
    class: carClass,
    delay: delay === 0 ? null : String(delay),
    at: momentOf(view),
    gap: gapTo === 'leader' ? null : gapTo,
  };
}
