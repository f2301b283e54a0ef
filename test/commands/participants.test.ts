import { expect } from 'chai';
import { participantDecider, registerParticipant } from '../../commands/participants.ts';
import { given, happened } from '../support/kernel/given.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';

const ada = {
  licenseId: ACME,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phoneNumber: '+44 1',
  extraFieldsJson: { shirt: 'M', sizes: { shoe: 38 } },
};
const registered = happened('ParticipantRegistered', ada);

describe('participant', () => {
  it('is the same with its extra fields in another order', () => {
    const extraFieldsJson = { sizes: { shoe: 38 }, shirt: 'M' };
    given(participantDecider, registered)
      .when({ type: 'ChangeParticipantExtraFields', data: { extraFieldsJson } })
      .thenNothing();
  });
});

describe('participant bodies', () => {
  const sent = (extraFieldsJson: unknown) => registerParticipant.body.safeParse({ ...ada, extraFieldsJson });

  it('refuse what cannot be kept inside the text', () => {
    const deep = `{"a":${'['.repeat(32)}${']'.repeat(32)}}`;
    const unsafe = ['{"__proto__":1}', '{"a":{"__proto__":1}}', '{"a":[{"__proto__":null}]}'];
    const texts = ['{"a":"\\u0000"}', '{"\\u0000":1}', '{"a":"\\ud800"}', '{"\\udfc1":1}'];
    const numbers = ['{"a":1e999}', '{"a":-1e999}', '{"a":NaN}'];
    const malformed = ["{'a': 1}", '{"a": 1,}', '// x\n{}', '\ufeff{}', '{} {}'];
    for (const text of [...unsafe, ...texts, ...numbers, ...malformed, deep])
      expect(sent(text).success, text).to.equal(false);
    expect(sent(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`).success).to.equal(true);
  });
});
