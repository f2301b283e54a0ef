import { expect } from 'chai';
import { laps, lapsProjection } from '../../projections/laps.ts';
import { leaderboards, leaderboardsProjection } from '../../projections/leaderboards/leaderboards.ts';
import { licensesProjection } from '../../projections/licenses.ts';
import { participants, participantsProjection, registrantAfter } from '../../projections/participants.ts';
import { ERASED_PERSON } from '../../src/domain/erased-person.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { eventOn, recorded as lapRecorded, registered } from '../support/history/lap-events.ts';
import { givenHistory, recorded, type HistoryEvent } from '../support/kernel/projecting.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';
const OTHER = '00000000-0000-7000-8000-0000000000a3';

describe('the owners of a participant that was registered for another licence', () => {
  type Change = readonly [type: string, data: JsonObject];
  const by = (licenseId: string, [type, data]: Change, role?: string): HistoryEvent => ({
    stream: 'participant-1',
    type,
    data,
    by: role === undefined ? { licenseId } : { licenseId, role },
  });
  const { type, data } = registered('1', 'Ada', { licenseId: ACME });
  const registeredForAcme = by(BETA, [type, data], 'CRUD');
  const contact: Change = ['ParticipantContactChanged', { email: '', phoneNumber: '' }];
  const renamed: Change = ['ParticipantRenamed', { firstName: 'A', lastName: '' }];

  /** The owners by the document after a history, and the registrant by the events. */
  const ownersAfter = async (...events: readonly HistoryEvent[]) => {
    const { thenDocument } = await givenHistory([participantsProjection], registeredForAcme, ...events);
    const document = await thenDocument(participants, '1');
    const inStream = recorded([registeredForAcme, ...events]);
    expect(document?.['_createdBy']).to.equal(inStream.reduce<string | null>(registrantAfter, null));
    return document?.['_owners'];
  };

  // `test/api/tenant-isolation.test.ts` has what either licence, ADMIN and the operator make of it.
  it('are that licence alone once another licence has changed it, in old events too', async () => {
    expect(await ownersAfter(by(BETA, contact, 'CRUD'), by(BETA, renamed, 'CR'))).to.deep.equal([ACME, BETA]);
    for (const change of [contact, renamed])
      expect(await ownersAfter(by(ACME, change), by(BETA, change))).to.deep.equal([ACME]);
  });

  it('are the licence that it moved to, even if an owner moved it, as release 0.1.0 allowed', async () => {
    const move: Change = ['ParticipantMovedToLicense', { from: ACME, to: OTHER }];
    for (const mover of [ACME, BETA]) {
      expect(await ownersAfter(by(mover, move), by(mover, renamed))).to.deep.equal([OTHER]);
    }
  });
});

describe('a participant who was erased', () => {
  const erased = eventOn('participant-ada', 'ParticipantErased');
  const license = eventOn('license-license', 'LicenseIssued', { name: 'acme', displayName: 'ACME', licenseKey: 'key' });
  const initials = eventOn('license-license', 'LicensePublicNamesChanged', { publicNames: 'initial' });
  const projections = [licensesProjection, participantsProjection, lapsProjection, leaderboardsProjection];
  const ada = registered('ada', 'Ada', { phoneNumber: '1', nickname: 'Ace', extraFieldsJson: { size: 'M' } });

  for (const [when, history] of [
    ['by the setting of a licence', [license, initials, ada, lapRecorded('1', [1]), erased]],
    ['and a setting that changes later', [license, ada, lapRecorded('1', [1]), erased, initials]],
    ['and laps that are recorded later', [license, ada, erased, lapRecorded('1', [1])]],
  ] as const) {
    it(`is shown as such, whatever was shown before: ${when}`, async () => {
      const { thenDocument } = await givenHistory(projections, ...history);
      const document = await thenDocument(participants, 'ada');
      expect(document).to.deep.include({
        ...ERASED_PERSON,
        publicName: 'Erased participant',
        licenseId: 'license',
        _isErased: true,
        _namedBy: [],
        _publicFirstName: 'Erased',
        _publicLastName: 'participant',
        _publicOrder: 'participant',
        _nameWords: ['erased', 'participant'],
      });
      expect(await thenDocument(laps, '1')).to.include({ participantName: 'Erased participant' });
      const standing = await thenDocument(leaderboards, 'cup:spa:ada');
      expect(standing).to.include({ participantName: 'Erased participant' });
      for (const one of [document, await thenDocument(laps, '1'), standing])
        expect(JSON.stringify(one)).not.to.match(/Ada|Racer|Ace|a@b|size/);
    });
  }

  it('belongs to whoever it belonged to, whoever erased them', async () => {
    const byVenue = { ...ada, by: { licenseId: 'venue', role: 'CRUD' } };
    const byAdmin = { ...erased, by: { licenseId: 'root', role: 'ADMIN' } };
    const { thenDocument } = await givenHistory([participantsProjection], byVenue, byAdmin);
    expect(await thenDocument(participants, 'ada')).to.deep.include({ _owners: ['license', 'venue'] });
  });
});
