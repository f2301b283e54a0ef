import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { json, jsonObjectOrNull, text, uuid } from '../src/domain/fields.ts';
import { references } from '../src/domain/references.ts';
import { changedFields, eventIf, eventIfChanged, changedReference } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';
import { reject } from '../src/kernel/aggregate/rejections.ts';

/** Kinds of input (SPEC.md "SignupField"). */
export const FIELD_TYPES = ['TEXT', 'TEXT_AREA', 'EMAIL', 'NUMBER', 'SELECT', 'CHECKBOX', 'CONSENT', 'DATE'] as const;

const field = {
  eventId: uuid,
  fieldKey: text(0, 120),
  label: z.string(),
  description: z.string().nullable(),
  type: z.enum(FIELD_TYPES),
  required: z.boolean(),
  sortOrder: z.number().nullable(),
  optionsJson: json,
  defaultJson: json,
  i18nJson: jsonObjectOrNull,
};

const AddSignupFieldBody = z
  .object({
    ...field,
    description: field.description.default(null),
    type: field.type.default('TEXT'),
    required: field.required.default(false),
    sortOrder: field.sortOrder.default(null),
    optionsJson: field.optionsJson.default(null),
    defaultJson: field.defaultJson.default(null),
    i18nJson: field.i18nJson.default(null),
  })
  .meta({ id: 'AddSignupField' });
const ChangeSignupFieldBody = z.object(field).partial().meta({ id: 'ChangeSignupField' });

const fieldReferences = references({ eventId: 'event' });

export const signupFieldEvents = {
  SignupFieldAdded: eventType(z.object(field)),
  SignupFieldMovedToEvent: eventType(z.object({ from: uuid, to: uuid })),
  SignupFieldKeyChanged: eventType(z.object({ fieldKey: field.fieldKey })),
  SignupFieldReworded: eventType(z.object({ label: field.label, description: field.description })),
  SignupFieldLocalized: eventType(z.object({ i18nJson: field.i18nJson })),
  /** What can be entered changed. */
  SignupFieldInputChanged: eventType(z.object({ type: field.type, optionsJson: json, defaultJson: json })),
  SignupFieldMadeRequired: eventType(z.object({})),
  SignupFieldMadeOptional: eventType(z.object({})),
  SignupFieldReordered: eventType(z.object({ sortOrder: field.sortOrder })),
};

type SignupField = z.output<typeof AddSignupFieldBody>;

export type SignupFieldCommand =
  | { readonly type: 'AddSignupField'; readonly data: SignupField }
  | { readonly type: 'ChangeSignupField'; readonly data: z.output<typeof ChangeSignupFieldBody> };

export const signupFieldDecider = decider<SignupField | null, SignupFieldCommand, typeof signupFieldEvents>({
  category: 'signupField',
  initial: null,
  events: signupFieldEvents,
  claim: {
    category: 'signupFieldKey',
    key: (state) => (state === null ? null : JSON.stringify([state.eventId, state.fieldKey])),
    taken: reject('TAKEN', 'Another signup field of this event has this key.', '/fieldKey'),
  },
  evolve: {
    SignupFieldAdded: (_, data) => data,
    SignupFieldMovedToEvent: evolveExisting((state, { to }) => ({ ...state, eventId: to })),
    SignupFieldKeyChanged: mergeFields,
    SignupFieldReworded: mergeFields,
    SignupFieldLocalized: mergeFields,
    SignupFieldInputChanged: mergeFields,
    SignupFieldMadeRequired: evolveExisting((state) => ({ ...state, required: true })),
    SignupFieldMadeOptional: evolveExisting((state) => ({ ...state, required: false })),
    SignupFieldReordered: mergeFields,
  },
  decide: {
    AddSignupField: whenAbsent((data) => [{ type: 'SignupFieldAdded', data }]),
    ChangeSignupField: whenPresent((state, change) => [
      ...eventIfChanged('SignupFieldMovedToEvent', changedReference(state, change, 'eventId')),
      ...eventIfChanged('SignupFieldKeyChanged', changedFields(state, change, 'fieldKey')),
      ...eventIfChanged('SignupFieldReworded', changedFields(state, change, 'label', 'description')),
      ...eventIfChanged('SignupFieldLocalized', changedFields(state, change, 'i18nJson')),
      ...eventIfChanged('SignupFieldInputChanged', changedFields(state, change, 'type', 'optionsJson', 'defaultJson')),
      ...eventIf(change.required === true && !state.required, 'SignupFieldMadeRequired'),
      ...eventIf(change.required === false && state.required, 'SignupFieldMadeOptional'),
      ...eventIfChanged('SignupFieldReordered', changedFields(state, change, 'sortOrder')),
    ]),
  },
});

export const addSignupField = bodyCommand({
  decider: signupFieldDecider,
  body: AddSignupFieldBody,
  references: fieldReferences,
  command: (data): SignupFieldCommand => ({ type: 'AddSignupField', data }),
});

export const changeSignupField = bodyCommand({
  decider: signupFieldDecider,
  body: ChangeSignupFieldBody,
  references: fieldReferences,
  command: (data): SignupFieldCommand => ({ type: 'ChangeSignupField', data }),
});
