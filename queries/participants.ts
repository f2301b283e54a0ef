import { Participant } from '../commands/participants.ts';
import { participantNames, participants } from '../projections/participants.ts';
import { byWords, equal } from '../src/domain/filters.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const participantQuery = query(participants, {
  view: resourceView('Participant', 'Somebody who drives.', withNames(Participant.shape, participantNames)),
  defaultSort: 'lastName',
  filters: {
    licenseId: equal('licenseId'),
    email: equal('email', Participant.shape.email),
    name: byWords('_nameWords', { example: 'lin no' }),
  },
  owners: '_owners',
});
