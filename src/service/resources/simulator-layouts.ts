import { changeLayoutMapping, mapTrackLayout, simulatorLayoutDecider } from '../../../commands/simulator-layouts.ts';
import { simulatorLayoutQuery } from '../../../queries/simulator-layouts.ts';
import { UNMAP } from '../../domain/mappings.ts';
import { resource } from './resource.ts';

export const simulatorLayoutResource = resource({
  path: '/api/v1/simulators/{simulatorId}/layouts',
  decider: simulatorLayoutDecider,
  query: simulatorLayoutQuery,
  create: mapTrackLayout,
  change: changeLayoutMapping,
  remove: UNMAP,
  reads: ['list', 'one'],
  access: {
    read: 'public',
    write: 'CRUD',
    owner: { kind: 'creator' },
    parents: [{ field: 'simulatorId', category: 'simulator' }],
  },
  history: false,
  export: { name: 'simulator-layouts' },
});
