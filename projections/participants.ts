import { licenses } from './licenses.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { participantEvents, type Participant } from '../commands/participants.ts';
import { ERASED_PERSON } from '../src/domain/erased-person.ts';
import { nameOf, resourceProjection, type DocumentOf, type Named } from '../src/domain/documents.ts';
import {
  DEFAULT_PUBLIC_NAMES,
  mostPrivateOf,
  publicNameOf,
  shownNamesOf,
  type PersonNames,
  type PublicNames,
} from '../src/domain/public-names.ts';
import { wordsOf } from '../src/domain/words.ts';
import { readModel } from '../src/kernel/projection/projection.ts';
import type { Effect, Find, Handlers, Lookup, ProjectionEvent } from '../src/kernel/projection/projection.ts';
import type { RecordedEvent } from '../src/kernel/ports/event-store.ts';

export const participantNames = { licenseId: 'licenseDisplayName' } as const;

export type ParticipantDocument = DocumentOf<
  Participant &
    Named<typeof participantNames> & {
      /** Null: they have none. */
      readonly nickname: string | null;
      /** The name by which everybody sees them. */
      readonly publicName: string;
      /** Licence of the key that registered it, while it is an owner; then null. */
      readonly _createdBy: string | null;
      /** Licence of the key that checked them in, which owns the record; null: none, or an ADMIN key did. */
      readonly _venueId: string | null;
      /** Whether the licence of their check-in was not issued yet. */
      readonly _awaitsLicense: boolean;
      /** The licences that may see all of it: these two, and the one that it names. */
      readonly _owners: readonly string[];
      /** The words of all names, by which they are found. */
      readonly _nameWords: readonly string[];
      /** The licences whose setting `publicNames` counts: the one that it names, and the one that registered it. */
      readonly _namedBy: readonly string[];
      /** The setting that counts, the most private of those. */
      readonly _publicNames: PublicNames;
      /** What other licences see as first name; their last name is '' where the name is not shown in full. */
      readonly _publicFirstName: string;
      readonly _publicLastName: string;
      /** What stands for the last name where other licences sort by it. */
      readonly _publicOrder: string;
      /** Whether they were erased. */
      readonly _isErased: boolean;
    }
>;

export const participants = readModel<ParticipantDocument>('participants', {
  category: 'participant',
  version: 8,
  indexes: [['lastName'], ['_publicOrder'], ['_owners[]', 'email', 'lastName'], ['_namedBy[]']],
  columns: [
    'licenseId',
    'email',
    'lastName',
    'firstName',
    '_publicOrder',
    '_publicFirstName',
    'createdAt',
    '_owners[]',
    '_nameWords[]',
    '_awaitsLicense',
    '_isErased',
  ],
});

/**
 * The licence whose key registered a participant, for as long as it owns the record: until another licence, an ADMIN key
 * or the service itself changes it, or it moves to another licence.
 */
export function registrantAfter(registrant: string | null, { revision, type, metadata }: RecordedEvent): string | null {
  const { licenseId = null, role } = metadata;
  // A check-in names its owner itself.
  if (type === 'ParticipantCheckedIn') return null;
  // Whoever erases somebody, the owners go on seeing what became of it.
  if (type === 'ParticipantErased') return registrant;
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

/** A change of the setting `publicNames` that a document may not show yet. */
interface SettingChange {
  readonly licenseId: string;
  readonly publicNames: string;
}

/** The setting that counts where several licences have one. */
async function settingOf(
  namedBy: readonly string[],
  look: Lookup,
  changed: SettingChange | null = null,
): Promise<PublicNames> {
  const settings: string[] = [];
  for (const id of namedBy) {
    if (changed !== null && id === changed.licenseId) settings.push(changed.publicNames);
    // The licence of a check-in is issued after it.
    else settings.push((await look(licenses, id))?.publicNames ?? DEFAULT_PUBLIC_NAMES);
  }
  return mostPrivateOf(settings);
}

/** The fields of a document that follow from the names of a person and from how their licences show them. */
function namesShown({ firstName, lastName, nickname }: PersonNames, setting: PublicNames) {
  const shown = shownNamesOf({ firstName, lastName, nickname }, setting);
  return {
    publicName: shown.publicName,
    _publicNames: setting,
    _publicFirstName: shown.firstName,
    _publicLastName: shown.lastName,
    _publicOrder: shown.sortedBy,
    _nameWords: wordsOf(`${firstName} ${lastName} ${nickname ?? ''}`),
  };
}

/** The same of a new document, whose setting is that of the licences in its fields. */
async function namesOfNew(person: PersonNames, namedBy: readonly string[], look: Lookup) {
  const different = [...new Set(namedBy)];
  return { ...namesShown(person, await settingOf(different, look)), _namedBy: different };
}

/** The fields of somebody who was erased, whom no setting shows otherwise. */
const ERASED_FIELDS = {
  ...ERASED_PERSON,
  ...namesShown(ERASED_PERSON, DEFAULT_PUBLIC_NAMES),
  _namedBy: [],
  _isErased: true,
};

/** Fields of a participant that change by an event. */
type Changeable = Pick<
  ParticipantDocument,
  'firstName' | 'lastName' | 'nickname' | 'email' | 'phoneNumber' | 'extraFieldsJson'
>;

/**
 * Sets some fields, after which the licence that registered the participant may no longer own it. The handler looks up the
 * document that it changes. Where that already includes the event, the change is refused, whatever was found.
 */
async function changed<D extends Partial<Changeable>>({ data, id, at, recorded }: ProjectionEvent<D>, look: Lookup) {
  const before = await look(participants, id);
  if (before === null) return participants.set(id, { ...data, updatedAt: at });
  return participants.set(id, {
    ...data,
    ...ownersOf({ ...before, _createdBy: registrantAfter(before._createdBy, recorded) }),
    ...namesShown({ ...before, ...data }, before._publicNames),
    updatedAt: at,
  });
}

export const participantsProjection = resourceProjection(
  participants,
  { own: participantEvents, others: licenseEvents },
  {
    ParticipantRegistered: async ({ data, id, at, recorded }, look) => {
      const { licenseId, firstName, lastName, nickname = null } = data;
      const registrant = registrantAfter(null, recorded);
      const person = { firstName, lastName, nickname };
      return participants.insert(id, {
        ...data,
        nickname,
        ...(await namesOfNew(person, [licenseId, registrant ?? licenseId], look)),
        licenseDisplayName: await nameOf(look(licenses, data.licenseId)),
        createdAt: at,
        updatedAt: at,
        ...ownersOf({ ...data, _createdBy: registrant, _venueId: null }),
        _awaitsLicense: false,
        _isErased: false,
      });
    },
    ParticipantCheckedIn: async ({ data, id, at }, look) => {
      const { venueId, eventId: _, ...fields } = data;
      const { licenseId, firstName, lastName, nickname = null } = data;
      const license = await look(licenses, licenseId);
      const person = { firstName, lastName, nickname };
      return participants.insert(id, {
        ...fields,
        nickname,
        ...(await namesOfNew(person, [licenseId, venueId ?? licenseId], look)),
        licenseDisplayName: license?.displayName ?? '',
        createdAt: at,
        updatedAt: at,
        ...ownersOf({ ...data, _createdBy: null, _venueId: venueId }),
        _awaitsLicense: license === null,
        _isErased: false,
      });
    },
    ParticipantRenamed: changed,
    ParticipantNicknameChanged: changed,
    ParticipantContactChanged: changed,
    ParticipantExtraFieldsChanged: changed,
    ParticipantMovedToLicense: async ({ data: { to }, id, at }, look) => {
      const before = await look(participants, id);
      const moved = {
        licenseId: to,
        licenseDisplayName: await nameOf(look(licenses, to)),
        updatedAt: at,
        ...ownersOf({ licenseId: to, _createdBy: null, _venueId: null }),
      };
      return participants.set(id, before === null ? moved : { ...moved, ...(await namesOfNew(before, [to], look)) });
    },
    ParticipantErased: ({ id, at }) => participants.set(id, { ...ERASED_FIELDS, updatedAt: at }),
    // The licence of a check-in has the id of the participant; any other one changes nothing here. If the document that is
    // looked up includes the event already, the change is refused, whatever was found.
    LicenseIssued: async ({ data, id }, look) => {
      const participant = await look(participants, id);
      if (participant === null) return null;
      const licenseDisplayName = participant.licenseId === id ? data.displayName : participant.licenseDisplayName;
      return participants.set(id, { licenseDisplayName, _awaitsLicense: false });
    },
    LicenseRenamed: ({ data, id }) => participants.setWhere('licenseId', id, { licenseDisplayName: data.displayName }),
    LicensePublicNamesChanged: async ({ data, id }, look, find) => {
      const effects: Effect[] = [];
      for await (const [person, setting] of peopleNamedBy(id, data, look, find))
        effects.push(participants.set(person.id, namesShown(person, setting)));
      return effects;
    },
  },
);

/** Everybody for whom the setting of a licence counts, with the setting that counts after it has changed. */
async function* peopleNamedBy(
  licenseId: string,
  { publicNames }: { readonly publicNames: string },
  look: Lookup,
  find: Find,
): AsyncGenerator<readonly [person: ParticipantDocument, setting: PublicNames]> {
  for await (const people of find(participants, { '_namedBy[]': licenseId }))
    for (const person of people) yield [person, await settingOf(person._namedBy, look, { licenseId, publicNames })];
}

/** The events after which people may be shown by other names. */
const { ParticipantRenamed, ParticipantNicknameChanged, ParticipantMovedToLicense, ParticipantErased } =
  participantEvents;
const { LicensePublicNamesChanged } = licenseEvents;
const namingEvents = {
  ParticipantRenamed,
  ParticipantNicknameChanged,
  ParticipantMovedToLicense,
  ParticipantErased,
  LicensePublicNamesChanged,
};

/**
 * The handlers by which a read model follows the public names of people. `follow` sets the name where it is shown; it is
 * not called for whoever keeps their name.
 */
export function followingPublicNames(
  follow: (participantId: string, publicName: string) => Effect,
): Handlers<typeof namingEvents> {
  /** A document that is ahead of the event does not say which name was shown before it: then the name is set again. */
  const renamed = (before: ParticipantDocument, publicName: string, { position }: RecordedEvent): Effect | null => {
    const isShown = before._position < position && before.publicName === publicName;
    return isShown ? null : follow(before.id, publicName);
  };
  /** After a change of some of a person's names. */
  const called = async ({ data, id, recorded }: ProjectionEvent<Partial<PersonNames>>, look: Lookup) => {
    const before = await look(participants, id);
    if (before === null) return follow(id, '');
    return renamed(before, publicNameOf({ ...before, ...data }, before._publicNames), recorded);
  };
  return {
    ParticipantRenamed: called,
    ParticipantNicknameChanged: called,
    async ParticipantMovedToLicense({ data: { to }, id, recorded }, look) {
      const before = await look(participants, id);
      if (before === null) return follow(id, '');
      return renamed(before, publicNameOf(before, await settingOf([to], look)), recorded);
    },
    async ParticipantErased({ id, recorded }, look) {
      const before = await look(participants, id);
      if (before === null) return follow(id, ERASED_FIELDS.publicName);
      return renamed(before, ERASED_FIELDS.publicName, recorded);
    },
    async LicensePublicNamesChanged({ data, id, recorded }, look, find) {
      const effects: Effect[] = [];
      for await (const [person, setting] of peopleNamedBy(id, data, look, find)) {
        const effect = renamed(person, publicNameOf(person, setting), recorded);
        if (effect !== null) effects.push(effect);
      }
      return effects;
    },
  };
}
