import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet, referenceMoved } from '../src/service/domain/field-events.ts';
import { EXAMPLES, reference } from '../src/service/domain/examples.ts';
import { cdnKey, described, enabled, inUnit, list, name, number, ofFiles, slug } from '../src/service/domain/fields.ts';
import { decider, whenAbsent, whenPresent } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

/** `lastUsage` of a layout that is still in use; any other value of it is a year. */
const STILL_IN_USE = -1;

/** A track layout: one of the ways round a track. */
export const TrackLayout = z.object({
  displayName: described(name(3, 120), 'Name of the layout.', EXAMPLES.trackLayout.name),
  slug: described(slug(2, 40), 'Short name for addresses.', 'spa-grand-prix'),
  type: described(
    z.enum([
      'PERMANENT_ROAD',
      'PERMANENT_DIRT',
      'PERMANENT_OVAL',
      'TEMPORARY_ROAD',
      'TEMPORARY_DIRT',
      'TEMPORARY_OVAL',
      'STREET_CIRCUIT_ROAD',
      'STREET_CIRCUIT_DIRT',
      'RALLY',
    ]),
    'Kind of the layout.',
    'PERMANENT_ROAD',
  ),
  trackId: reference('track', 'The track that it is a layout of.'),
  length: described(inUnit(number.min(1), 'm'), 'Length in metres, not always whole ones.', 7004),
  firstUsage: described(z.int().min(0), 'Year when it was first driven.', 2007),
  lastUsage: described(z.int().min(STILL_IN_USE), 'Year when it was last driven; -1: it still is.', STILL_IN_USE),
  cornerCount: described(z.int().min(0), 'Number of corners.', 19),
  cornerNames: described(list(z.string()), 'Names of the corners in order; `-` for one without.', [
    'La Source',
    'Eau Rouge',
    'Raidillon',
    '-',
  ]),
  trackMap: described(cdnKey, 'CDN key of the map.', 'TRACK/spa/grand-prix.svg'),
  trackImages: ofFiles(described(list(z.string()), 'CDN keys of pictures.', ['TRACK/spa/raidillon.jpg'])),
  enabled,
});
export type TrackLayout = z.output<typeof TrackLayout>;

const layoutReferences = { trackId: 'track' } as const;

const changes = {
  TrackLayoutRenamed: fieldsChanged(TrackLayout.pick({ displayName: true })),
  TrackLayoutSlugChanged: fieldsChanged(TrackLayout.pick({ slug: true })),
  TrackLayoutTypeChanged: fieldsChanged(TrackLayout.pick({ type: true })),
  TrackLayoutMovedToTrack: referenceMoved('trackId'),
  TrackLayoutLengthChanged: fieldsChanged(TrackLayout.pick({ length: true })),
  TrackLayoutUsageChanged: fieldsChanged(TrackLayout.pick({ firstUsage: true, lastUsage: true })),
  TrackLayoutCornersChanged: fieldsChanged(TrackLayout.pick({ cornerCount: true, cornerNames: true })),
  TrackLayoutImagesChanged: fieldsChanged(TrackLayout.pick({ trackMap: true, trackImages: true })),
  TrackLayoutEnabled: flagSet('enabled', true),
  TrackLayoutDisabled: flagSet('enabled', false),
};
export const trackLayoutEvents = { TrackLayoutAdded: eventType(TrackLayout), ...changes };

export type TrackLayoutCommand = CommandOf<{
  AddTrackLayout: TrackLayout;
  ChangeTrackLayout: PartialUpdate<TrackLayout>;
}>;

export const trackLayoutDecider = decider<TrackLayout | null, TrackLayoutCommand, typeof trackLayoutEvents>({
  category: 'trackLayout',
  initial: null,
  events: trackLayoutEvents,
  evolve: { TrackLayoutAdded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    AddTrackLayout: whenAbsent((data) => [{ type: 'TrackLayoutAdded', data }]),
    ChangeTrackLayout: whenPresent((layout, change) => changesTo(changes, layout, change)),
  },
});

export const addTrackLayout = bodyCommand(trackLayoutDecider, 'AddTrackLayout', {
  body: TrackLayout.extend({ enabled: enabled.default(true) }),
  references: layoutReferences,
});
export const changeTrackLayout = bodyCommand(trackLayoutDecider, 'ChangeTrackLayout', {
  body: TrackLayout.partial(),
  references: layoutReferences,
});
