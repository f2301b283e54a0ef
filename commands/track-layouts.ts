import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { cdnKey, name, slug, uuid } from '../src/domain/fields.ts';
import { references } from '../src/domain/references.ts';
import { changedFields, eventIf, eventIfChanged, changedReference } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';

/** Kinds of circuit (SPEC.md "TrackLayout"). */
export const TRACK_TYPES = [
  'PERMANENT_ROAD',
  'PERMANENT_DIRT',
  'PERMANENT_OVAL',
  'TEMPORARY_ROAD',
  'TEMPORARY_DIRT',
  'TEMPORARY_OVAL',
  'STREET_CIRCUIT_ROAD',
  'STREET_CIRCUIT_DIRT',
  'RALLY',
] as const;

/** `lastUsage` of a layout that is still in use; any other value of it is a year. */
const STILL_IN_USE = -1;

const layout = {
  displayName: name(3, 120),
  slug: slug(2, 40),
  type: z.enum(TRACK_TYPES),
  trackId: uuid,
  /** Metres, not always whole ones. */
  length: z.number().min(1),
  firstUsage: z.int().min(0),
  lastUsage: z.int().min(STILL_IN_USE),
  cornerCount: z.int().min(0),
  cornerNames: z.array(z.string()),
  trackMap: cdnKey,
  trackImages: z.array(z.string()),
  enabled: z.boolean(),
};

const AddTrackLayoutBody = z
  .object({ ...layout, enabled: layout.enabled.default(true) })
  .meta({ id: 'AddTrackLayout' });
const ChangeTrackLayoutBody = z.object(layout).partial().meta({ id: 'ChangeTrackLayout' });

const layoutReferences = references({ trackId: 'track' });

export const trackLayoutEvents = {
  TrackLayoutAdded: eventType(z.object(layout)),
  TrackLayoutRenamed: eventType(z.object({ displayName: layout.displayName })),
  TrackLayoutSlugChanged: eventType(z.object({ slug: layout.slug })),
  TrackLayoutTypeChanged: eventType(z.object({ type: layout.type })),
  TrackLayoutMovedToTrack: eventType(z.object({ from: uuid, to: uuid })),
  TrackLayoutLengthChanged: eventType(z.object({ length: layout.length })),
  TrackLayoutUsageChanged: eventType(z.object({ firstUsage: layout.firstUsage, lastUsage: layout.lastUsage })),
  TrackLayoutCornersChanged: eventType(z.object({ cornerCount: layout.cornerCount, cornerNames: layout.cornerNames })),
  TrackLayoutImagesChanged: eventType(z.object({ trackMap: layout.trackMap, trackImages: layout.trackImages })),
  TrackLayoutEnabled: eventType(z.object({})),
  TrackLayoutDisabled: eventType(z.object({})),
};

type TrackLayout = z.output<typeof AddTrackLayoutBody>;

export type TrackLayoutCommand =
  | { readonly type: 'AddTrackLayout'; readonly data: TrackLayout }
  | { readonly type: 'ChangeTrackLayout'; readonly data: z.output<typeof ChangeTrackLayoutBody> };

export const trackLayoutDecider = decider<TrackLayout | null, TrackLayoutCommand, typeof trackLayoutEvents>({
  category: 'trackLayout',
  initial: null,
  events: trackLayoutEvents,
  evolve: {
    TrackLayoutAdded: (_, data) => data,
    TrackLayoutRenamed: mergeFields,
    TrackLayoutSlugChanged: mergeFields,
    TrackLayoutTypeChanged: mergeFields,
    TrackLayoutMovedToTrack: evolveExisting((state, { to }) => ({ ...state, trackId: to })),
    TrackLayoutLengthChanged: mergeFields,
    TrackLayoutUsageChanged: mergeFields,
    TrackLayoutCornersChanged: mergeFields,
    TrackLayoutImagesChanged: mergeFields,
    TrackLayoutEnabled: evolveExisting((state) => ({ ...state, enabled: true })),
    TrackLayoutDisabled: evolveExisting((state) => ({ ...state, enabled: false })),
  },
  decide: {
    AddTrackLayout: whenAbsent((data) => [{ type: 'TrackLayoutAdded', data }]),
    ChangeTrackLayout: whenPresent((state, change) => [
      ...eventIfChanged('TrackLayoutRenamed', changedFields(state, change, 'displayName')),
      ...eventIfChanged('TrackLayoutSlugChanged', changedFields(state, change, 'slug')),
      ...eventIfChanged('TrackLayoutTypeChanged', changedFields(state, change, 'type')),
      ...eventIfChanged('TrackLayoutMovedToTrack', changedReference(state, change, 'trackId')),
      ...eventIfChanged('TrackLayoutLengthChanged', changedFields(state, change, 'length')),
      ...eventIfChanged('TrackLayoutUsageChanged', changedFields(state, change, 'firstUsage', 'lastUsage')),
      ...eventIfChanged('TrackLayoutCornersChanged', changedFields(state, change, 'cornerCount', 'cornerNames')),
      ...eventIfChanged('TrackLayoutImagesChanged', changedFields(state, change, 'trackMap', 'trackImages')),
      ...eventIf(change.enabled === true && !state.enabled, 'TrackLayoutEnabled'),
      ...eventIf(change.enabled === false && state.enabled, 'TrackLayoutDisabled'),
    ]),
  },
});

export const addTrackLayout = bodyCommand({
  decider: trackLayoutDecider,
  body: AddTrackLayoutBody,
  references: layoutReferences,
  command: (data): TrackLayoutCommand => ({ type: 'AddTrackLayout', data }),
});

export const changeTrackLayout = bodyCommand({
  decider: trackLayoutDecider,
  body: ChangeTrackLayoutBody,
  references: layoutReferences,
  command: (data): TrackLayoutCommand => ({ type: 'ChangeTrackLayout', data }),
});
