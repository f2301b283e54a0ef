import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet, referenceMoved } from '../src/service/domain/field-events.ts';
import { EXAMPLES, reference } from '../src/service/domain/examples.ts';
import { described, json, jsonObjectOrNull, number, text } from '../src/service/domain/fields.ts';
import { decider, whenAbsent, whenPresent, reject } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

/** A field of an event's signup form. */
export const SignupField = z.object({
  eventId: reference('event', 'The event whose form it is in.'),
  fieldKey: described(text(0, 120), 'Name for programs, once in an event.', 'shirtSize'),
  label: described(z.string(), 'What people read.', EXAMPLES.signupField.name),
  description: described(z.string().nullable(), 'More of it for people, or null.', 'For the shirts of the finalists'),
  type: described(
    z.enum(['TEXT', 'TEXT_AREA', 'EMAIL', 'NUMBER', 'SELECT', 'CHECKBOX', 'CONSENT', 'DATE']),
    'Kind of the field.',
    'SELECT',
  ),
  required: described(z.boolean(), 'Whether it has to be filled in.', true),
  sortOrder: described(number.nullable(), 'Its place in the form, low ones first; null: anywhere.', 10),
  optionsJson: described(json, 'What can be chosen, for SELECT; any JSON value, kept as sent.', ['S', 'M', 'L']),
  defaultJson: described(json, 'What is filled in at first; any JSON value, kept as sent.', 'M'),
  i18nJson: described(jsonObjectOrNull, 'Label and description in other languages, by locale.', {
    de: { label: 'Hemdgröße' },
  }),
});
export type SignupField = z.output<typeof SignupField>;

const fieldReferences = { eventId: 'event' } as const;

const changes = {
  SignupFieldMovedToEvent: referenceMoved('eventId'),
  SignupFieldKeyChanged: fieldsChanged(SignupField.pick({ fieldKey: true })),
  SignupFieldReworded: fieldsChanged(SignupField.pick({ label: true, description: true })),
  SignupFieldLocalized: fieldsChanged(SignupField.pick({ i18nJson: true })),
  /** What can be entered. */
  SignupFieldInputChanged: fieldsChanged(SignupField.pick({ type: true, optionsJson: true, defaultJson: true })),
  SignupFieldMadeRequired: flagSet('required', true),
  SignupFieldMadeOptional: flagSet('required', false),
  SignupFieldReordered: fieldsChanged(SignupField.pick({ sortOrder: true })),
};
export const signupFieldEvents = { SignupFieldAdded: eventType(SignupField), ...changes };

export type SignupFieldCommand = CommandOf<{
  AddSignupField: SignupField;
  ChangeSignupField: PartialUpdate<SignupField>;
}>;

export const signupFieldDecider = decider<SignupField | null, SignupFieldCommand, typeof signupFieldEvents>({
  category: 'signupField',
  initial: null,
  events: signupFieldEvents,
  claim: {
    category: 'signupFieldKey',
    key: (state) => (state === null ? null : JSON.stringify([state.eventId, state.fieldKey])),
    taken: reject('TAKEN', 'Another signup field of this event has this key.', '/fieldKey'),
  },
  evolve: { SignupFieldAdded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    AddSignupField: whenAbsent((data) => [{ type: 'SignupFieldAdded', data }]),
    ChangeSignupField: whenPresent((field, change) => changesTo(changes, field, change)),
  },
});

const { description, type, required, sortOrder, optionsJson, defaultJson, i18nJson } = SignupField.shape;
export const addSignupField = bodyCommand(signupFieldDecider, 'AddSignupField', {
  body: SignupField.extend({
    description: description.default(null),
    type: type.default('TEXT'),
    required: required.default(false),
    sortOrder: sortOrder.default(null),
    optionsJson: optionsJson.default(null),
    defaultJson: defaultJson.default(null),
    i18nJson: i18nJson.default(null),
  }),
  references: fieldReferences,
});
export const changeSignupField = bodyCommand(signupFieldDecider, 'ChangeSignupField', {
  body: SignupField.partial(),
  references: fieldReferences,
});
