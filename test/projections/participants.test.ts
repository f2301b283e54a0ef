import { expect } from 'chai';
import { participants, participantsProjection, registrantAfter } from '../../projections/participants.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { registered } from '../support/history/lap-events.ts';
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
