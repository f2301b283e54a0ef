import { addSponsor, changeSponsor, sponsorDecider } from './command.ts';
import { sponsorQuery } from './query.ts';
import { resource } from '../../../src/service/resources/resource.ts';

export const sponsorResource = resource({
  path: '/api/v1/sponsors',
  decider: sponsorDecider,
  query: sponsorQuery,
  create: addSponsor,
  change: changeSponsor,
  access: { read: 'public', write: 'CRUD', owner: { kind: 'license', field: 'licenseId' } },
  history: true,
  export: { name: 'sponsors' },
});
