import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { cdnKey, country, name, slug, text } from '../src/domain/fields.ts';
import { changedFields, eventIf, eventIfChanged } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';
import { reject } from '../src/kernel/aggregate/rejections.ts';

const track = {
  displayName: name(3, 120),
  alternativeNames: z.array(z.string()),
  slug: slug(2, 20),
  logo: cdnKey,
  svg: z.boolean(),
  country,
  location: text(0, 120),
  enabled: z.boolean(),
};

const AddTrackBody = z
  .object({ ...track, svg: track.svg.default(false), enabled: track.enabled.default(true) })
  .meta({ id: 'AddTrack' });
const ChangeTrackBody = z.object(track).partial().meta({ id: 'ChangeTrack' });

export const trackEvents = {
  TrackAdded: eventType(z.object(track)),
  TrackRenamed: eventType(z.object({ displayName: track.displayName })),
  TrackAlternativeNamesChanged: eventType(z.object({ alternativeNames: track.alternativeNames })),
  TrackSlugChanged: eventType(z.object({ slug: track.slug })),
  TrackLogoChanged: eventType(z.object({ logo: track.logo, svg: track.svg })),
  TrackLocationChanged: eventType(z.object({ country, location: track.location })),
  TrackEnabled: eventType(z.object({})),
  TrackDisabled: eventType(z.object({})),
};

type Track = z.output<typeof AddTrackBody>;

export type TrackCommand =
  | { readonly type: 'AddTrack'; readonly data: Track }
  | { readonly type: 'ChangeTrack'; readonly data: z.output<typeof ChangeTrackBody> };

export const trackDecider = decider<Track | null, TrackCommand, typeof trackEvents>({
  category: 'track',
  initial: null,
  events: trackEvents,
  claim: {
    category: 'trackSlug',
    key: (state) => state?.slug ?? null,
    taken: reject('TAKEN', 'Another track has this slug.', '/slug'),
  },
  evolve: {
    TrackAdded: (_, data) => data,
    TrackRenamed: mergeFields,
    TrackAlternativeNamesChanged: mergeFields,
    TrackSlugChanged: mergeFields,
    TrackLogoChanged: mergeFields,
    TrackLocationChanged: mergeFields,
    TrackEnabled: evolveExisting((state) => ({ ...state, enabled: true })),
    TrackDisabled: evolveExisting((state) => ({ ...state, enabled: false })),
  },
  decide: {
    AddTrack: whenAbsent((data) => [{ type: 'TrackAdded', data }]),
    ChangeTrack: whenPresent((state, change) => [
      ...eventIfChanged('TrackRenamed', changedFields(state, change, 'displayName')),
      ...eventIfChanged('TrackAlternativeNamesChanged', changedFields(state, change, 'alternativeNames')),
      ...eventIfChanged('TrackSlugChanged', changedFields(state, change, 'slug')),
      ...eventIfChanged('TrackLogoChanged', changedFields(state, change, 'logo', 'svg')),
      ...eventIfChanged('TrackLocationChanged', changedFields(state, change, 'country', 'location')),
      ...eventIf(change.enabled === true && !state.enabled, 'TrackEnabled'),
      ...eventIf(change.enabled === false && state.enabled, 'TrackDisabled'),
    ]),
  },
});

export const addTrack = bodyCommand({
  decider: trackDecider,
  body: AddTrackBody,
  command: (data): TrackCommand => ({ type: 'AddTrack', data }),
});

export const changeTrack = bodyCommand({
  decider: trackDecider,
  body: ChangeTrackBody,
  command: (data): TrackCommand => ({ type: 'ChangeTrack', data }),
});
