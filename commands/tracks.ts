import { z } from 'zod';
import { additionOf, catalogueDecider, changeOf, logoDefaults } from '../src/domain/catalogue.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { bodyOf, Flag, listOf, Text } from '../src/domain/facts.ts';
import { fieldsChanged, flagSet } from '../src/domain/field-events.ts';
import { cdnKey, country, described, enabled, list, name, slug, svg, text, textItem } from '../src/domain/fields.ts';
import { reject } from '../src/kernel/aggregate/rejection.ts';
import { eventType } from '../src/kernel/event-types.ts';

const TrackAdded = z.object({
  displayName: Text,
  alternativeNames: listOf(Text),
  slug: Text,
  logo: Text,
  svg: Flag,
  country: Text,
  location: Text,
  enabled: Flag,
});
export type Track = z.output<typeof TrackAdded>;

export const trackEvents = {
  TrackAdded: eventType(TrackAdded),
  TrackRenamed: fieldsChanged(TrackAdded, 'displayName'),
  TrackAlternativeNamesChanged: fieldsChanged(TrackAdded, 'alternativeNames'),
  TrackSlugChanged: fieldsChanged(TrackAdded, 'slug'),
  TrackLogoChanged: fieldsChanged(TrackAdded, 'logo', 'svg'),
  TrackLocationChanged: fieldsChanged(TrackAdded, 'country', 'location'),
  TrackEnabled: flagSet('enabled', true),
  TrackDisabled: flagSet('enabled', false),
};

export const trackDecider = catalogueDecider('track', trackEvents, {
  added: 'TrackAdded',
  claim: {
    category: 'trackSlug',
    key: (state) => state?.slug ?? null,
    taken: reject('TAKEN', 'Another track has this slug.', '/slug'),
  },
});

export const Track = bodyOf(TrackAdded, {
  displayName: described(name(3, 120), 'Name of the track.', EXAMPLES.track.name),
  alternativeNames: described(list(textItem), 'Other names of the track.', ['Spa', 'Ardennes']),
  slug: described(slug(2, 20), 'Short name for URLs; no other track has it.', 'spa'),
  logo: described(cdnKey, 'CDN key of the logo.', 'TRACK/spa/logo.svg'),
  svg,
  country: described(country, 'Its country, ISO 3166-1 alpha-3.', 'BEL'),
  location: described(text(0, 120), 'Where it is.', 'Stavelot'),
  enabled,
});

export const addTrack = additionOf('AddTrack', Track.extend(logoDefaults));
export const changeTrack = changeOf('ChangeTrack', Track.partial());
