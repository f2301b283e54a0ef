import { licenseDecider } from '../../../commands/licenses.ts';
import { licenseQuery } from '../../../queries/licenses.ts';
import { reject } from '../../kernel/aggregate/rejection.ts';
import { resource } from './resource.ts';

/** What keys of role CRUD change of their own licence: how its venue looks, and shows its people. The rest is for ADMIN. */
const VENUE_FIELDS: readonly string[] = ['logo', 'accentColor', 'timeZone', 'publicNames'];

export const licenseResource = resource({
  path: '/api/v1/licenses',
  decider: licenseDecider,
  query: licenseQuery,
  create: null,
  change: null,
  reads: ['list'],
  access: {
    read: 'ADMIN',
    write: 'CRUD',
    owner: { kind: 'self' },
    foreignRejection: reject('FORBIDDEN', 'This needs a key of that licence, or an ADMIN key.'),
    rejectionOf({ role }, { change }) {
      if (role === 'ADMIN') return null;
      const refused = Object.keys(change).find((field) => !VENUE_FIELDS.includes(field));
      return refused === undefined ? null : reject('FORBIDDEN', 'This needs an ADMIN key.', `/${refused}`);
    },
  },
  history: false,
  export: null,
});
