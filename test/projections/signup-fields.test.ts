import { expect } from 'chai';
import { signupFieldEvents } from '../../commands/signup-fields.ts';
import { racingEventsProjection } from '../../projections/racing-events.ts';
import { signupFields, signupFieldsProjection } from '../../projections/signup-fields.ts';
import { itFollows } from '../support/event-store/following.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const CUP = '00000000-0000-7000-8000-0000000000e1';
const OPEN = '00000000-0000-7000-8000-0000000000e2';
const GROUP = [racingEventsProjection, signupFieldsProjection];

const scheduled = (id: string, name: string) => ({
  stream: `event-${id}`,
  type: 'EventScheduled',
  data: {
    name,
    slug: 'slug',
    description: '',
    mode: null,
    startsAt: null,
    endsAt: null,
    simulatorId: CUP,
    carIds: [CUP],
    trackLayoutIds: [CUP],
    rigIds: [CUP],
    brandIds: [],
    i18nJson: null,
    settingsJson: null,
    enabled: false,
  },
});
const field = {
  eventId: CUP,
  fieldKey: 'shirt',
  label: 'Shirt',
  description: null,
  type: 'TEXT',
  required: false,
  sortOrder: null,
  optionsJson: null,
  defaultJson: null,
  i18nJson: null,
};
const fieldAdded = (stream: string, eventId = CUP) => ({
  stream,
  type: 'SignupFieldAdded',
  data: { ...field, eventId },
});
const history = [scheduled(CUP, 'Cup'), scheduled(OPEN, 'Open'), fieldAdded('signupField-1')];
const shown = {
  id: '1',
  ...field,
  eventName: 'Cup',
  createdAt: minute(2),
  updatedAt: minute(2),
  _created: 3,
  _position: 3,
  _revision: 0,
};
const input = { type: 'SELECT', optionsJson: [{ value: 'm' }, { value: 'l' }], defaultJson: 'm' } as const;
const german = { i18nJson: { de: { label: 'Hemd' } } };

describe('signup fields projection', () => {
  it('shows a new field with the name of its event, and null for what is not set', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history);
    expect(await thenDocument(signupFields, '1')).to.deep.equal(shown);
  });

  itFollows({
    projections: GROUP,
    model: signupFields,
    born: history,
    events: signupFieldEvents,
    created: 'SignupFieldAdded',
    changes: {
      SignupFieldMovedToEvent: { data: { from: CUP, to: OPEN }, shows: { eventId: OPEN, eventName: 'Open' } },
      SignupFieldKeyChanged: { data: { fieldKey: 'size' }, shows: { fieldKey: 'size' } },
      SignupFieldReworded: {
        data: { label: 'Size', description: 'Of the shirt' },
        shows: { label: 'Size', description: 'Of the shirt' },
      },
      SignupFieldLocalized: { data: german, shows: german },
      SignupFieldInputChanged: { data: input, shows: input },
      SignupFieldMadeRequired: { data: {}, shows: { required: true } },
      SignupFieldMadeOptional: { data: {}, shows: { required: false } },
      SignupFieldReordered: { data: { sortOrder: 3 }, shows: { sortOrder: 3 } },
    },
  });

  it('shows the new name of an event on its fields alone', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history, fieldAdded('signupField-2', OPEN), {
      stream: `event-${CUP}`,
      type: 'EventRenamed',
      data: { name: 'Winter Cup' },
    });
    expect(await thenDocument(signupFields, '1')).to.deep.equal({ ...shown, eventName: 'Winter Cup', _position: 5 });
    expect(await thenDocument(signupFields, '2')).to.include({ eventName: 'Open', _position: 4 });
  });

  it('follows the name of the event that a field moved to, not of the one it left', async () => {
    const { thenDocument } = await givenHistory(
      GROUP,
      ...history,
      { stream: `event-${OPEN}`, type: 'EventRenamed', data: { name: 'Open Cup' } },
      { stream: 'signupField-1', type: 'SignupFieldMovedToEvent', data: { from: CUP, to: OPEN } },
      { stream: `event-${CUP}`, type: 'EventRenamed', data: { name: 'Winter Cup' } },
    );
    expect(await thenDocument(signupFields, '1')).to.include({ eventName: 'Open Cup', _position: 5, _revision: 1 });
  });
});
