import { racingEvents } from './racing-events.ts';
import { racingEventEvents } from '../commands/racing-events.ts';
import { signupFieldEvents } from '../commands/signup-fields.ts';
import type { Json, JsonObject } from '../src/kernel/json.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** A signup field as it is shown; what is not set is null (SPEC.md "SignupField"). */
export type SignupFieldDocument = DocumentMeta & {
  readonly eventId: string;
  readonly eventName: string;
  readonly fieldKey: string;
  readonly label: string;
  readonly description: string | null;
  readonly type: string;
  readonly required: boolean;
  readonly sortOrder: number | null;
  readonly optionsJson: Json;
  readonly defaultJson: Json;
  readonly i18nJson: JsonObject | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const signupFields = readModel<SignupFieldDocument>('signupFields', {
  category: 'signupField',
  indexes: [['sortOrder'], ['eventId']],
});

export const signupFieldsProjection = projection(
  signupFields,
  { own: signupFieldEvents, others: racingEventEvents },
  {
    SignupFieldAdded: async ({ data, id, at }, look) =>
      signupFields.insert(id, {
        ...data,
        eventName: (await look(racingEvents, data.eventId))?.name ?? '',
        createdAt: at,
        updatedAt: at,
      }),
    SignupFieldMovedToEvent: async ({ data, id, at }, look) =>
      signupFields.set(id, {
        eventId: data.to,
        eventName: (await look(racingEvents, data.to))?.name ?? '',
        updatedAt: at,
      }),
    SignupFieldKeyChanged: ({ data, id, at }) => signupFields.set(id, { ...data, updatedAt: at }),
    SignupFieldReworded: ({ data, id, at }) => signupFields.set(id, { ...data, updatedAt: at }),
    SignupFieldLocalized: ({ data, id, at }) => signupFields.set(id, { ...data, updatedAt: at }),
    SignupFieldInputChanged: ({ data, id, at }) => signupFields.set(id, { ...data, updatedAt: at }),
    SignupFieldMadeRequired: ({ id, at }) => signupFields.set(id, { required: true, updatedAt: at }),
    SignupFieldMadeOptional: ({ id, at }) => signupFields.set(id, { required: false, updatedAt: at }),
    SignupFieldReordered: ({ data, id, at }) => signupFields.set(id, { ...data, updatedAt: at }),
    EventRenamed: ({ data, id }) => signupFields.setWhere('eventId', id, { eventName: data.name }),
  },
);
