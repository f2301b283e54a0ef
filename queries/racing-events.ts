import { z } from 'zod';
import { finishedAt, RacingEvent } from '../commands/racing-events.ts';
import { racingEventNames, racingEvents, type RacingEventDocument } from '../projections/racing-events.ts';
import { component } from '../src/domain/component.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { described, ofFiles } from '../src/domain/fields.ts';
import { among, during, equal } from '../src/domain/filters.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';
import { reference } from '../src/domain/references.ts';
import type { JsonObject } from '../src/kernel/json.ts';
import { eventState, eventStateAt } from './event-state.ts';

/** What everybody sees of a licence: of the one whose key scheduled an event, for example. */
export const VenueView = z
  .object({
    id: reference('license', 'The licence.'),
    displayName: described(z.string(), 'Its name for people.', EXAMPLES.license.name),
    logo: ofFiles(
      described(
        z.string().nullable(),
        'Its logo: the CDN key of an image, or an external address; null: none.',
        'LOGO/apex-arena.svg',
      ),
    ),
    accentColor: described(z.string().nullable(), 'Its colour, as `#rrggbb`; null: none.', '#e4002b'),
    timeZone: described(
      z.string().nullable(),
      'Its time zone, by its IANA name; null: not specified.',
      'Europe/Berlin',
    ),
  })
  .meta(component('Venue', 'What everybody sees of a licence.'));

export const racingEventQuery = query(racingEvents, {
  view: resourceView('Event', 'A racing event: when, on what, and with which cars, track layouts and rigs.', {
    ...withNames(RacingEvent.shape, racingEventNames),
    finishedAt,
    state: eventState,
    venue: described(VenueView.nullable(), 'The licence whose key scheduled it; null: no key did.'),
  }),
  defaultSort: 'startsAt',
  hidesDisabled: true,
  timed: {
    names: ['state'],
    changeAt: ['startsAt', '_until'],
    valuesAt: (event, now) => ({ state: eventStateAt(event, now) }),
  },
  filters: {
    simulatorId: equal('simulatorId'),
    rigId: among('rigIds'),
    mode: equal('mode'),
    at: during('startsAt', '_until', '_untilFinished'),
  },
  extend: async (event) => ({ venue: venueOf(event) }),
});

/** What everybody sees of the licence whose key scheduled an event; null: no key did. */
export function venueOf(event: RacingEventDocument): JsonObject | null {
  if (event._licenseId === null) return null;
  return {
    id: event._licenseId,
    displayName: event._venueName,
    logo: event._venueLogo,
    accentColor: event._venueAccentColor,
    timeZone: event._venueTimeZone,
  };
}
