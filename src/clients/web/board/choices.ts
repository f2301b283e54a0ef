import { delay as delayIn, id, oneOf, parameterReader, type Reader } from '../live/parameters.ts';
import { instantIn } from '../shared/local-times.ts';
import { zoneFor } from '../shared/times.ts';
import { momentOf, type View } from './timeline.ts';

/** The row that a gap is measured to. */
export type GapTo = 'leader' | 'next';

/** @param timeZone the zone of local times; undefined: the reader's own */
function asOf(timeZone: string | undefined): Reader<View> {
  return (text) => {
    const at = instantIn(text, timeZone);
    return at === null ? null : { kind: 'past', at };
  };
}

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
    view: read<View, View>('at', asOf(zoneFor(query.get('tz'))), { kind: 'live' }),
    gapTo: read('gap', oneOf<GapTo>(['leader', 'next']), 'leader'),
    /** Whether rows are shown by pages; null: on walls. */
    pages: read('pages', oneOf(['on', 'off']), null),
    /** Id of the driver whose row stays on top; null: nobody's does. */
    driver: read('driver', id, null),
    /** Whether the layouts are shown in turn. */
    areLayoutsTurning: read('layouts', oneOf(['turn']), null) === 'turn',
  };
}

/** The parameters of the address for choices; null for a parameter that is not needed. */
export function parametersOf({ layout, carClass, delay, view, gapTo, pages, driver, areLayoutsTurning }: Choices) {
  return {
    layout,
    class: carClass,
    delay: delay === 0 ? null : String(delay),
    at: momentOf(view),
    gap: gapTo === 'leader' ? null : gapTo,
    pages,
    driver,
    layouts: areLayoutsTurning ? 'turn' : null,
  };
}
