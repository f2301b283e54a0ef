import { tracks } from './tracks.ts';
import { trackLayoutEvents, type TrackLayout } from '../commands/track-layouts.ts';
import { trackEvents } from '../commands/tracks.ts';
import { nameOf, resourceProjection, type DocumentOf, type Named } from '../src/domain/documents.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

export const trackLayoutNames = { trackId: 'trackDisplayName' } as const;

/**
 * A track layout as it is shown: `length` in metres, `lastUsage` a year or -1 while in use
 * (docs/interface.md#track-layouts).
 */
export type TrackLayoutDocument = DocumentOf<TrackLayout & Named<typeof trackLayoutNames>>;

export const trackLayouts = readModel<TrackLayoutDocument>('trackLayouts', {
  category: 'trackLayout',
  version: 3,
  indexes: [['enabled', 'displayName'], ['displayName']],
  columns: ['enabled', 'displayName', 'trackId'],
});

export const trackLayoutsProjection = resourceProjection(
  trackLayouts,
  { own: trackLayoutEvents, others: trackEvents },
  {
    TrackLayoutAdded: async ({ data, id, at }, look) => {
      const trackDisplayName = await nameOf(look(tracks, data.trackId));
      return trackLayouts.insert(id, { ...data, trackDisplayName, createdAt: at, updatedAt: at });
    },
    TrackLayoutMovedToTrack: async ({ data: { to }, id, at }, look) => {
      const trackDisplayName = await nameOf(look(tracks, to));
      return trackLayouts.set(id, { trackId: to, trackDisplayName, updatedAt: at });
    },
    TrackRenamed: ({ data, id }) => trackLayouts.setWhere('trackId', id, { trackDisplayName: data.displayName }),
  },
);
