import { changeCarMapping, mapCar, simulatorCarDecider } from '../../../commands/simulator-cars.ts';
import { simulatorCarQuery } from '../../../queries/simulator-cars.ts';
import { UNMAP } from '../../domain/mappings.ts';
import { resource } from './resource.ts';

export const simulatorCarResource = resource({
  path: '/api/v1/simulators/{simulatorId}/cars',
  decider: simulatorCarDecider,
  query: simulatorCarQuery,
  create: mapCar,
  change: changeCarMapping,
  remove: UNMAP,
  reads: ['list', 'one'],
  access: {
    read: 'public',
    write: 'CRUD',
    owner: { kind: 'creator' },
    parents: [{ field: 'simulatorId', category: 'simulator' }],
  },
  history: false,
  export: { name: 'simulator-cars' },
});
