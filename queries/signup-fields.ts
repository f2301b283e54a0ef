import { SignupField } from '../commands/signup-fields.ts';
import { signupFieldNames, signupFields } from '../projections/signup-fields.ts';
import { equal } from '../src/domain/filters.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const signupFieldQuery = query(signupFields, {
  view: resourceView(
    'SignupField',
    'A field of the form with which people sign up for an event.',
    withNames(SignupField.shape, signupFieldNames),
  ),
  defaultSort: 'sortOrder',
  filters: { eventId: equal('eventId') },
});
