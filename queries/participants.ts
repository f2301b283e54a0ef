import { Participant } from '../commands/participants.ts';
import { participantNames, participants } from '../projections/participants.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const participantQuery = query(participants, {
  view: resourceView('Participant', withNames(Participant.shape, participantNames)),
  defaultSort: 'lastName',
  contact: { email: '', phoneNumber: '', extraFieldsJson: {} },
});
