import { expect } from 'chai';
import { changeParticipant, participantDecider, registerParticipant } from '../../commands/participants.ts';
import { bodies, letters } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';

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
  it('is registered', () => {
    given(participantDecider).when({ type: 'RegisterParticipant', data: ada }).then(registered);
  });

  it('says what changed, and where it moved from', () => {
    given(participantDecider, registered)
      .when({
        type: 'ChangeParticipant',
        data: {
          licenseId: BETA,
          firstName: 'Augusta',
          lastName: 'King',
          email: 'king@example.org',
          phoneNumber: '',
          extraFieldsJson: {},
        },
      })
      .then(
        happened('ParticipantRenamed', { firstName: 'Augusta', lastName: 'King' }),
        happened('ParticipantContactChanged', { email: 'king@example.org', phoneNumber: '' }),
        happened('ParticipantExtraFieldsChanged', { extraFieldsJson: {} }),
        happened('ParticipantMovedToLicense', { from: ACME, to: BETA }),
      );
  });

  it('says what goes together as a whole', () => {
    const changes = [
      [{ firstName: 'Augusta' }, 'ParticipantRenamed', { firstName: 'Augusta', lastName: 'Lovelace' }],
      [{ lastName: 'King' }, 'ParticipantRenamed', { firstName: 'Ada', lastName: 'King' }],
      [{ email: 'a@b.org' }, 'ParticipantContactChanged', { email: 'a@b.org', phoneNumber: '+44 1' }],
      [{ phoneNumber: '2' }, 'ParticipantContactChanged', { email: 'ada@example.org', phoneNumber: '2' }],
    ] as const;
    for (const [data, type, says] of changes) {
      given(participantDecider, registered).when({ type: 'ChangeParticipant', data }).then(happened(type, says));
    }
  });

  it('replaces the extra fields as a whole', () => {
    for (const extraFieldsJson of [{}, { shirt: 'L' }, { shirt: 'M', sizes: { shoe: null } }]) {
      given(participantDecider, registered)
        .when({ type: 'ChangeParticipant', data: { extraFieldsJson } })
        .then(happened('ParticipantExtraFieldsChanged', { extraFieldsJson }));
    }
  });

  it('remembers where it moved to', () => {
    given(participantDecider, registered, happened('ParticipantMovedToLicense', { from: ACME, to: BETA }))
      .when({ type: 'ChangeParticipant', data: { licenseId: ACME } })
      .then(happened('ParticipantMovedToLicense', { from: BETA, to: ACME }));
  });

  it('records nothing when nothing changes', () => {
    const reordered = { ...ada, extraFieldsJson: { sizes: { shoe: 38 }, shirt: 'M' } };
    for (const data of [ada, reordered, {}]) {
      given(participantDecider, registered).when({ type: 'ChangeParticipant', data }).thenNothing();
    }
  });

  it('cannot be changed before it exists', () => {
    given(participantDecider)
      .when({ type: 'ChangeParticipant', data: { firstName: 'Ada' } })
      .thenRejected('NOT_FOUND');
  });

  it('holds its licence', () => {
    const { claim } = participantDecider;
    expect(claim?.category).to.equal('participantLicense');
    expect(claim?.key(null)).to.equal(null);
    expect(claim?.key(ada)).to.equal(ACME);
    expect(claim?.key({ ...ada, licenseId: BETA })).to.equal(BETA);
    expect(claim?.taken.code).to.equal('TAKEN');
    expect(claim?.taken.faults.map(({ pointer }) => pointer)).to.deep.equal(['/licenseId']);
  });

  it('refers to its licence', () => {
    for (const { references } of [registerParticipant, changeParticipant]) {
      expect(references).to.deep.equal({ licenseId: 'license' });
    }
  });
});

describe('participant bodies', () => {
  const { takes, refuses, takesLengths, needsOnly } = bodies(registerParticipant, changeParticipant, ada);
  const sent = (extraFieldsJson: unknown) => registerParticipant.body.safeParse({ ...ada, extraFieldsJson });

  it('leave out what has a default', () => {
    const { extraFieldsJson: _extra, ...needed } = ada;
    expect(registerParticipant.body.parse({ ...needed, age: 36 })).to.deep.equal({ ...needed, extraFieldsJson: {} });
    needsOnly('licenseId', 'firstName', 'lastName', 'email', 'phoneNumber');
  });

  it('hold every field to its bounds', () => {
    for (const field of ['firstName', 'lastName', 'phoneNumber']) {
      takesLengths(field, 0, 120);
      refuses(field, null, 1);
    }
    refuses('licenseId', null, '', 'acme');
    refuses('email', null, 1);
  });

  it('take an e-mail of the form name@domain.tld', () => {
    takes('email', 'a@b.c', 'a.b+c@mail.example.org', "o'neil@example.org", 'ö@exämple.org');
    refuses('email', '', 'ada', 'ada@', '@b.c', 'ada@example', 'ada@.org', 'ada@example.', 'ada@example..org');
    refuses('email', 'a b@c.d', 'a@b c.d', 'a@b@c.d', ' a@b.c', 'a@b.c ', 'a@b.c\n');
    for (const length of [119, 120]) takes('email', `${letters(length - 4)}@b.c`);
    refuses('email', `${letters(117)}@b.c`);
  });

  it('register with extra fields as the text of an object, or as an object', () => {
    expect(sent('{"shirt":"M","sizes":{"shoe":38}}').data?.extraFieldsJson).to.deep.equal(ada.extraFieldsJson);
    expect(sent(' {} ').data?.extraFieldsJson).to.deep.equal({});
    expect(sent({ a: [null] }).data?.extraFieldsJson).to.deep.equal({ a: [null] });
    const refused = ['', 'shirt', '{', '[]', 'null', '1', '"{}"', '{"a":1}{}', null, 1, true, []];
    for (const value of refused) {
      const paths = sent(value).error?.issues.map(({ path }) => path);
      expect(paths, JSON.stringify(value)).to.deep.equal([['extraFieldsJson']]);
    }
  });

  it('refuse what cannot be kept inside the text', () => {
    const deep = `{"a":${'['.repeat(32)}${']'.repeat(32)}}`;
    for (const text of [String.raw`{"a":"\u0000"}`, String.raw`{"a":"\ud800"}`, '{"__proto__":1}', '{"a":1e999}', deep])
      expect(sent(text).success, text).to.equal(false);
    expect(sent(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`).success).to.equal(true);
  });

  it('change the extra fields by an object only', () => {
    takes('extraFieldsJson', {}, { a: { b: [1] } });
    for (const extraFieldsJson of ['{}', null, [], 1, 'x']) {
      const { error } = changeParticipant.body.safeParse({ extraFieldsJson });
      expect(
        error?.issues.map(({ path }) => path),
        String(extraFieldsJson),
      ).to.deep.equal([['extraFieldsJson']]);
    }
  });
});
