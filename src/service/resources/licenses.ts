import { licenseDecider } from '../../../commands/licenses.ts';
import { licenseQuery } from '../../../queries/licenses.ts';
import { reject } from '../../kernel/aggregate/rejection.ts';
import { resource } from './resource.ts';

export const licenseResource = resource({
  path: '/api/v1/licenses',
  decider: licenseDecider,
  query: licenseQuery,
  create: null,
  change: null,
  reads: ['list'],
  access: {
    read: 'ADMIN',
    write: 'ADMIN',
    owner: { kind: 'self' },
    foreignRejection: reject('FORBIDDEN', 'This needs a key of that licence, or an ADMIN key.'),
  },
  history: false,
  export: null,
});
