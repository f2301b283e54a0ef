import { rigPairingDecider, type RigPairingCommand } from '../../commands/rig-pairings.ts';
import type { DecidedEvent } from '../../src/kernel/event-types.ts';
import { given, happened } from '../support/kernel/given.ts';

const VENUE = '00000000-0000-7000-8000-0000000000a2';
const RIG = '00000000-0000-7000-8000-0000000000a1';
const OTHER_RIG = '00000000-0000-7000-8000-0000000000a3';
const HARDWARE = 'SR-2024-00417';

const at = (time: string): string => `2026-05-01T${time}.000Z`;
const offer = { licenseId: VENUE, name: 'Rig 7', expiresAt: at('20:10:00') };
const offered = happened('RigPairingOffered', offer);

function redeemed(rigId = RIG, hardwareId = HARDWARE): DecidedEvent {
  return happened('RigPairingRedeemed', { rigId, hardwareId });
}

function redeem(time: string, rigId = RIG, hardwareId = HARDWARE): RigPairingCommand {
  return { type: 'RedeemRigPairing', data: { rigId, hardwareId, now: at(time) } };
}

describe('pairing a rig', () => {
  it('is offered once under a code', () => {
    given(rigPairingDecider).when({ type: 'OfferRigPairing', data: offer }).then(offered);
    given(rigPairingDecider, offered).when({ type: 'OfferRigPairing', data: offer }).thenNothing();
  });

  it('registers one rig, before the code expires', () => {
    given(rigPairingDecider, offered).when(redeem('20:09:59')).then(redeemed());
    given(rigPairingDecider, offered).when(redeem('20:10:00')).thenRejected('NOT_FOUND');
    given(rigPairingDecider).when(redeem('20:00:00')).thenRejected('NOT_FOUND');
    given(rigPairingDecider, offered, redeemed()).when(redeem('20:01:00', OTHER_RIG)).thenRejected('NOT_FOUND');
    given(rigPairingDecider, offered, redeemed())
      .when(redeem('20:01:00', RIG, 'other'))
      .thenRejected('NOT_FOUND');
  });

  it('records nothing for the rig that has used the code already, then too', () => {
    given(rigPairingDecider, offered, redeemed()).when(redeem('21:00:00')).thenNothing();
  });
});
