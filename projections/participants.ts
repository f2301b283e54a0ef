import { licenses } from './licenses.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { participantEvents, type Participant } from '../commands/participants.ts';
import { nameOf, resourceProjection, type DocumentOf, type Named } from '../src/domain/documents.ts';
import { wordsOf } from '../src/domain/words.ts';
import { readModel, type Lookup, type ProjectionEvent } from '../src/kernel/projection/projection.ts';
import type { RecordedEvent } from '../src/kernel/ports/event-store.ts';

export const participantNames = { licenseId: 'licenseDisplayName' } as const;

export type ParticipantDocument = DocumentOf<
  Participant &
    Named<typeof participantNames> & {
      /** Licence of the key that registered it, while it is an owner; then null. */
      readonly _createdBy: string | null;
      /** Licence of the key that checked them in, which owns the record; null: none, or an ADMIN key did. */
      readonly _venueId: string | null;
      /** Whether the licence of their check-in was not issued yet. */
      readonly _awaitsLicense: boolean;
      /** The licences that may see all of it: these two, and the one that it names. */
      readonly _owners: readonly string[];
      /** The words of both names, by which they are found. */
      readonly _nameWords: readonly string[];
    }
>;

export const participants = readModel<ParticipantDocument>('participants', {
  category: 'participant',
  version: 6,
  indexes: [['lastName'], ['_owners[]', 'email', 'lastName']],
  columns: ['licenseId', 'email', 'lastName', 'firstName', 'createdAt', '_owners[]', '_nameWords[]', '_awaitsLicense'],
});

/**
 * The licence whose key registered a participant, for as long as it owns the record: until another licence, an ADMIN key
 * or the service itself changes it, or it moves to another licence.
 */
export function registrantAfter(registrant: string | null, { revision, type, metadata }: RecordedEvent): string | null {
  const { licenseId = null, role } = metadata;
  // A check-in names its owner itself.
  if (type === 'ParticipantCheckedIn') return null;
  if (revision === 0) return licenseId;
  const isOwnChange = licenseId === registrant && role !== 'ADMIN' && type !== 'ParticipantMovedToLicense';
  return isOwnChange ? registrant : null;
}

type Owners = Pick<ParticipantDocument, 'licenseId' | '_createdBy' | '_venueId'>;

function ownersOf({ licenseId, _createdBy, _venueId }: Owners) {
  const owners = new Set([licenseId]);
  if (_createdBy !== null) owners.add(_createdBy);
  if (_venueId !== null) owners.add(_venueId);
  return { _createdBy, _venueId, _owners: [...owners] };
}

/** The words of both names, each once. */
function nameWordsOf({ firstName, lastName }: Pick<Participant, 'firstName' | 'lastName'>): readonly string[] {
  return wordsOf(`${firstName} ${lastName}`);
}

/**
 * Sets some fields, after which the licence that registered the participant may no longer own it. The handler looks up the
 * document that it changes. Where that already includes the event, the change is refused, whatever was found.
 */
async function changed<D extends Partial<Participant>>({ data, id, at, recorded }: ProjectionEvent<D>, look: Lookup) {
  const before = await look(participants, id);
  if (before === null) return participants.set(id, { ...data, updatedAt: at });
  return participants.set(id, {
    ...data,
    ...ownersOf({ ...before, _createdBy: registrantAfter(before._createdBy, recorded) }),
    _nameWords: nameWordsOf({ ...before, ...data }),
    updatedAt: at,
  });
}

export const participantsProjection = resourceProjection(
  participants,
  { own: participantEvents, others: licenseEvents },
  {
    ParticipantRegistered: async ({ data, id, at, recorded }, look) =>
      participants.insert(id, {
        ...data,
        _nameWords: nameWordsOf(data),
        licenseDisplayName: await nameOf(look(licenses, data.licenseId)),
        createdAt: at,
        updatedAt: at,
        ...ownersOf({ ...data, _createdBy: registrantAfter(null, recorded), _venueId: null }),
        _awaitsLicense: false,
      }),
    ParticipantCheckedIn: async ({ data: { venueId, eventId: _, ...data }, id, at }, look) => {
      const license = await look(licenses, data.licenseId);
      return participants.insert(id, {
        ...data,
        _nameWords: nameWordsOf(data),
        licenseDisplayName: license?.displayName ?? '',
        createdAt: at,
        updatedAt: at,
        ...ownersOf({ ...data, _createdBy: null, _venueId: venueId }),
        _awaitsLicense: license === null,
      });
    },
    ParticipantRenamed: changed,
    ParticipantContactChanged: changed,
    ParticipantExtraFieldsChanged: changed,
    ParticipantMovedToLicense: async ({ data: { to }, id, at }, look) =>
      participants.set(id, {
        licenseId: to,
        licenseDisplayName: await nameOf(look(licenses, to)),
        updatedAt: at,
        ...ownersOf({ licenseId: to, _createdBy: null, _venueId: null }),
      }),
    // The licence of a check-in has the id of the participant; any other one changes nothing here. If the document that is
    // looked up includes the event already, the change is refused, whatever was found.
    LicenseIssued: async ({ data, id }, look) => {
      const participant = await look(participants, id);
      if (participant === null) return null;
      const licenseDisplayName = participant.licenseId === id ? data.displayName : participant.licenseDisplayName;
      return participants.set(id, { licenseDisplayName, _awaitsLicense: false });
    },
    LicenseRenamed: ({ data, id }) => participants.setWhere('licenseId', id, { licenseDisplayName: data.displayName }),
  },
);
