import { changeRig, rigDecider } from '../../../commands/rigs.ts';
import { rigsProjection } from '../../../projections/rigs.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import { resource } from './resource.ts';

export const rigResource = resource({
  path: '/api/v1/rigs',
  decider: rigDecider,
  projection: rigsProjection,
  query: rigQuery,
  create: null,
  change: changeRig,
  endsKeys: true,
  access: {
    read: 'R',
    write: 'CRUD',
    owner: { kind: 'license', field: 'licenseId' },
    rigKeys: { change: ['name', 'description'], rig: 'self' },
  },
  history: true,
  export: { name: 'rigs' },
});
