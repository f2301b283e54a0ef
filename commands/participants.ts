import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { jsonObject, jsonObjectText, text, uuid } from '../src/domain/fields.ts';
import { references } from '../src/domain/references.ts';
import { changedFields, eventIfChanged, changedReference } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';
import { reject } from '../src/kernel/aggregate/rejections.ts';

const participant = {
  licenseId: uuid,
  firstName: text(0, 120),
  lastName: text(0, 120),
  email: text(0, 120).regex(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, 'must have the form name@domain.tld'),
  phoneNumber: text(0, 120),
  extraFieldsJson: jsonObject,
};

const RegisterParticipantBody = z
  .object({ ...participant, extraFieldsJson: jsonObjectText.default({}) })
  .meta({ id: 'RegisterParticipant' });
const ChangeParticipantBody = z.object(participant).partial().meta({ id: 'ChangeParticipant' });

const participantReferences = references({ licenseId: 'license' });

export const participantEvents = {
  ParticipantRegistered: eventType(z.object(participant)),
  ParticipantRenamed: eventType(z.object({ firstName: participant.firstName, lastName: participant.lastName })),
  ParticipantContactChanged: eventType(z.object({ email: participant.email, phoneNumber: participant.phoneNumber })),
  ParticipantExtraFieldsChanged: eventType(z.object({ extraFieldsJson: jsonObject })),
  ParticipantMovedToLicense: eventType(z.object({ from: uuid, to: uuid })),
};

/** Which fields of each event tell who somebody is: `timing events` masks them. */
export const participantPersonalData = {
  ParticipantRegistered: ['firstName', 'lastName', 'email', 'phoneNumber', 'extraFieldsJson'],
  ParticipantRenamed: ['firstName', 'lastName'],
  ParticipantContactChanged: ['email', 'phoneNumber'],
  ParticipantExtraFieldsChanged: ['extraFieldsJson'],
  ParticipantMovedToLicense: [],
} as const satisfies { readonly [T in keyof typeof participantEvents]: readonly (keyof typeof participant)[] };

type Participant = z.output<typeof RegisterParticipantBody>;

export type ParticipantCommand =
  | { readonly type: 'RegisterParticipant'; readonly data: Participant }
  | { readonly type: 'ChangeParticipant'; readonly data: z.output<typeof ChangeParticipantBody> };

export const participantDecider = decider<Participant | null, ParticipantCommand, typeof participantEvents>({
  category: 'participant',
  initial: null,
  events: participantEvents,
  claim: {
    category: 'participantLicense',
    key: (state) => state?.licenseId ?? null,
    taken: reject('TAKEN', 'Another participant has this licence.', '/licenseId'),
  },
  evolve: {
    ParticipantRegistered: (_, data) => data,
    ParticipantRenamed: mergeFields,
    ParticipantContactChanged: mergeFields,
    ParticipantExtraFieldsChanged: mergeFields,
    ParticipantMovedToLicense: evolveExisting((state, { to }) => ({ ...state, licenseId: to })),
  },
  decide: {
    RegisterParticipant: whenAbsent((data) => [{ type: 'ParticipantRegistered', data }]),
    ChangeParticipant: whenPresent((state, change) => [
      ...eventIfChanged('ParticipantRenamed', changedFields(state, change, 'firstName', 'lastName')),
      ...eventIfChanged('ParticipantContactChanged', changedFields(state, change, 'email', 'phoneNumber')),
      ...eventIfChanged('ParticipantExtraFieldsChanged', changedFields(state, change, 'extraFieldsJson')),
      ...eventIfChanged('ParticipantMovedToLicense', changedReference(state, change, 'licenseId')),
    ]),
  },
});

export const registerParticipant = bodyCommand({
  decider: participantDecider,
  body: RegisterParticipantBody,
  references: participantReferences,
  command: (data): ParticipantCommand => ({ type: 'RegisterParticipant', data }),
});

export const changeParticipant = bodyCommand({
  decider: participantDecider,
  body: ChangeParticipantBody,
  references: participantReferences,
  command: (data): ParticipantCommand => ({ type: 'ChangeParticipant', data }),
});
