import { addTrackLayout, changeTrackLayout, trackLayoutDecider } from '../../../commands/track-layouts.ts';
import { trackLayoutQuery } from '../../../queries/track-layouts.ts';
import { resource } from './resource.ts';

export const trackLayoutResource = resource({
  path: '/api/v1/track-layouts',
  decider: trackLayoutDecider,
  query: trackLayoutQuery,
  create: addTrackLayout,
  change: changeTrackLayout,
  access: { read: 'public', write: 'CRUD', owner: { kind: 'creator' } },
  history: false,
  export: { name: 'track-layouts' },
});
