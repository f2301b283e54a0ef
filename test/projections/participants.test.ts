import { expect } from 'chai';
import { participantEvents } from '../../commands/participants.ts';
import { licensesProjection } from '../../projections/licenses.ts';
import { fullName, participants, participantsProjection } from '../../projections/participants.ts';
import { itFollows } from '../support/event-store/following.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';
const GROUP = [licensesProjection, participantsProjection];

const issued = (id: string, displayName: string) => ({
  stream: `license-${id}`,
  type: 'LicenseIssued',
  data: { name: displayName, displayName, licenseKey: id },
});
const licenseRenamed = (id: string, displayName: string) => ({
  stream: `license-${id}`,
  type: 'LicenseRenamed',
  data: { displayName },
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
const king = { firstName: 'Augusta', lastName: 'King' };
const contact = { email: 'king@example.org', phoneNumber: '' };

describe('participants projection', () => {
  it('shows a new participant with the name of the license', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history);
    expect(await thenDocument(participants, '1')).to.deep.equal(shown);
  });

  itFollows({
    projections: GROUP,
    model: participants,
    born: history,
    events: participantEvents,
    created: 'ParticipantRegistered',
    changes: {
      ParticipantRenamed: { data: king, shows: king },
      ParticipantContactChanged: { data: contact, shows: contact },
      ParticipantExtraFieldsChanged: {
        data: { extraFieldsJson: { size: 'L' } },
        shows: { extraFieldsJson: { size: 'L' } },
      },
      ParticipantMovedToLicense: {
        data: { from: ACME, to: BETA },
        shows: { licenseId: BETA, licenseDisplayName: 'Beta', _owners: [BETA] },
      },
    },
  });

  it('shows the new name of a license on its participants alone', async () => {
    const { thenDocument } = await givenHistory(
      GROUP,
      ...history,
      registered('participant-2', BETA),
      licenseRenamed(ACME, 'Acme Racing'),
    );
    expect(await thenDocument(participants, '1')).to.deep.equal({
      ...shown,
      licenseDisplayName: 'Acme Racing',
      _position: 5,
    });
    expect(await thenDocument(participants, '2')).to.include({ licenseDisplayName: 'Beta', _position: 4 });
  });

  it('follows the name of the license that a participant moved to, not of the one left', async () => {
    const { thenDocument } = await givenHistory(
      GROUP,
      ...history,
      licenseRenamed(BETA, 'Beta GT'),
      { stream: 'participant-1', type: 'ParticipantMovedToLicense', data: { from: ACME, to: BETA } },
      licenseRenamed(ACME, 'Acme Racing'),
    );
    expect(await thenDocument(participants, '1')).to.include({
      licenseDisplayName: 'Beta GT',
      updatedAt: minute(4),
      _position: 5,
      _revision: 1,
    });
  });

  it('is not touched by other changes of its license', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history, {
      stream: `license-${ACME}`,
      type: 'LicenseDisabled',
      data: {},
    });
    expect(await thenDocument(participants, '1')).to.deep.equal(shown);
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
