import { addTrack, changeTrack, trackDecider } from '../../../commands/tracks.ts';
import { trackQuery } from '../../../queries/tracks.ts';
import { resource } from './resource.ts';

export const trackResource = resource({
  path: '/api/v1/tracks',
  decider: trackDecider,
  query: trackQuery,
  create: addTrack,
  change: changeTrack,
  access: { read: 'public', write: 'CRUD', owner: { kind: 'creator' } },
  history: false,
  export: { name: 'tracks' },
});
