import { z } from 'zod';
import { Participant } from '../commands/participants.ts';
import { participantNames, participants } from '../projections/participants.ts';
import { marked } from '../src/domain/facts.ts';
import { described } from '../src/domain/fields.ts';
import { byWords, equal } from '../src/domain/filters.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const participantQuery = query(participants, {
  view: resourceView('Participant', 'Somebody who drives.', {
    ...withNames(Participant.shape, participantNames),
    publicName: marked('personal', described(z.string(), 'The name by which everybody sees them.', 'Nora L.')),
  }),
  defaultSort: 'lastName',
  filters: {
    licenseId: equal('licenseId'),
    email: equal('email', Participant.shape.email),
    name: byWords('_nameWords', { example: 'lin no' }),
  },
  owners: '_owners',
  publicForms: {
    firstName: { shown: '_publicFirstName', sortedBy: '_publicFirstName' },
    lastName: { shown: '_publicLastName', sortedBy: '_publicOrder' },
  },
});
