import { Sponsor } from './command.ts';
import { sponsorNames, sponsors } from './projection.ts';
import { among, equal } from '../../../src/domain/filters.ts';
import { query, resourceView, withNames } from '../../../src/domain/query.ts';

export const sponsorQuery = query(sponsors, {
  view: resourceView('Sponsor', 'Somebody who supports a venue.', withNames(Sponsor.shape, sponsorNames)),
  defaultSort: 'displayName',
  hidesDisabled: true,
  filters: { licenseId: equal('licenseId'), eventId: among('eventIds') },
});
