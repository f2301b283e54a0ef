import { expect } from 'chai';
import { addTrackLayout, changeTrackLayout, TrackLayout, trackLayoutDecider } from '../../commands/track-layouts.ts';
import { bodies, letters } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const SPA = '00000000-0000-7000-8000-0000000000a1';
const ZOLDER = '00000000-0000-7000-8000-0000000000a2';

const layout = {
  displayName: 'Grand Prix',
  slug: 'gp',
  type: 'PERMANENT_ROAD' as const,
  trackId: SPA,
  length: 7004,
  firstUsage: 2007,
  lastUsage: -1,
  cornerCount: 2,
  cornerNames: ['La Source', '-'],
  trackMap: 'TRACK/gp.svg',
  trackImages: ['TRACK/1.jpg'],
  enabled: true,
};
const added = happened('TrackLayoutAdded', layout);

describe('track layout', () => {
  it('is added', () => {
    given(trackLayoutDecider).when({ type: 'AddTrackLayout', data: layout }).then(added);
  });

  it('says what it is now', () => {
    given(trackLayoutDecider, added)
      .when({
        type: 'ChangeTrackLayout',
        data: { displayName: 'Rally', slug: 'rally', type: 'RALLY', trackId: ZOLDER },
      })
      .then(
        happened('TrackLayoutRenamed', { displayName: 'Rally' }),
        happened('TrackLayoutSlugChanged', { slug: 'rally' }),
        happened('TrackLayoutTypeChanged', { type: 'RALLY' }),
        happened('TrackLayoutMovedToTrack', { from: SPA, to: ZOLDER }),
      );
  });

  it('says how it runs now', () => {
    given(trackLayoutDecider, added)
      .when({
        type: 'ChangeTrackLayout',
        data: { ...layout, length: 6968, lastUsage: 2026, cornerNames: ['La Source', 'Eau Rouge'], trackImages: [] },
      })
      .then(
        happened('TrackLayoutLengthChanged', { length: 6968 }),
        happened('TrackLayoutUsageChanged', { firstUsage: 2007, lastUsage: 2026 }),
        happened('TrackLayoutCornersChanged', { cornerCount: 2, cornerNames: ['La Source', 'Eau Rouge'] }),
        happened('TrackLayoutImagesChanged', { trackMap: layout.trackMap, trackImages: [] }),
      );
  });

  it('records nothing when nothing changes', () => {
    given(trackLayoutDecider, added)
      .when({ type: 'ChangeTrackLayout', data: structuredClone(layout) })
      .thenNothing();
    given(trackLayoutDecider, added).when({ type: 'ChangeTrackLayout', data: {} }).thenNothing();
  });

  it('is disabled once, and enabled again', () => {
    const disabled = happened('TrackLayoutDisabled');
    const disable = { type: 'ChangeTrackLayout', data: { enabled: false } } as const;
    given(trackLayoutDecider, added).when(disable).then(disabled);
    given(trackLayoutDecider, added, disabled).when(disable).thenNothing();
    given(trackLayoutDecider, added, disabled)
      .when({ type: 'ChangeTrackLayout', data: { enabled: true } })
      .then(happened('TrackLayoutEnabled'));
  });

  it('cannot be changed before it exists', () => {
    given(trackLayoutDecider)
      .when({ type: 'ChangeTrackLayout', data: { length: 1 } })
      .thenRejected('NOT_FOUND');
  });

  it('refers to its track', () => {
    for (const { references } of [addTrackLayout, changeTrackLayout]) {
      expect(references).to.deep.equal({ trackId: 'track' });
    }
  });
});

describe('track layout bodies', () => {
  const { takes, refuses, takesLengths, needsOnly } = bodies(addTrackLayout, changeTrackLayout, layout);

  it('leave out what has a default', () => {
    const { enabled: _enabled, ...needed } = layout;
    expect(addTrackLayout.body.parse({ ...needed, colour: 'red' })).to.deep.equal(layout);
    needsOnly(...Object.keys(needed));
  });

  it('hold every text to its bounds', () => {
    takesLengths('displayName', 3, 120);
    takesLengths('slug', 2, 40);
    takesLengths('trackMap', 0, 255);
    refuses('displayName', '    ', null);
    refuses('slug', 'a b', null);
    refuses('trackMap', null);
    takes('cornerNames', [], ['-', '', letters(500)]);
    refuses('cornerNames', null, '-', [null]);
    takes('trackImages', [], ['TRACK/1.jpg', 'TRACK/2.jpg']);
    refuses('trackImages', null, 'TRACK/1.jpg', [1]);
  });

  it('hold every number to its bounds', () => {
    takes('length', 1, 2, 5793.5);
    refuses('length', 0, 0.5, -1, null, '7004', Infinity);
    takes('firstUsage', 0, 1, 2026);
    refuses('firstUsage', -1, 1950.5, null);
    takes('lastUsage', -1, 0, 2026);
    refuses('lastUsage', -2, 1950.5, null);
    takes('cornerCount', 0, 1, 20);
    refuses('cornerCount', -1, 1.5, null, 2 ** 53);
  });

  it('take the types of docs/interface.md and whole ids', () => {
    takes('type', ...TrackLayout.shape.type.options);
    refuses('type', 'ROAD', 'rally', '', null);
    refuses('trackId', null, '', 'spa');
    refuses('enabled', null, 'true', 1);
  });
});
