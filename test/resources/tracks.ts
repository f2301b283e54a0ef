import { entry, of } from '../support/resources/entry.ts';

/** docs/interface.md#tracks */
export default entry('Track', 'tracks', {
  commands: ['AddTrack', 'ChangeTrack'],
  sort: 'displayName',
  hides: true,
  unique: { category: 'trackSlug', fields: ['slug'] },
  create: {
    displayName: of.names(3, 120),
    alternativeNames: of.textLists(),
    slug: of.slugs(2, 20),
    logo: of.texts(0, 255),
    svg: of.flags(false),
    country: of.countries(),
    location: of.texts(0, 120),
    enabled: of.flags(true),
  },
  events: {
    TrackAdded: 'all',
    TrackRenamed: ['displayName'],
    TrackAlternativeNamesChanged: ['alternativeNames'],
    TrackSlugChanged: ['slug'],
    TrackLogoChanged: ['logo', 'svg'],
    TrackLocationChanged: ['country', 'location'],
    TrackEnabled: { enabled: true },
    TrackDisabled: { enabled: false },
  },
});
