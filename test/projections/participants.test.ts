import { expect } from 'chai';
import { licensesProjection } from '../../projections/licenses.ts';
import { fullName, participants, participantsProjection } from '../../projections/participants.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';
const GROUP = [licensesProjection, participantsProjection];

const issued = (id: string, displayName: string) => ({
  stream: `license-${id}`,
  type: 'LicenseIssued',
  data: { name: displayName, displayName, licenseKey: id },
});
const ada = {
  licenseId: ACME,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phoneNumber: '+44 1',
  extraFieldsJson: { shirt: 'M', sizes: { shoe: 38 } },
};
const registered = (stream: string, licenseId: string) => ({
  stream,
  type: 'ParticipantRegistered',
  data: { ...ada, licenseId },
});

const history = [issued(ACME, 'Acme'), issued(BETA, 'Beta'), registered('participant-1', ACME)];
const shown = {
  id: '1',
  ...ada,
  licenseDisplayName: 'Acme',
  createdAt: minute(2),
  updatedAt: minute(2),
  _createdBy: null,
  _owners: [ACME],
  _created: 3,
  _position: 3,
  _revision: 0,
};
describe('participants projection', () => {
  it('shows a new participant with the name of the license', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history);
    expect(await thenDocument(participants, '1')).to.deep.equal(shown);
  });

  it('tells the licence that it moved to from the one that it left', async () => {
    const moved = { stream: 'participant-1', type: 'ParticipantMovedToLicense', data: { from: ACME, to: BETA } };
    const { thenDocument } = await givenHistory(GROUP, ...history, moved);
    expect(await thenDocument(participants, '1')).to.include({ licenseId: BETA, licenseDisplayName: 'Beta' });
    expect((await thenDocument(participants, '1'))?.['_owners']).to.deep.equal([BETA]);
  });
});

describe('full name', () => {
  it('joins first and last name, of which either may be empty', () => {
    expect(fullName(ada)).to.equal('Ada Lovelace');
    expect(fullName({ firstName: '', lastName: 'Lovelace' })).to.equal('Lovelace');
    expect(fullName({ firstName: 'Ada', lastName: '' })).to.equal('Ada');
    expect(fullName({ firstName: '', lastName: '' })).to.equal('');
    expect(fullName({ firstName: 'Max Emilian', lastName: 'van der Meer' })).to.equal('Max Emilian van der Meer');
  });
});
