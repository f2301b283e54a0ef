import { expect } from 'chai';
import { changeSignupField } from '../../commands/signup-fields.ts';

describe('signup field bodies', () => {
  it('keep JSON as it was sent', () => {
    const strange: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":2,"$set":{"a.b":null},"":[[]]}');
    const body = changeSignupField.body.parse({ optionsJson: strange, i18nJson: strange });
    expect(JSON.stringify(body.optionsJson)).to.equal(JSON.stringify(strange));
    expect(JSON.stringify(body.i18nJson)).to.equal(JSON.stringify(strange));
  });
});
