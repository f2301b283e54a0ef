import { expect } from 'chai';
import { licensesProjection } from '../../projections/licenses.ts';
import { fullName } from '../../projections/laps.ts';
import { participants, participantsProjection, registrantAfter } from '../../projections/participants.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { givenHistory, minute, recorded, type HistoryEvent } from '../support/kernel/projecting.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';
const OTHER = '00000000-0000-7000-8000-0000000000a3';
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

describe('the owners of a participant that was registered for another licence', () => {
  type Told = readonly [type: string, data: JsonObject];
  const by = (licenseId: string, [type, data]: Told, role?: string): HistoryEvent => ({
    ...{ stream: 'participant-1', type, data, by: { licenseId, ...(role !== undefined && { role }) } },
  });
  const registeredForAcme = by(BETA, ['ParticipantRegistered', ada], 'CRUD');
  const contact: Told = ['ParticipantContactChanged', { email: '', phoneNumber: '' }];
  const renamed: Told = ['ParticipantRenamed', { firstName: 'A', lastName: '' }];

  /** The owners by the document after a history, and the registrant by the events. */
  const ownersAfter = async (...events: readonly HistoryEvent[]) => {
    const { thenDocument } = await givenHistory(GROUP, ...history.slice(0, 2), registeredForAcme, ...events);
    const document = await thenDocument(participants, '1');
    const inStream = recorded([registeredForAcme, ...events]);
    expect(document?.['_createdBy']).to.equal(inStream.reduce<string | null>(registrantAfter, null));
    return document?.['_owners'];
  };

  it('are both while the registering one changes it', async () => {
    expect(await ownersAfter()).to.deep.equal([ACME, BETA]);
    for (const told of [contact, renamed]) {
      expect(await ownersAfter(by(BETA, told, 'CRUD'), by(BETA, told, 'CR'))).to.deep.equal([ACME, BETA]);
    }
  });

  it('are the other one alone once another licence has changed it, in old events too', async () => {
    for (const told of [contact, renamed]) {
      for (const role of ['CRUD', 'ADMIN', undefined]) {
        const events = [by(ACME, told, role), by(BETA, told, role)];
        expect(await ownersAfter(...events)).to.deep.equal([ACME]);
      }
    }
  });

  it('are the other one alone once an ADMIN key has changed it, of whichever licence', async () => {
    expect(await ownersAfter(by(BETA, renamed, 'ADMIN'))).to.deep.equal([ACME]);
  });

  it('are the licence that it moved to, though an owner moved it, as release 0.1.0 allowed', async () => {
    const move: Told = ['ParticipantMovedToLicense', { from: ACME, to: OTHER }];
    for (const mover of [ACME, BETA]) {
      expect(await ownersAfter(by(mover, move), by(mover, renamed))).to.deep.equal([OTHER]);
    }
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
