import { Track } from '../commands/tracks.ts';
import { tracks } from '../projections/tracks.ts';
import { query, resourceView } from '../src/domain/query.ts';

export const trackQuery = query(tracks, {
  view: resourceView('Track', Track.shape),
  defaultSort: 'displayName',
  hidesDisabled: true,
});
