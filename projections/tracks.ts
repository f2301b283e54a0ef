import { trackEvents, type Track } from '../commands/tracks.ts';
import { resourceProjection, type DocumentOf } from '../src/domain/documents.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

export type TrackDocument = DocumentOf<Track>;

export const tracks = readModel<TrackDocument>('tracks', {
  category: 'track',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const tracksProjection = resourceProjection(
  tracks,
  { own: trackEvents },
  { TrackAdded: ({ data, id, at }) => tracks.insert(id, { ...data, createdAt: at, updatedAt: at }) },
);
