import { entry, of } from '../support/resources/entry.ts';

const ROADS = ['PERMANENT_ROAD', 'PERMANENT_DIRT', 'PERMANENT_OVAL', 'TEMPORARY_ROAD', 'TEMPORARY_DIRT'];
const KINDS = [...ROADS, 'TEMPORARY_OVAL', 'STREET_CIRCUIT_ROAD', 'STREET_CIRCUIT_DIRT', 'RALLY'];

/** docs/interface.md#track-layouts */
export default entry('TrackLayout', 'track-layouts', {
  commands: ['AddTrackLayout', 'ChangeTrackLayout'],
  sort: 'displayName',
  hides: true,
  filters: { trackId: 'trackId' },
  create: {
    displayName: of.names(3, 120),
    slug: of.slugs(2, 40),
    type: of.choices(KINDS),
    trackId: of.references('Track', { trackDisplayName: 'displayName' }),
    length: of.numbers(1),
    firstUsage: of.wholeNumbers(0),
    lastUsage: of.wholeNumbers(-1),
    cornerCount: of.wholeNumbers(0),
    cornerNames: of.textLists(),
    trackMap: of.texts(0, 255),
    trackImages: of.textLists(),
    minLapTime: of.nullable(of.wholeNumbers(1)),
    enabled: of.flags(true),
  },
  events: {
    TrackLayoutAdded: 'all',
    TrackLayoutRenamed: ['displayName'],
    TrackLayoutSlugChanged: ['slug'],
    TrackLayoutTypeChanged: ['type'],
    TrackLayoutMovedToTrack: { moves: 'trackId' },
    TrackLayoutLengthChanged: ['length'],
    TrackLayoutUsageChanged: ['firstUsage', 'lastUsage'],
    TrackLayoutCornersChanged: ['cornerCount', 'cornerNames'],
    TrackLayoutImagesChanged: ['trackMap', 'trackImages'],
    TrackLayoutMinLapTimeChanged: ['minLapTime'],
    TrackLayoutEnabled: { enabled: true },
    TrackLayoutDisabled: { enabled: false },
  },
  more: { 'GET /{}/leaderboard': 'public' },
});
