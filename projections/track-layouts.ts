import { tracks } from './tracks.ts';
import { trackLayoutEvents } from '../commands/track-layouts.ts';
import { trackEvents } from '../commands/tracks.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** A track layout as it is shown: `length` in metres, `lastUsage` a year or -1 while in use (SPEC.md "TrackLayout"). */
export type TrackLayoutDocument = DocumentMeta & {
  readonly displayName: string;
  readonly slug: string;
  readonly type: string;
  readonly trackId: string;
  readonly trackDisplayName: string;
  readonly length: number;
  readonly firstUsage: number;
  readonly lastUsage: number;
  readonly cornerCount: number;
  readonly cornerNames: readonly string[];
  readonly trackMap: string;
  readonly trackImages: readonly string[];
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const trackLayouts = readModel<TrackLayoutDocument>('trackLayouts', {
  category: 'trackLayout',
  indexes: [['enabled', 'displayName'], ['displayName'], ['trackId']],
});

export const trackLayoutsProjection = projection(
  trackLayouts,
  { own: trackLayoutEvents, others: trackEvents },
  {
    TrackLayoutAdded: async ({ data, id, at }, look) =>
      trackLayouts.insert(id, {
        ...data,
        trackDisplayName: (await look(tracks, data.trackId))?.displayName ?? '',
        createdAt: at,
        updatedAt: at,
      }),
    TrackLayoutRenamed: ({ data, id, at }) => trackLayouts.set(id, { ...data, updatedAt: at }),
    TrackLayoutSlugChanged: ({ data, id, at }) => trackLayouts.set(id, { ...data, updatedAt: at }),
    TrackLayoutTypeChanged: ({ data, id, at }) => trackLayouts.set(id, { ...data, updatedAt: at }),
    TrackLayoutMovedToTrack: async ({ data, id, at }, look) =>
      trackLayouts.set(id, {
        trackId: data.to,
        trackDisplayName: (await look(tracks, data.to))?.displayName ?? '',
        updatedAt: at,
      }),
    TrackLayoutLengthChanged: ({ data, id, at }) => trackLayouts.set(id, { ...data, updatedAt: at }),
    TrackLayoutUsageChanged: ({ data, id, at }) => trackLayouts.set(id, { ...data, updatedAt: at }),
    TrackLayoutCornersChanged: ({ data, id, at }) => trackLayouts.set(id, { ...data, updatedAt: at }),
    TrackLayoutImagesChanged: ({ data, id, at }) => trackLayouts.set(id, { ...data, updatedAt: at }),
    TrackLayoutEnabled: ({ id, at }) => trackLayouts.set(id, { enabled: true, updatedAt: at }),
    TrackLayoutDisabled: ({ id, at }) => trackLayouts.set(id, { enabled: false, updatedAt: at }),
    TrackRenamed: ({ data, id }) => trackLayouts.setWhere('trackId', id, { trackDisplayName: data.displayName }),
  },
);
