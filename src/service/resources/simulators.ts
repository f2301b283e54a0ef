import { addSimulator, changeSimulator, simulatorDecider } from '../../../commands/simulators.ts';
import { simulatorQuery } from '../../../queries/simulators.ts';
import { resource } from './resource.ts';

export const simulatorResource = resource({
  path: '/api/v1/simulators',
  decider: simulatorDecider,
  query: simulatorQuery,
  create: addSimulator,
  change: changeSimulator,
  reads: ['list', 'one'],
  access: { read: 'public', write: 'CRUD', owner: { kind: 'creator' } },
  history: false,
  export: { name: 'simulators', without: ['layouts'] },
});
