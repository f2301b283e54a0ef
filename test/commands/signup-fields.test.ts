import { expect } from 'chai';
import { addSignupField, changeSignupField, SignupField, signupFieldDecider } from '../../commands/signup-fields.ts';
import { bodies, letters } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const CUP = '00000000-0000-7000-8000-0000000000e1';
const OPEN = '00000000-0000-7000-8000-0000000000e2';

const bare = {
  eventId: CUP,
  fieldKey: 'shirt',
  label: 'Shirt',
  description: null,
  type: 'TEXT' as const,
  required: false,
  sortOrder: null,
  optionsJson: null,
  defaultJson: null,
  i18nJson: null,
};
const full = {
  ...bare,
  description: 'For the podium',
  type: 'SELECT' as const,
  required: true,
  sortOrder: 3,
  optionsJson: [{ value: 'm' }, { value: 'l' }],
  defaultJson: 'm',
  i18nJson: { de: { label: 'Hemd' } },
};
const added = happened('SignupFieldAdded', full);

describe('signup field', () => {
  it('is added', () => {
    given(signupFieldDecider).when({ type: 'AddSignupField', data: bare }).then(happened('SignupFieldAdded', bare));
    given(signupFieldDecider).when({ type: 'AddSignupField', data: full }).then(added);
  });

  it('says what changed, and only that', () => {
    given(signupFieldDecider, added)
      .when({
        type: 'ChangeSignupField',
        data: {
          ...full,
          eventId: OPEN,
          fieldKey: 'size',
          label: 'Size',
          i18nJson: {},
          defaultJson: 'l',
          sortOrder: 1.5,
        },
      })
      .then(
        happened('SignupFieldMovedToEvent', { from: CUP, to: OPEN }),
        happened('SignupFieldKeyChanged', { fieldKey: 'size' }),
        happened('SignupFieldReworded', { label: 'Size', description: full.description }),
        happened('SignupFieldLocalized', { i18nJson: {} }),
        happened('SignupFieldInputChanged', { type: 'SELECT', optionsJson: full.optionsJson, defaultJson: 'l' }),
        happened('SignupFieldReordered', { sortOrder: 1.5 }),
      );
  });

  it('forgets what is set to null', () => {
    const cleared = { description: null, sortOrder: null, optionsJson: null, defaultJson: null, i18nJson: null };
    given(signupFieldDecider, added)
      .when({ type: 'ChangeSignupField', data: cleared })
      .then(
        happened('SignupFieldReworded', { label: 'Shirt', description: null }),
        happened('SignupFieldLocalized', { i18nJson: null }),
        happened('SignupFieldInputChanged', { type: 'SELECT', optionsJson: null, defaultJson: null }),
        happened('SignupFieldReordered', { sortOrder: null }),
      );
  });

  it('becomes optional once, and required again', () => {
    const optional = happened('SignupFieldMadeOptional');
    const makeOptional = { type: 'ChangeSignupField', data: { required: false } } as const;
    given(signupFieldDecider, added).when(makeOptional).then(optional);
    given(signupFieldDecider, added, optional).when(makeOptional).thenNothing();
    given(signupFieldDecider, added, optional)
      .when({ type: 'ChangeSignupField', data: { required: true } })
      .then(happened('SignupFieldMadeRequired'));
  });

  it('records nothing when nothing changes', () => {
    given(signupFieldDecider, added)
      .when({ type: 'ChangeSignupField', data: structuredClone(full) })
      .thenNothing();
    given(signupFieldDecider, added).when({ type: 'ChangeSignupField', data: {} }).thenNothing();
  });

  it('cannot be changed before it exists', () => {
    given(signupFieldDecider)
      .when({ type: 'ChangeSignupField', data: { label: 'Size' } })
      .thenRejected('NOT_FOUND');
  });

  it('holds its key within its event', () => {
    const { claim } = signupFieldDecider;
    expect(claim?.category).to.equal('signupFieldKey');
    expect(claim?.key(null)).to.equal(null);
    expect(claim?.key(bare)).to.equal(`["${CUP}","shirt"]`);
    expect(claim?.key({ ...bare, eventId: OPEN })).to.equal(`["${OPEN}","shirt"]`);
    expect(claim?.key({ ...bare, fieldKey: 'Shirt' })).to.not.equal(claim?.key(bare));
    expect(claim?.taken.code).to.equal('TAKEN');
    expect(claim?.taken.faults.map(({ pointer }) => pointer)).to.deep.equal(['/fieldKey']);
  });

  it('refers to its event', () => {
    for (const { references } of [addSignupField, changeSignupField]) {
      expect(references).to.deep.equal({ eventId: 'event' });
    }
  });
});

describe('signup field bodies', () => {
  const { takes, refuses, takesLengths, needsOnly } = bodies(addSignupField, changeSignupField, full);

  it('leave out what has a default', () => {
    const { eventId, fieldKey, label } = bare;
    expect(addSignupField.body.parse({ eventId, fieldKey, label, colour: 'red' })).to.deep.equal(bare);
    needsOnly('eventId', 'fieldKey', 'label');
  });

  it('hold every field to its bounds', () => {
    takesLengths('fieldKey', 0, 120);
    refuses('fieldKey', null, 1);
    takes('label', '', letters(500));
    refuses('label', null, 1);
    takes('description', null, '', letters(500));
    refuses('description', 1);
    takes('type', ...SignupField.shape.type.options);
    refuses('type', 'text', '', null);
    refuses('required', null, 'true', 1);
    takes('sortOrder', null, -1, 0, 1.5);
    refuses('sortOrder', '1', NaN, Infinity);
    refuses('eventId', null, '', 'cup');
  });

  it('keep JSON as it was sent', () => {
    const strange: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":2,"$set":{"a.b":null},"":[[]]}');
    for (const value of [null, 'x', 0, false, [], {}, [{ value: null }], strange]) {
      takes('optionsJson', value);
      takes('defaultJson', value);
    }
    takes('i18nJson', null, {}, strange);
    refuses('i18nJson', [], 'x', 1, true);
    const body = changeSignupField.body.parse({ optionsJson: strange, i18nJson: strange });
    expect(JSON.stringify(body.optionsJson)).to.equal(JSON.stringify(strange));
    expect(JSON.stringify(body.i18nJson)).to.equal(JSON.stringify(strange));
  });
});
