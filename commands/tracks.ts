import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet } from '../src/service/domain/field-events.ts';
import { EXAMPLES } from '../src/service/domain/examples.ts';
import { cdnKey, country, described, enabled, list, name, slug, svg, text } from '../src/service/domain/fields.ts';
import { decider, whenAbsent, whenPresent, reject } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

/** A track: a place to race at. */
export const Track = z.object({
  displayName: described(name(3, 120), 'Name of the track.', EXAMPLES.track.name),
  alternativeNames: described(list(z.string()), 'Other names that people know it by.', ['Spa', 'Ardennes']),
  slug: described(slug(2, 20), 'Short name for addresses; no other track has it.', 'spa'),
  logo: described(cdnKey, 'CDN key of the logo.', 'TRACK/spa/logo.svg'),
  svg,
  country: described(country, 'Its country by ISO 3166-1 alpha-3.', 'BEL'),
  location: described(text(0, 120), 'Where it lies.', 'Stavelot'),
  enabled,
});
export type Track = z.output<typeof Track>;

const changes = {
  TrackRenamed: fieldsChanged(Track.pick({ displayName: true })),
  TrackAlternativeNamesChanged: fieldsChanged(Track.pick({ alternativeNames: true })),
  TrackSlugChanged: fieldsChanged(Track.pick({ slug: true })),
  TrackLogoChanged: fieldsChanged(Track.pick({ logo: true, svg: true })),
  TrackLocationChanged: fieldsChanged(Track.pick({ country: true, location: true })),
  TrackEnabled: flagSet('enabled', true),
  TrackDisabled: flagSet('enabled', false),
};
export const trackEvents = { TrackAdded: eventType(Track), ...changes };

export type TrackCommand = CommandOf<{ AddTrack: Track; ChangeTrack: PartialUpdate<Track> }>;

export const trackDecider = decider<Track | null, TrackCommand, typeof trackEvents>({
  category: 'track',
  initial: null,
  events: trackEvents,
  claim: {
    category: 'trackSlug',
    key: (state) => state?.slug ?? null,
    taken: reject('TAKEN', 'Another track has this slug.', '/slug'),
  },
  evolve: { TrackAdded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    AddTrack: whenAbsent((data) => [{ type: 'TrackAdded', data }]),
    ChangeTrack: whenPresent((track, change) => changesTo(changes, track, change)),
  },
});

export const addTrack = bodyCommand(trackDecider, 'AddTrack', {
  body: Track.extend({ svg: svg.default(false), enabled: enabled.default(true) }),
});
export const changeTrack = bodyCommand(trackDecider, 'ChangeTrack', { body: Track.partial() });
