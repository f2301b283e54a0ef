import { licenses } from './licenses.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { participantEvents } from '../commands/participants.ts';
import type { JsonObject } from '../src/kernel/json.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

export type ParticipantDocument = DocumentMeta & {
  readonly licenseId: string;
  readonly licenseDisplayName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phoneNumber: string;
  readonly extraFieldsJson: JsonObject;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const participants = readModel<ParticipantDocument>('participants', {
  category: 'participant',
  indexes: [['lastName'], ['licenseId']],
});

/** First and last name joined, as a lap shows them (SPEC.md "Lap"). */
export function fullName(person: { readonly firstName: string; readonly lastName: string } | null): string {
  return person === null ? '' : `${person.firstName} ${person.lastName}`.trim();
}

export const participantsProjection = projection(
  participants,
  { own: participantEvents, others: licenseEvents },
  {
    ParticipantRegistered: async ({ data, id, at }, look) =>
      participants.insert(id, {
        licenseId: data.licenseId,
        licenseDisplayName: (await look(licenses, data.licenseId))?.displayName ?? '',
        firstName: data.firstName,
        lastName: data.lastName,
        email: data.email,
        phoneNumber: data.phoneNumber,
        extraFieldsJson: data.extraFieldsJson,
        createdAt: at,
        updatedAt: at,
      }),
    ParticipantRenamed: ({ data, id, at }) => participants.set(id, { ...data, updatedAt: at }),
    ParticipantContactChanged: ({ data, id, at }) => participants.set(id, { ...data, updatedAt: at }),
    ParticipantExtraFieldsChanged: ({ data, id, at }) => participants.set(id, { ...data, updatedAt: at }),
    ParticipantMovedToLicense: async ({ data, id, at }, look) =>
      participants.set(id, {
        licenseId: data.to,
        licenseDisplayName: (await look(licenses, data.to))?.displayName ?? '',
        updatedAt: at,
      }),
    LicenseRenamed: ({ data, id }) => participants.setWhere('licenseId', id, { licenseDisplayName: data.displayName }),
  },
);
