import { licenses } from './licenses.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { participantEvents, type Participant } from '../commands/participants.ts';
import { nameOf, resourceProjection, type DocumentOf, type Named } from '../src/service/domain/documents.ts';
import { readModel } from '../src/service/kernel/projection/projection.ts';

export const participantNames = { licenseId: 'licenseDisplayName' } as const;

export type ParticipantDocument = DocumentOf<
  Participant &
    Named<typeof participantNames> & {
      /** Licence of the key that registered it. */ readonly _createdBy: string | null;
      /** The licences that may see all of it: that one, and the one that it names. */ readonly _owners: readonly string[];
    }
>;

export const participants = readModel<ParticipantDocument>('participants', {
  category: 'participant',
  version: 2,
  indexes: [['lastName'], ['licenseId', 'lastName'], ['email', 'lastName'], ['_owners[]', 'email', 'lastName']],
});

/** First and last name joined, as a lap shows them (docs/interface.md#laps). */
export function fullName(person: { readonly firstName: string; readonly lastName: string } | null): string {
  return person === null ? '' : `${person.firstName} ${person.lastName}`.trim();
}

function ownersOf(licenseId: string, createdBy: string | null | undefined): readonly string[] {
  return [...new Set([licenseId, createdBy ?? licenseId])];
}

export const participantsProjection = resourceProjection(
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
        _owners: ownersOf(data.licenseId, recorded.metadata.licenseId),
      }),
    // Who registered it never changes, so it may be taken from the document that the event changes.
    ParticipantMovedToLicense: async ({ data: { to }, id, at }, look) =>
      participants.set(id, {
        licenseId: to,
        licenseDisplayName: await nameOf(look(licenses, to)),
        updatedAt: at,
        _owners: ownersOf(to, (await look(participants, id))?._createdBy),
      }),
    LicenseRenamed: ({ data, id }) => participants.setWhere('licenseId', id, { licenseDisplayName: data.displayName }),
  },
);
