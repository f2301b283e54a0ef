import { expect } from 'chai';
import {
  changeParticipant,
  CheckInBody,
  participantDecider,
  registerParticipant,
} from '../../commands/participants.ts';
import { ERASED_PERSON } from '../../src/domain/erased-person.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { given, happened } from '../support/kernel/given.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';

/** Texts that show nothing: blanks, zero width, bidi, control, combining marks, fillers. */
const INVISIBLE = ['', ' \t\n\u00a0\u3000', '\u200b\u200d\ufeff', '\u202e\u2066\u200f', '\u0001\u0085', '\u0301\u20dd'];
const FILLERS = ['\u115f\u3164\uffa0', '\u2800', '\u00ad\u034f\u{e0001}', '\ufe0f'];

const person = {
  licenseId: ACME,
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.org',
  phoneNumber: '',
  extraFieldsJson: {},
};
const registered = happened('ParticipantRegistered', person);

function register(names: { readonly firstName?: string; readonly lastName?: string } = {}) {
  return { type: 'RegisterParticipant', data: { ...person, ...names } } as const;
}

/** The commands that a body with a change comes to. */
function change(body: JsonObject) {
  return changeParticipant.commands(changeParticipant.body.parse(body), {});
}

describe('registering a participant', () => {
  it('records the person', () => given(participantDecider).when(register()).then(registered));

  it('accepts a name of any characters that can be seen', () => {
    for (const lastName of ['.', '🏁', 'é', 'e\u0301', '李', '\u200e.', '\ue000'])
      given(participantDecider)
        .when(register({ firstName: '', lastName }))
        .then(happened('ParticipantRegistered', { ...person, firstName: '', lastName }));
  });

  it('takes further fields as an object or as its text', () => {
    for (const extraFieldsJson of [{ shirtSize: 'M' }, '{"shirtSize":"M"}']) {
      const body = registerParticipant.body.parse({ ...person, extraFieldsJson });
      given(participantDecider)
        .when(...registerParticipant.commands(body, {}))
        .then(happened('ParticipantRegistered', { ...person, nickname: null, extraFieldsJson: { shirtSize: 'M' } }));
    }
  });
});

describe('changing a participant', () => {
  const changes = [
    [{ firstName: 'Augusta' }, happened('ParticipantRenamed', { firstName: 'Augusta', lastName: 'Byron' })],
    [{ phoneNumber: '1' }, happened('ParticipantContactChanged', { email: 'ada@example.org', phoneNumber: '1' })],
    [
      { extraFieldsJson: { shirtSize: 'M' } },
      happened('ParticipantExtraFieldsChanged', { extraFieldsJson: { shirtSize: 'M' } }),
    ],
    [{ licenseId: BETA }, happened('ParticipantMovedToLicense', { from: ACME, to: BETA })],
    [
      { licenseId: BETA, lastName: 'King' },
      happened('ParticipantRenamed', { firstName: 'Ada', lastName: 'King' }),
      happened('ParticipantMovedToLicense', { from: ACME, to: BETA }),
    ],
    [{ firstName: 'Ada', licenseId: ACME }],
    [{}],
  ] as const;
  for (const [body, ...events] of changes) {
    it(`records what changed, with the fields that belong to it: ${JSON.stringify(body)}`, () =>
      given(participantDecider, registered)
        .when(...change(body))
        .then(...events));
  }

  it('refuses a participant who does not exist', () => {
    for (const body of [{ firstName: 'Ada' }, { phoneNumber: '1' }, { licenseId: BETA }, {}])
      given(participantDecider)
        .when(...change(body))
        .thenRejected('NOT_FOUND');
  });
});

describe('the names of a participant', () => {
  for (const blank of [...INVISIBLE, ...FILLERS]) {
    const codes = Array.from(blank, (character) => character.codePointAt(0)?.toString(16)).join(' ');
    const withoutFirstName = happened('ParticipantRegistered', { ...person, firstName: blank });

    it(`are refused at registration if neither can be seen: [${codes}]`, () =>
      given(participantDecider)
        .when(register({ firstName: blank, lastName: blank }))
        .thenRejected('INVALID', '/firstName'));

    it(`are accepted if one can be seen, beside [${codes}]`, () => {
      given(participantDecider)
        .when(register({ firstName: blank }))
        .then(withoutFirstName);
      given(participantDecider, registered)
        .when({ type: 'RenameParticipant', data: { lastName: blank } })
        .then(happened('ParticipantRenamed', { firstName: 'Ada', lastName: blank }));
    });

    it(`are refused if a change leaves none that can be seen: [${codes}]`, () =>
      given(participantDecider, withoutFirstName)
        .when({ type: 'RenameParticipant', data: { lastName: blank } })
        .thenRejected('INVALID', '/firstName'));
  }

  it('do not hinder other changes where an earlier release accepted a person without one', () =>
    given(participantDecider, happened('ParticipantRegistered', { ...person, firstName: '', lastName: ' ' }))
      .when({ type: 'ChangeParticipantContact', data: { phoneNumber: '1' } })
      .then(happened('ParticipantContactChanged', { email: person.email, phoneNumber: '1' })));
});

describe('a check-in', () => {
  const checkedIn = { ...person, venueId: BETA, eventId: null };

  it('is one event, and changes like every other participant', () => {
    given(participantDecider)
      .when({ type: 'CheckInParticipant', data: checkedIn })
      .then(happened('ParticipantCheckedIn', checkedIn));
    given(participantDecider, happened('ParticipantCheckedIn', checkedIn))
      .when({ type: 'RenameParticipant', data: { lastName: '' } })
      .then(happened('ParticipantRenamed', { firstName: 'Ada', lastName: '' }));
  });

  it('belongs to the venue until it moves to another licence', () => {
    const moved = happened('ParticipantMovedToLicense', { from: ACME, to: BETA });
    const stateAfter = (...events: Parameters<typeof participantDecider.evolve>[1][]) =>
      events.reduce((state, event) => participantDecider.evolve(state, event), participantDecider.initial);
    const before = stateAfter(happened('ParticipantCheckedIn', { ...checkedIn, eventId: ACME }));
    expect(before).to.include({ venueId: BETA, eventId: ACME });
    expect(participantDecider.evolve(before, moved)).to.include({ licenseId: BETA, venueId: null, eventId: null });
  });

  it('has a body whose absent fields are empty, a first name that shows something, and no wrong field', () => {
    const read = (body: JsonObject) => CheckInBody.safeParse(body);
    expect(read({ firstName: 'Ada', lastName: '' }).data).to.deep.equal({
      firstName: 'Ada',
      lastName: '',
      email: '',
      phoneNumber: '',
      nickname: null,
      extraFieldsJson: {},
    });
    for (const wrong of [
      { firstName: ' ' },
      { firstName: 'x'.repeat(121) },
      { lastName: 'x'.repeat(121) },
      { lastName: null },
      { email: 'nobody' },
      { phoneNumber: 'x'.repeat(121) },
      { extraFieldsJson: '[]' },
      { eventId: 'no id' },
    ])
      expect(read({ firstName: 'Ada', lastName: '', ...wrong }).success, JSON.stringify(wrong)).to.equal(false);
    expect(read({ lastName: 'Byron' }).success).to.equal(false);
    expect(read({ firstName: 'Ada' }).success).to.equal(false);
  });
});

describe('the erasure of a participant', () => {
  const erase = { type: 'EraseParticipant', data: {} } as const;
  const erased = happened('ParticipantErased', {});

  it('is recorded once, without any value', () => {
    given(participantDecider, registered).when(erase).then(erased);
    given(participantDecider, registered, erased).when(erase).then();
    given(participantDecider).when(erase).thenRejected('NOT_FOUND');
  });

  it('leaves none of their values, and the licence', () => {
    const events = [
      happened('ParticipantRegistered', {
        ...person,
        phoneNumber: '1',
        nickname: 'Ace',
        extraFieldsJson: { size: 'M' },
      }),
      erased,
    ];
    const state = events.reduce(
      (before, event) => participantDecider.evolve(before, event),
      participantDecider.initial,
    );
    expect(state).to.deep.include({ ...ERASED_PERSON, licenseId: ACME });
    expect(participantDecider.claim?.key(state)).to.equal(ACME);
  });

  it('refuses whatever would change them afterwards', () => {
    for (const body of [
      { firstName: 'Ada' },
      { lastName: '' },
      { nickname: 'Ace' },
      { email: 'ada@example.org' },
      { phoneNumber: '1' },
      { extraFieldsJson: { shirtSize: 'M' } },
      { licenseId: BETA },
      { firstName: 'Erased' },
    ])
      given(participantDecider, registered, erased)
        .when(...change(body))
        .thenRejected('PARTICIPANT_ERASED');
  });
});

// The command handler refuses a second participant of the licence with it: test/kernel/aggregate/claims.test.ts.
describe('the licence of a participant', () => {
  const { claim } = participantDecider;

  it('is a unique key', () => {
    expect(claim?.key({ ...person, venueId: null, eventId: null, nickname: null })).to.equal(ACME);
    expect(claim?.key(null)).to.equal(null);
  });

  it('is refused for a second one, and names the field', () => {
    expect(claim?.taken.code).to.equal('TAKEN');
    expect(claim?.taken.faults.map(({ pointer }) => pointer)).to.deep.equal(['/licenseId']);
  });
});
