import { trackEvents, type Track } from '../commands/tracks.ts';
import { sets, type DocumentOf } from '../src/service/domain/documents.ts';
import { projection, readModel } from '../src/service/kernel/projection/projection.ts';

/** A track as it is shown (docs/interface.md#tracks). */
export type TrackDocument = DocumentOf<Track>;

export const tracks = readModel<TrackDocument>('tracks', {
  category: 'track',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const tracksProjection = projection(
  tracks,
  { own: trackEvents },
  {
    TrackAdded: ({ data, id, at }) => tracks.insert(id, { ...data, createdAt: at, updatedAt: at }),
    TrackRenamed: sets(tracks),
    TrackAlternativeNamesChanged: sets(tracks),
    TrackSlugChanged: sets(tracks),
    TrackLogoChanged: sets(tracks),
    TrackLocationChanged: sets(tracks),
    TrackEnabled: sets(tracks, { enabled: true }),
    TrackDisabled: sets(tracks, { enabled: false }),
  },
);
