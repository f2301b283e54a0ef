import { expect } from 'chai';
import { trackEvents } from '../../commands/tracks.ts';
import { tracks, tracksProjection } from '../../projections/tracks.ts';
import { itFollows } from '../support/event-store/following.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const spa = {
  displayName: 'Spa-Francorchamps',
  alternativeNames: ['Spa'],
  slug: 'spa',
  logo: 'TRACK/spa.png',
  svg: false,
  country: 'BEL',
  location: 'Stavelot',
  enabled: true,
};
const moved = { country: 'LUX', location: 'Vianden' };
const added = { stream: 'track-1', type: 'TrackAdded', data: spa };

describe('tracks projection', () => {
  it('shows a new track', async () => {
    const { thenDocument } = await givenHistory([tracksProjection], added);
    expect(await thenDocument(tracks, '1')).to.deep.equal({
      id: '1',
      ...spa,
      createdAt: minute(0),
      updatedAt: minute(0),
      _created: 1,
      _position: 1,
      _revision: 0,
    });
  });

  itFollows({
    projections: [tracksProjection],
    model: tracks,
    born: [added],
    events: trackEvents,
    created: 'TrackAdded',
    changes: {
      TrackRenamed: { data: { displayName: 'Spa' }, shows: { displayName: 'Spa' } },
      TrackAlternativeNamesChanged: { data: { alternativeNames: [] }, shows: { alternativeNames: [] } },
      TrackSlugChanged: { data: { slug: 'spa-gp' }, shows: { slug: 'spa-gp' } },
      TrackLogoChanged: { data: { logo: 'TRACK/spa.svg', svg: true }, shows: { logo: 'TRACK/spa.svg', svg: true } },
      TrackLocationChanged: { data: moved, shows: moved },
      TrackDisabled: { data: {}, shows: { enabled: false } },
      TrackEnabled: { data: {}, shows: { enabled: true } },
    },
  });
});
