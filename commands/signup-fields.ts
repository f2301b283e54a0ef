import { z } from 'zod';
import { additionOf, catalogueDecider, changeOf } from '../src/domain/catalogue.ts';
import { component } from '../src/domain/component.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { reference } from '../src/domain/references.ts';
import { AnyJson, AnyObject, bodyOf, Flag, Id, Numeral, Text } from '../src/domain/facts.ts';
import { fieldsChanged, flagSet, referenceMoved } from '../src/domain/field-events.ts';
import { described, json, jsonObjectOrNull, number, prose, text } from '../src/domain/fields.ts';
import { reject } from '../src/kernel/aggregate/rejection.ts';
import { eventType } from '../src/kernel/event-types.ts';

const SignupFieldAdded = z.object({
  eventId: Id,
  fieldKey: Text,
  label: Text,
  description: Text.nullable(),
  type: Text,
  required: Flag,
  sortOrder: Numeral.nullable(),
  optionsJson: AnyJson,
  defaultJson: AnyJson,
  i18nJson: AnyObject.nullable(),
});
export type SignupField = z.output<typeof SignupFieldAdded>;

export const signupFieldEvents = {
  SignupFieldAdded: eventType(SignupFieldAdded),
  SignupFieldMovedToEvent: referenceMoved('eventId'),
  SignupFieldKeyChanged: fieldsChanged(SignupFieldAdded, 'fieldKey'),
  SignupFieldReworded: fieldsChanged(SignupFieldAdded, 'label', 'description'),
  SignupFieldLocalized: fieldsChanged(SignupFieldAdded, 'i18nJson'),
  /** What can be entered. */
  SignupFieldInputChanged: fieldsChanged(SignupFieldAdded, 'type', 'optionsJson', 'defaultJson'),
  SignupFieldMadeRequired: flagSet('required', true),
  SignupFieldMadeOptional: flagSet('required', false),
  SignupFieldReordered: fieldsChanged(SignupFieldAdded, 'sortOrder'),
};

export const signupFieldDecider = catalogueDecider('signupField', signupFieldEvents, {
  added: 'SignupFieldAdded',
  claim: {
    category: 'signupFieldKey',
    key: (state) => (state === null ? null : JSON.stringify([state.eventId, state.fieldKey])),
    taken: reject('TAKEN', 'Another signup field of this event has this key.', '/fieldKey'),
  },
});

const TYPES = z
  .enum(['TEXT', 'TEXT_AREA', 'EMAIL', 'NUMBER', 'SELECT', 'CHECKBOX', 'CONSENT', 'DATE'])
  .meta(component('SignupFieldType', 'Kind of a signup field.'));

export const SignupField = bodyOf(SignupFieldAdded, {
  eventId: reference('event', 'The event whose form it is in.'),
  fieldKey: described(text(0, 120), 'Name for programs, unique within the event.', 'shirtSize'),
  label: described(prose, 'The label that people read.', EXAMPLES.signupField.name),
  description: described(prose.nullable(), 'Description for people, or null.', 'For the shirts of the finalists'),
  type: described(TYPES, 'Kind of the field.', 'SELECT'),
  required: described(z.boolean(), 'Whether it must be filled in.', true),
  sortOrder: described(number.nullable(), 'Its place in the form, lowest first; null: anywhere.', 10),
  optionsJson: described(json, 'What can be chosen, for SELECT; any JSON value, stored as sent.', ['S', 'M', 'L']),
  defaultJson: described(json, 'What is filled in at first; any JSON value, stored as sent.', 'M'),
  i18nJson: described(jsonObjectOrNull, 'Label and description in other languages, by locale.', {
    de: { label: 'Hemdgröße' },
  }),
});

const { description, type, required, sortOrder, optionsJson, defaultJson, i18nJson } = SignupField.shape;
export const addSignupField = additionOf(
  'AddSignupField',
  SignupField.extend({
    description: description.default(null),
    type: type.default('TEXT'),
    required: required.default(false),
    sortOrder: sortOrder.default(null),
    optionsJson: optionsJson.default(null),
    defaultJson: defaultJson.default(null),
    i18nJson: i18nJson.default(null),
  }),
);
export const changeSignupField = changeOf('ChangeSignupField', SignupField.partial());
