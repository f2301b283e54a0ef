import { z } from 'zod';
import { Rig } from './rigs.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { Id, Moment, Text } from '../src/domain/facts.ts';
import { described, name, text } from '../src/domain/fields.ts';
import { decider, evolveExisting, whenAbsent } from '../src/kernel/aggregate/decider.ts';
import { reject, type Rejection } from '../src/kernel/aggregate/rejection.ts';
import { eventType, type EventOf } from '../src/kernel/event-types.ts';

/** Time, in ms, for which the code of a pairing is valid. */
export const CODE_VALID_MS = 10 * 60_000;

const Offered = z.object({
  /** The licence that the rig is to belong to. */
  licenseId: Id,
  /** The name that the rig is to have. */
  name: Text,
  expiresAt: Moment,
});

const Redeemed = z.object({ rigId: Id, hardwareId: Text });

export const rigPairingEvents = { RigPairingOffered: eventType(Offered), RigPairingRedeemed: eventType(Redeemed) };
type PairingEvent = EventOf<typeof rigPairingEvents>;

/** An offer to register a rig without a key, to whoever has its code. The code itself is stored nowhere. */
export interface RigPairing extends z.output<typeof Offered> {
  /** The rig that was registered by it; null: the code was not used. */
  readonly redeemed: z.output<typeof Redeemed> | null;
}

interface RedeemRigPairing extends z.output<typeof Redeemed> {
  /** Now, ISO 8601. */
  readonly now: string;
}

export type RigPairingCommand =
  | { readonly type: 'OfferRigPairing'; readonly data: z.output<typeof Offered> }
  | { readonly type: 'RedeemRigPairing'; readonly data: RedeemRigPairing };

/** The rejection of a code; it does not say whether there ever was one. */
export const NO_SUCH_CODE = reject('NOT_FOUND', 'This code does not exist, has expired, or has been used.');

export const rigPairingDecider = decider<RigPairing, RigPairingCommand, typeof rigPairingEvents>({
  category: 'rigPairing',
  events: rigPairingEvents,
  evolve: {
    RigPairingOffered: (_, data) => ({ ...data, redeemed: null }),
    RigPairingRedeemed: evolveExisting((state, redeemed) => ({ ...state, redeemed })),
  },
  decide: {
    OfferRigPairing: whenAbsent((data: z.output<typeof Offered>) => [{ type: 'RigPairingOffered', data }]),
    /** The same rig may redeem it again, as a retry does; that records nothing. */
    RedeemRigPairing(state, { rigId, hardwareId, now }): readonly PairingEvent[] | Rejection {
      const redeemed = state?.redeemed ?? null;
      if (redeemed !== null && redeemed.rigId === rigId && redeemed.hardwareId === hardwareId) return [];
      if (state === null || redeemed !== null || state.expiresAt <= now) return NO_SUCH_CODE;
      return [{ type: 'RigPairingRedeemed', data: { rigId, hardwareId } }];
    },
  },
});

export const OfferRigPairingBody = z
  .object({ name: described(name(2, 120), 'Name that the rig is to have.', EXAMPLES.rig.name) })
  .meta({ id: 'OfferRigPairing' });

export const RedeemRigPairingBody = z
  .object({
    code: described(text(1, 64), 'The code, in any case, with or without blanks and hyphens.', 'K7QM-4XRD'),
    hardwareId: Rig.shape.hardwareId,
  })
  .meta({ id: 'RedeemRigPairing' });
