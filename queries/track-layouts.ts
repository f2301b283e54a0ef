import { TrackLayout } from '../commands/track-layouts.ts';
import { trackLayoutNames, trackLayouts } from '../projections/track-layouts.ts';
import { equal } from '../src/domain/filters.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const trackLayoutQuery = query(trackLayouts, {
  view: resourceView(
    'TrackLayout',
    'A layout of a track: the way round that laps are driven on.',
    withNames(TrackLayout.shape, trackLayoutNames),
  ),
  defaultSort: 'displayName',
  hidesDisabled: true,
  filters: { trackId: equal('trackId') },
});
