import { licenses } from './licenses.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { participantEvents, type Participant } from '../commands/participants.ts';
import { nameOf, sets, type DocumentOf, type Named } from '../src/domain/documents.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';

export const participantNames = { licenseId: 'licenseDisplayName' } as const;

export type ParticipantDocument = DocumentOf<
  Participant &
    Named<typeof participantNames> & {
      /** Licence of the key that registered it. */ readonly _createdBy: string | null;
    }
>;

export const participants = readModel<ParticipantDocument>('participants', {
  category: 'participant',
  indexes: [['lastName'], ['licenseId']],
});

/** First and last name joined, as a lap shows them (docs/interface.md#laps). */
export function fullName(person: { readonly firstName: string; readonly lastName: string } | null): string {
  return person === null ? '' : `${person.firstName} ${person.lastName}`.trim();
}

export const participantsProjection = projection(
  participants,
  { own: participantEvents, others: licenseEvents },
  {
    ParticipantRegistered: async ({ data, id, at, recorded }, look) =>
      participants.insert(id, {
        licenseId: data.licenseId,
        licenseDisplayName: await nameOf(look(licenses, data.licenseId)),
        firstName: data.firstName,
        lastName: data.lastName,
        email: data.email,
        phoneNumber: data.phoneNumber,
        extraFieldsJson: data.extraFieldsJson,
        createdAt: at,
        updatedAt: at,
        _createdBy: recorded.metadata.licenseId ?? null,
      }),
    ParticipantRenamed: sets(participants),
    ParticipantContactChanged: sets(participants),
    ParticipantExtraFieldsChanged: sets(participants),
    ParticipantMovedToLicense: async ({ data: { to }, id, at }, look) =>
      participants.set(id, { licenseId: to, licenseDisplayName: await nameOf(look(licenses, to)), updatedAt: at }),
    LicenseRenamed: ({ data, id }) => participants.setWhere('licenseId', id, { licenseDisplayName: data.displayName }),
  },
);
