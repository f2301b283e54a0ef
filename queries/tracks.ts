import { Track } from '../commands/tracks.ts';
import { tracks } from '../projections/tracks.ts';
import { query, resourceView } from '../src/domain/query.ts';

export const trackQuery = query(tracks, {
  view: resourceView('Track', 'A place to race at, with one layout or several.', Track.shape),
  defaultSort: 'displayName',
  hidesDisabled: true,
});
