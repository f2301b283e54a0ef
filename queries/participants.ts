import { z } from 'zod';
import { participants } from '../projections/participants.ts';
import { instant, jsonObject, uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const ParticipantView = z
  .object({
    id: uuid,
    licenseId: uuid,
    licenseDisplayName: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phoneNumber: z.string(),
    extraFieldsJson: jsonObject,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Participant' });

export const participantQuery = query(participants, { view: ParticipantView, defaultSort: 'lastName' });
