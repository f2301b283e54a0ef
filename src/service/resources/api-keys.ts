import { apiKeyDecider } from '../../../commands/api-keys.ts';
import { apiKeyQuery } from '../../../queries/api-keys.ts';
import { includesRole } from '../../domain/roles.ts';
import { reject } from '../../kernel/aggregate/rejection.ts';
import { resource } from './resource.ts';

export const apiKeyResource = resource({
  path: '/api/v1/api-keys',
  decider: apiKeyDecider,
  query: apiKeyQuery,
  create: null,
  change: null,
  reads: [],
  access: {
    read: 'CRUD',
    write: 'CRUD',
    owner: { kind: 'license', field: 'licenseId' },
    // Keys of other licences answer 404, to hide that they exist.
    foreignRejection: reject('NOT_FOUND', 'No such resource.'),
    rejectionOf: (caller, { state, change }) => {
      if (state?.role === 'ADMIN' && caller.role !== 'ADMIN')
        return reject('FORBIDDEN', 'Only an ADMIN key may change an ADMIN key.');
      const { role } = { ...state, ...change };
      // Nobody grants a role above their own (docs/interface.md#api-keys).
      return role === undefined || includesRole(caller.role, role)
        ? null
        : reject('FORBIDDEN', `A key of role ${caller.role} cannot grant role ${role}.`, '/role');
    },
  },
  history: false,
  export: null,
});
