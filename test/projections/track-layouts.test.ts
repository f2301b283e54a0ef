import { expect } from 'chai';
import { trackLayoutEvents } from '../../commands/track-layouts.ts';
import { trackLayouts, trackLayoutsProjection } from '../../projections/track-layouts.ts';
import { tracksProjection } from '../../projections/tracks.ts';
import { itFollows } from '../support/event-store/following.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const SPA = '00000000-0000-7000-8000-0000000000a1';
const ZOLDER = '00000000-0000-7000-8000-0000000000a2';
const GROUP = [tracksProjection, trackLayoutsProjection];

const trackAdded = (id: string, displayName: string) => ({
  stream: `track-${id}`,
  type: 'TrackAdded',
  data: {
    displayName,
    alternativeNames: [],
    slug: 'slug',
    logo: '',
    svg: false,
    country: 'BEL',
    location: '',
    enabled: true,
  },
});
const layout = {
  displayName: 'Grand Prix',
  slug: 'gp',
  type: 'PERMANENT_ROAD',
  trackId: SPA,
  length: 7004,
  firstUsage: 2007,
  lastUsage: -1,
  cornerCount: 2,
  cornerNames: ['La Source', '-'],
  trackMap: 'TRACK/spa-gp.svg',
  trackImages: ['TRACK/spa-1.jpg'],
  enabled: true,
};
const layoutAdded = (stream: string, trackId = SPA) => ({
  stream,
  type: 'TrackLayoutAdded',
  data: { ...layout, trackId },
});
const history = [trackAdded(SPA, 'Spa'), trackAdded(ZOLDER, 'Zolder'), layoutAdded('trackLayout-1')];
const shown = {
  id: '1',
  ...layout,
  trackDisplayName: 'Spa',
  createdAt: minute(2),
  updatedAt: minute(2),
  _created: 3,
  _position: 3,
  _revision: 0,
};
const corners = { cornerCount: 1, cornerNames: ['-'] };
const images = { trackMap: 'TRACK/spa.svg', trackImages: [] };

describe('track layouts projection', () => {
  it('shows a new layout with the name of its track', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history);
    expect(await thenDocument(trackLayouts, '1')).to.deep.equal(shown);
  });

  itFollows({
    projections: GROUP,
    model: trackLayouts,
    born: history,
    events: trackLayoutEvents,
    created: 'TrackLayoutAdded',
    changes: {
      TrackLayoutRenamed: { data: { displayName: 'Endurance' }, shows: { displayName: 'Endurance' } },
      TrackLayoutSlugChanged: { data: { slug: 'endurance' }, shows: { slug: 'endurance' } },
      TrackLayoutTypeChanged: { data: { type: 'RALLY' }, shows: { type: 'RALLY' } },
      TrackLayoutMovedToTrack: {
        data: { from: SPA, to: ZOLDER },
        shows: { trackId: ZOLDER, trackDisplayName: 'Zolder' },
      },
      TrackLayoutLengthChanged: { data: { length: 6968.5 }, shows: { length: 6968.5 } },
      TrackLayoutUsageChanged: {
        data: { firstUsage: 1981, lastUsage: 2006 },
        shows: { firstUsage: 1981, lastUsage: 2006 },
      },
      TrackLayoutCornersChanged: { data: corners, shows: corners },
      TrackLayoutImagesChanged: { data: images, shows: images },
      TrackLayoutDisabled: { data: {}, shows: { enabled: false } },
      TrackLayoutEnabled: { data: {}, shows: { enabled: true } },
    },
  });

  it('shows the new name of a track on its layouts alone', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history, layoutAdded('trackLayout-2', ZOLDER), {
      stream: `track-${SPA}`,
      type: 'TrackRenamed',
      data: { displayName: 'Spa-Francorchamps' },
    });
    expect(await thenDocument(trackLayouts, '1')).to.deep.equal({
      ...shown,
      trackDisplayName: 'Spa-Francorchamps',
      _position: 5,
    });
    expect(await thenDocument(trackLayouts, '2')).to.include({ trackDisplayName: 'Zolder', _position: 4 });
  });

  it('follows the name of the track that a layout moved to, not of the one it left', async () => {
    const { thenDocument } = await givenHistory(
      GROUP,
      ...history,
      { stream: `track-${ZOLDER}`, type: 'TrackRenamed', data: { displayName: 'Circuit Zolder' } },
      { stream: 'trackLayout-1', type: 'TrackLayoutMovedToTrack', data: { from: SPA, to: ZOLDER } },
      { stream: `track-${SPA}`, type: 'TrackRenamed', data: { displayName: 'Spa-Francorchamps' } },
    );
    expect(await thenDocument(trackLayouts, '1')).to.include({
      trackDisplayName: 'Circuit Zolder',
      _position: 5,
      _revision: 1,
    });
  });
});
