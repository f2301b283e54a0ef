import { entry, of } from '../support/resources/entry.ts';

const KINDS = ['TEXT', 'TEXT_AREA', 'EMAIL', 'NUMBER', 'SELECT', 'CHECKBOX', 'CONSENT', 'DATE'];

/** docs/interface.md#signup-fields */
export default entry('SignupField', 'signup-fields', {
  commands: ['AddSignupField', 'ChangeSignupField'],
  sort: 'sortOrder',
  parents: ['eventId'],
  unique: { category: 'signupFieldKey', fields: ['eventId', 'fieldKey'] },
  filters: { eventId: 'eventId' },
  create: {
    eventId: of.exclusiveReferences('Event', { eventName: 'name' }),
    fieldKey: of.texts(0, 120),
    label: of.prose(),
    description: of.nullable(of.prose()),
    type: of.choices(KINDS, 'TEXT'),
    required: of.flags(false),
    sortOrder: of.nullable(of.anyNumber()),
    optionsJson: of.anyJson(),
    defaultJson: of.anyJson(),
    i18nJson: of.nullable(of.objects(null)),
  },
  events: {
    SignupFieldAdded: 'all',
    SignupFieldMovedToEvent: { moves: 'eventId' },
    SignupFieldKeyChanged: ['fieldKey'],
    SignupFieldReworded: ['label', 'description'],
    SignupFieldLocalized: ['i18nJson'],
    SignupFieldInputChanged: ['type', 'optionsJson', 'defaultJson'],
    SignupFieldMadeRequired: { required: true },
    SignupFieldMadeOptional: { required: false },
    SignupFieldReordered: ['sortOrder'],
  },
});
