import { changeRig, rigDecider } from '../../../commands/rigs.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import { refusesMoveByOldToken, resource } from './resource.ts';

export const rigResource = resource({
  path: '/api/v1/rigs',
  decider: rigDecider,
  query: rigQuery,
  create: null,
  change: changeRig,
  endsKeys: true,
  access: {
    read: 'R',
    write: 'CRUD',
    owner: { kind: 'license', field: 'licenseId' },
    rigKeys: { change: ['name', 'description'], rig: 'self' },
    // The keys of a rig end when it moves, and the new licence issues the next.
    refuses: refusesMoveByOldToken('a rig'),
  },
  history: true,
  export: { name: 'rigs' },
});
