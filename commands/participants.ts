import { z } from 'zod';
import { commandsFrom, type CommandsOf } from '../src/domain/body-command.ts';
import { ERASED_PERSON } from '../src/domain/erased-person.ts';
import { evolvedBy, fieldsChanged, referenceMoved } from '../src/domain/field-events.ts';
import { erasingEvent, personalEvents } from '../src/domain/personal-events.ts';
import { reference } from '../src/domain/references.ts';
import { AnyObject, bodyOf, Id, marked, Text } from '../src/domain/facts.ts';
import { described, isVisible, jsonObject, jsonObjectText, name, text } from '../src/domain/fields.ts';
import { intentsIn, recording, type Intent } from '../src/domain/intents.ts';
import { decider, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { reject, type Rejection } from '../src/kernel/aggregate/rejection.ts';
import { eventType } from '../src/kernel/event-types.ts';

const EXTRA = 'Further fields of the venue, by its own names; stored as sent, empty for callers who may not see it.';

const Registered = z.object({
  licenseId: Id,
  firstName: marked('personal', Text),
  lastName: marked('personal', Text),
  email: marked('contact', Text),
  phoneNumber: marked('contact', Text),
  extraFieldsJson: marked('contact', AnyObject),
  // Releases before 0.2 have none.
  nickname: marked('contact', Text.nullable().optional()),
});
export type Participant = z.output<typeof Registered>;

/** The nickname of a participant, in the event that changes it; null: they have none. */
const Nickname = z.object({ nickname: marked('contact', Text.nullable()) });

/** Somebody who was checked in by a venue, under a licence that was made for them. */
const CheckedIn = Registered.extend({
  /** Licence of the key that checked them in, which owns the record; null: an ADMIN key did. */
  venueId: Id.nullable(),
  /** The event that they came for. */
  eventId: Id.nullable(),
});
type CheckedIn = z.output<typeof CheckedIn>;

/** A participant, and where they were checked in: null for those who were not, and for those who moved on since. */
type ParticipantState = CheckedIn &
  z.output<typeof Nickname> & {
    /** Whether they were erased. */
    readonly _isErased?: true;
  };

export const Participant = bodyOf(Registered, {
  licenseId: reference('license', 'Licence that it belongs to; each has one participant.'),
  firstName: described(text(0, 120), 'First name; this or the last name must not be blank.', 'Nora'),
  lastName: described(text(0, 120), 'Last name; this or the first name must not be blank.', 'Lindqvist'),
  email: described(
    text(0, 120).regex(/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, 'must have the form name@domain.tld'),
    'Address of the form name@domain.tld; empty for callers who may not see it.',
    'nora@example.org',
  ),
  phoneNumber: described(
    text(0, 120),
    'Telephone number in any form; empty for callers who may not see it.',
    '+32 87 29 37 00',
  ),
  extraFieldsJson: described(jsonObject, EXTRA, { shirtSize: 'M' }),
  nickname: described(
    name(2, 40).nullable(),
    'Name by which the licence may show them in public; null: none, or the caller may not see it.',
    'Lindy',
  ),
});

const changes = {
  ParticipantRenamed: fieldsChanged(Registered, 'firstName', 'lastName'),
  ParticipantNicknameChanged: fieldsChanged(Nickname, 'nickname'),
  ParticipantContactChanged: fieldsChanged(Registered, 'email', 'phoneNumber'),
  ParticipantExtraFieldsChanged: fieldsChanged(Registered, 'extraFieldsJson'),
  ParticipantMovedToLicense: referenceMoved('licenseId'),
};
export const participantEvents = personalEvents(ERASED_PERSON, {
  ParticipantRegistered: eventType(Registered),
  ParticipantCheckedIn: eventType(CheckedIn),
  ...changes,
  /** From here on nobody writes personal fields of them. Its metadata say who erased them, when and why. */
  ParticipantErased: erasingEvent(),
});

/** The rejection of whatever would say something new of somebody who was erased. */
export const PARTICIPANT_ERASED = reject('PARTICIPANT_ERASED', 'This participant was erased, and changes no more.');

/** Rejects two names that are blank or invisible: nobody could tell such participants apart. */
function refusalOfNameless({ firstName, lastName }: Pick<Participant, 'firstName' | 'lastName'>): Rejection | null {
  if (isVisible(firstName) || isVisible(lastName)) return null;
  return reject('INVALID', 'At least one of the two names must not be blank.', '/firstName');
}

/** Refuses an intent for a participant who was erased. */
function unlessErased<S, A, E>(intent: Intent<S, A, E>): Intent<S & Pick<ParticipantState, '_isErased'>, A, E> {
  const decide = (state: (S & Pick<ParticipantState, '_isErased'>) | null, asked: A) =>
    state?._isErased === true ? PARTICIPANT_ERASED : intent(state, asked);
  return Object.assign(decide, { askedIn: intent.askedIn });
}

const NO_CHECK_IN = { venueId: null, eventId: null } as const;

const decide = {
  RegisterParticipant: whenAbsent(
    (data: Participant) => refusalOfNameless(data) ?? [{ type: 'ParticipantRegistered', data } as const],
  ),
  /** Of a check-in everything is in this one event: the licence follows from it (docs/decisions/0030-check-ins.md). */
  CheckInParticipant: whenAbsent((data: CheckedIn) => [{ type: 'ParticipantCheckedIn', data } as const]),
  RenameParticipant: unlessErased(recording(changes, 'ParticipantRenamed', refusalOfNameless)),
  ChangeParticipantNickname: unlessErased(recording(changes, 'ParticipantNicknameChanged')),
  ChangeParticipantContact: unlessErased(recording(changes, 'ParticipantContactChanged')),
  ChangeParticipantExtraFields: unlessErased(recording(changes, 'ParticipantExtraFieldsChanged')),
  /** Also refused: the licence would be free for somebody else, who would then be taken for the erased one. */
  MoveParticipantToLicense: unlessErased(recording(changes, 'ParticipantMovedToLicense')),
  EraseParticipant: whenPresent((state: ParticipantState, _: Record<string, never>) =>
    state._isErased === true ? [] : [{ type: 'ParticipantErased', data: {} } as const],
  ),
};

export const participantDecider = decider<ParticipantState, CommandsOf<typeof decide>, typeof participantEvents>({
  category: 'participant',
  events: participantEvents,
  claim: {
    category: 'participantLicense',
    key: (state) => state?.licenseId ?? null,
    taken: reject('TAKEN', 'Another participant has this licence.', '/licenseId'),
  },
  evolve: {
    ParticipantRegistered: (_, data) => ({ ...data, ...NO_CHECK_IN, nickname: data.nickname ?? null }),
    ParticipantCheckedIn: (_, data) => ({ ...data, nickname: data.nickname ?? null }),
    ...evolvedBy(changes),
    ParticipantMovedToLicense: evolveExisting((participant, { to }) => ({
      ...participant,
      ...NO_CHECK_IN,
      licenseId: to,
    })),
    ParticipantErased: evolveExisting((participant) => ({ ...participant, ...ERASED_PERSON, _isErased: true })),
  },
  decide,
});

const extraFieldsJson = described(
  jsonObjectText,
  `${EXTRA} Sent as an object or as the text of one.`,
  '{"shirtSize":"M"}',
).default({});
const nickname = Participant.shape.nickname.default(null);
export const registerParticipant = commandsFrom('RegisterParticipant', {
  body: Participant.extend({ extraFieldsJson, nickname }),
  commands: (data) => [{ type: 'RegisterParticipant', data } as const],
});
export const changeParticipant = commandsFrom('ChangeParticipant', {
  body: Participant.partial(),
  ...intentsIn(decide),
});

const { lastName, email, phoneNumber } = Participant.shape;
/** The body of a check-in: what is left out is empty. */
export const CheckInBody = z
  .object({
    firstName: described(name(1, 120), 'First name, or the only one.', 'Nora'),
    lastName: described(lastName, 'Last name; it may be empty.', 'Lindqvist'),
    email: email.default(''),
    phoneNumber: phoneNumber.default(''),
    extraFieldsJson,
    nickname,
    eventId: reference('event', 'The event that they came for.').optional(),
  })
  .meta({ id: 'CheckIn' });

/** The command of a check-in. The licence has the id of the participant, so that either leads to the other. */
export function checkInCommand(
  { firstName, lastName, email, phoneNumber, extraFieldsJson, nickname: chosen, eventId }: z.output<typeof CheckInBody>,
  participantId: string,
  venueId: string | null,
) {
  const data: CheckedIn = {
    licenseId: participantId,
    firstName,
    lastName,
    email,
    phoneNumber,
    extraFieldsJson,
    nickname: chosen,
    venueId,
    eventId: eventId ?? null,
  };
  return { type: 'CheckInParticipant', data } as const;
}
