import { expect } from 'chai';
import { addTrack, changeTrack, trackDecider } from '../../commands/tracks.ts';
import { bodies, letters } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const spa = {
  displayName: 'Spa-Francorchamps',
  alternativeNames: ['Spa'],
  slug: 'spa',
  logo: 'TRACK/spa.svg',
  svg: true,
  country: 'BEL',
  location: 'Stavelot',
  enabled: true,
};
const added = happened('TrackAdded', spa);

describe('track', () => {
  it('is added', () => {
    given(trackDecider).when({ type: 'AddTrack', data: spa }).then(added);
  });

  it('says what changed, and only that', () => {
    given(trackDecider, added)
      .when({
        type: 'ChangeTrack',
        data: { ...spa, displayName: 'Spa', alternativeNames: [], slug: 'spa-gp', svg: false, location: 'Malmedy' },
      })
      .then(
        happened('TrackRenamed', { displayName: 'Spa' }),
        happened('TrackAlternativeNamesChanged', { alternativeNames: [] }),
        happened('TrackSlugChanged', { slug: 'spa-gp' }),
        happened('TrackLogoChanged', { logo: spa.logo, svg: false }),
        happened('TrackLocationChanged', { country: 'BEL', location: 'Malmedy' }),
      );
  });

  it('replaces the alternative names as a whole', () => {
    given(trackDecider, added)
      .when({ type: 'ChangeTrack', data: { alternativeNames: ['Francorchamps'] } })
      .then(happened('TrackAlternativeNamesChanged', { alternativeNames: ['Francorchamps'] }));
  });

  it('records nothing when nothing changes', () => {
    given(trackDecider, added)
      .when({ type: 'ChangeTrack', data: { ...spa, alternativeNames: ['Spa'] } })
      .thenNothing();
    given(trackDecider, added).when({ type: 'ChangeTrack', data: {} }).thenNothing();
  });

  it('is disabled once, and enabled again', () => {
    const disabled = happened('TrackDisabled');
    given(trackDecider, added)
      .when({ type: 'ChangeTrack', data: { enabled: false } })
      .then(disabled);
    given(trackDecider, added, disabled)
      .when({ type: 'ChangeTrack', data: { enabled: false } })
      .thenNothing();
    given(trackDecider, added, disabled)
      .when({ type: 'ChangeTrack', data: { enabled: true } })
      .then(happened('TrackEnabled'));
  });

  it('cannot be changed before it exists', () => {
    given(trackDecider)
      .when({ type: 'ChangeTrack', data: { slug: 'spa' } })
      .thenRejected('NOT_FOUND');
  });

  it('holds its slug, disabled or not', () => {
    const { claim } = trackDecider;
    expect(claim?.category).to.equal('trackSlug');
    expect(claim?.key(null)).to.equal(null);
    expect(claim?.key(spa)).to.equal('spa');
    expect(claim?.key({ ...spa, slug: 'Spa', enabled: false })).to.equal('Spa');
    expect(claim?.taken.code).to.equal('TAKEN');
    expect(claim?.taken.faults.map(({ pointer }) => pointer)).to.deep.equal(['/slug']);
  });
});

describe('track bodies', () => {
  const { takes, refuses, takesLengths, needsOnly } = bodies(addTrack, changeTrack, spa);

  it('leave out what has a default', () => {
    const { svg: _svg, enabled: _enabled, ...needed } = spa;
    expect(addTrack.body.parse({ ...needed, length: 7004 })).to.deep.equal({ ...needed, svg: false, enabled: true });
    needsOnly('displayName', 'alternativeNames', 'slug', 'logo', 'country', 'location');
  });

  it('hold every field to its bounds', () => {
    takesLengths('displayName', 3, 120);
    takesLengths('slug', 2, 20);
    takesLengths('logo', 0, 255);
    takesLengths('country', 3, 3);
    takesLengths('location', 0, 120);
    takes('slug', 'Az09._~-');
    refuses('slug', 'a b', 'a/b', 'spä', null);
    takes('alternativeNames', [], [''], [letters(500), 'Circuit de Spa']);
    refuses('alternativeNames', null, 'Spa', [null], [1]);
    refuses('displayName', '    ', null, 12);
    refuses('logo', null);
    refuses('country', 'B3L', 'BÉL', null);
    refuses('location', null);
    refuses('svg', null, 'true', 1);
    refuses('enabled', null, 'true', 1);
  });
});
