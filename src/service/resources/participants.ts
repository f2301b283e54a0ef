import { changeParticipant, participantDecider, registerParticipant } from '../../../commands/participants.ts';
import { registrantAfter } from '../../../projections/participants.ts';
import { participantQuery } from '../../../queries/participants.ts';
import { rejectionOfMoveByOldToken, resource } from './resource.ts';

export const participantResource = resource({
  path: '/api/v1/participants',
  decider: participantDecider,
  query: participantQuery,
  create: registerParticipant,
  change: changeParticipant,
  duplicate: 'returned',
  access: {
    read: 'people',
    write: 'CRUD',
    owner: { kind: 'license', field: 'licenseId', orField: 'venueId', orCreator: registrantAfter },
    parents: [{ field: 'eventId', category: 'event' }],
    rigKeys: { create: true },
    rejectionOf: rejectionOfMoveByOldToken('a participant'),
  },
  history: true,
  isErased: ({ _isErased }) => _isErased === true,
  export: { name: 'participants' },
});
