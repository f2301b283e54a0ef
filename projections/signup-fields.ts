import { racingEvents } from './racing-events.ts';
import { racingEventEvents } from '../commands/racing-events.ts';
import { signupFieldEvents, type SignupField } from '../commands/signup-fields.ts';
import { resourceProjection, type DocumentOf, type Named } from '../src/domain/documents.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

export const signupFieldNames = { eventId: 'eventName' } as const;

/** A signup field as it is shown; what is not set is null (docs/interface.md#signup-fields). */
export type SignupFieldDocument = DocumentOf<SignupField & Named<typeof signupFieldNames>>;

export const signupFields = readModel<SignupFieldDocument>('signupFields', {
  category: 'signupField',
  indexes: [['sortOrder'], ['eventId']],
});

export const signupFieldsProjection = resourceProjection(
  signupFields,
  { own: signupFieldEvents, others: racingEventEvents },
  {
    SignupFieldAdded: async ({ data, id, at }, look) => {
      const eventName = (await look(racingEvents, data.eventId))?.name ?? '';
      return signupFields.insert(id, { ...data, eventName, createdAt: at, updatedAt: at });
    },
    SignupFieldMovedToEvent: async ({ data: { to }, id, at }, look) => {
      const eventName = (await look(racingEvents, to))?.name ?? '';
      return signupFields.set(id, { eventId: to, eventName, updatedAt: at });
    },
    EventRenamed: ({ data, id }) => signupFields.setWhere('eventId', id, { eventName: data.name }),
  },
);
