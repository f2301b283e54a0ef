import { trackEvents } from '../commands/tracks.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** A track as it is shown (SPEC.md "Track"). */
export type TrackDocument = DocumentMeta & {
  readonly displayName: string;
  readonly alternativeNames: readonly string[];
  readonly slug: string;
  readonly logo: string;
  readonly svg: boolean;
  readonly country: string;
  readonly location: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const tracks = readModel<TrackDocument>('tracks', {
  category: 'track',
  indexes: [['enabled', 'displayName'], ['displayName']],
});

export const tracksProjection = projection(
  tracks,
  { own: trackEvents },
  {
    TrackAdded: ({ data, id, at }) => tracks.insert(id, { ...data, createdAt: at, updatedAt: at }),
    TrackRenamed: ({ data, id, at }) => tracks.set(id, { ...data, updatedAt: at }),
    TrackAlternativeNamesChanged: ({ data, id, at }) => tracks.set(id, { ...data, updatedAt: at }),
    TrackSlugChanged: ({ data, id, at }) => tracks.set(id, { ...data, updatedAt: at }),
    TrackLogoChanged: ({ data, id, at }) => tracks.set(id, { ...data, updatedAt: at }),
    TrackLocationChanged: ({ data, id, at }) => tracks.set(id, { ...data, updatedAt: at }),
    TrackEnabled: ({ id, at }) => tracks.set(id, { enabled: true, updatedAt: at }),
    TrackDisabled: ({ id, at }) => tracks.set(id, { enabled: false, updatedAt: at }),
  },
);
