import { participantDecider } from '../../commands/participants.ts';
import { given, happened } from '../support/kernel/given.ts';

/** Texts that show nothing: blanks, zero width, bidi, control, combining marks, fillers. */
const INVISIBLE = ['', ' \t\n\u00a0\u3000', '\u200b\u200d\ufeff', '\u202e\u2066\u200f', '\u0001\u0085', '\u0301\u20dd'];
const FILLERS = ['\u115f\u3164\uffa0', '\u2800', '\u00ad\u034f\u{e0001}', '\ufe0f'];

const person = {
  licenseId: '00000000-0000-7000-8000-0000000000a1',
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@example.org',
  phoneNumber: '',
  extraFieldsJson: {},
};
const registered = happened('ParticipantRegistered', person);

describe('participant', () => {
  for (const blank of [...INVISIBLE, ...FILLERS]) {
    const codes = Array.from(blank, (sign) => sign.codePointAt(0)?.toString(16)).join(' ');
    it(`has one name that shows something, and not two that are [${codes}]`, () => {
      given(participantDecider)
        .when({ type: 'RegisterParticipant', data: { ...person, firstName: blank, lastName: blank } })
        .thenRejected('INVALID', '/firstName');
      given(participantDecider)
        .when({ type: 'RegisterParticipant', data: { ...person, firstName: blank } })
        .then(happened('ParticipantRegistered', { ...person, firstName: blank }));
      given(participantDecider, happened('ParticipantRegistered', { ...person, firstName: blank }))
        .when({ type: 'RenameParticipant', data: { lastName: blank } })
        .thenRejected('INVALID', '/firstName');
      given(participantDecider, registered)
        .when({ type: 'RenameParticipant', data: { lastName: blank } })
        .then(happened('ParticipantRenamed', { firstName: 'Ada', lastName: blank }));
    });
  }

  it('may have a name of any signs that show', () => {
    for (const lastName of ['.', '🏁', 'é', 'e\u0301', '李', '\u200e.', '\ue000']) {
      given(participantDecider)
        .when({ type: 'RegisterParticipant', data: { ...person, firstName: '', lastName } })
        .then(happened('ParticipantRegistered', { ...person, firstName: '', lastName }));
    }
  });

  it('of an earlier release without a name stays as it is, and takes other changes', () =>
    given(participantDecider, happened('ParticipantRegistered', { ...person, firstName: '', lastName: ' ' }))
      .when({ type: 'ChangeParticipantContact', data: { phoneNumber: '1' } })
      .then(happened('ParticipantContactChanged', { email: person.email, phoneNumber: '1' })));
});
