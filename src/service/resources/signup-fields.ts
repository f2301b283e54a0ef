import { addSignupField, changeSignupField, signupFieldDecider } from '../../../commands/signup-fields.ts';
import { signupFieldQuery } from '../../../queries/signup-fields.ts';
import { resource } from './resource.ts';

export const signupFieldResource = resource({
  path: '/api/v1/signup-fields',
  decider: signupFieldDecider,
  query: signupFieldQuery,
  create: addSignupField,
  change: changeSignupField,
  access: {
    read: 'public',
    write: 'CRUD',
    owner: { kind: 'creator' },
    parents: [{ field: 'eventId', category: 'event' }],
  },
  history: false,
  export: { name: 'signup-fields' },
});
