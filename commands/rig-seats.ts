import { z } from 'zod';
import { commandsFrom } from '../src/domain/body-command.ts';
import { Id, Moment } from '../src/domain/facts.ts';
import { described, instant } from '../src/domain/fields.ts';
import { reference } from '../src/domain/references.ts';
import { decider, evolveExisting } from '../src/kernel/aggregate/decider.ts';
import { reject } from '../src/kernel/aggregate/rejection.ts';
import { eventType, type EventOf } from '../src/kernel/event-types.ts';

/** Who sat on a rig, and in which event. */
const Sitting = z.object({ participantId: Id, eventId: Id });

/** Whoever sat there until then leaves by this event: `before`. */
const Seated = Sitting.extend({
  rigId: Id,
  /** The licence of the rig: a driver sits on one of its rigs at a time. */
  licenseId: Id,
  /** Since when, inclusive. It may lie before earlier events, which then count no longer from that moment on. */
  from: Moment,
  before: Sitting.nullable(),
});
type Seated = z.output<typeof Seated>;

const Left = Sitting.extend({
  rigId: Id,
  /** From when on they no longer sit there. */
  at: Moment,
});

/** A driver who no longer sits there had not been there from a moment on: they sat on another rig. */
const Corrected = z.object({
  rigId: Id,
  participantId: Id,
  /** From when on they did not sit there. */
  from: Moment,
});

export const rigSeatEvents = {
  DriverSeated: eventType(Seated),
  DriverLeft: eventType(Left),
  PastSeatCorrected: eventType(Corrected),
};
type SeatEvent = EventOf<typeof rigSeatEvents>;

/**
 * A time with the same driver in the same event, or with nobody, from a moment until that of the next stint. Stints are
 * linked, the newest one first: a rig has tens of thousands, and a new one must not copy them.
 */
interface Stint {
  readonly from: string;
  /** Null: nobody sat there. */
  readonly sitting: z.output<typeof Sitting> | null;
  readonly earlier: Stint | null;
}

/** The seat of a rig: who sits there now, and who sat there before. */
export interface RigSeat {
  readonly rigId: string;
  /** Null: nobody sits there; so is the event. */
  readonly participantId: string | null;
  readonly eventId: string | null;
  /** Since when it is so, ISO 8601. */
  readonly from: string;
  readonly _licenseId: string;
  readonly _earlier: Stint | null;
}

interface TakeSeat extends Pick<Seated, 'rigId' | 'licenseId' | 'participantId' | 'eventId'> {
  /** Since when; null: from now on, or, if they sit there already, as before. */
  readonly from: string | null;
  readonly now: string;
}

interface LeaveSeat {
  /** Who; null: whoever sits there. */
  readonly participantId: string | null;
  readonly at: string;
}

export type RigSeatCommand =
  { readonly type: 'TakeSeat'; readonly data: TakeSeat } | { readonly type: 'LeaveSeat'; readonly data: LeaveSeat };

/** The category of the claims of `seatKey`. */
export const SEAT_CLAIMS = 'participantSeat';

export const rigSeatDecider = decider<RigSeat, RigSeatCommand, typeof rigSeatEvents>({
  category: 'rigSeat',
  events: rigSeatEvents,
  claim: {
    category: SEAT_CLAIMS,
    key(seat) {
      if (seat === null || seat.participantId === null) return null;
      return seatKey(seat._licenseId, seat.participantId);
    },
    taken: reject('TAKEN', 'The driver sits on another rig.', '/participantId'),
  },
  evolve: {
    DriverSeated(seat, { rigId, licenseId, participantId, eventId, from }) {
      // Of a driver who sits there already, the beginning is corrected: what was before goes on until then.
      const isSame = seat !== null && seat.participantId === participantId && seat.eventId === eventId;
      const before = isSame ? seat._earlier : stintsOf(seat);
      return { rigId, participantId, eventId, from, _licenseId: licenseId, _earlier: endingBy(before, from) };
    },
    DriverLeft: evolveExisting((seat, { participantId, at }) => without(seat, participantId, at)),
    PastSeatCorrected: evolveExisting((seat, { participantId, from }) => without(seat, participantId, from)),
  },
  decide: {
    TakeSeat(seat, { rigId, licenseId, participantId, eventId, from, now }): readonly SeatEvent[] {
      const isSame = seat !== null && seat.participantId === participantId && seat.eventId === eventId;
      if (isSame && (from === null || from === seat.from)) return [];
      const data = { rigId, licenseId, participantId, eventId, from: from ?? now, before: sittingOf(seat) };
      return [{ type: 'DriverSeated', data }];
    },
    LeaveSeat(seat, { participantId, at }): readonly SeatEvent[] {
      const leaving = participantId ?? seat?.participantId ?? null;
      if (seat === null || leaving === null) return [];
      const { rigId, eventId } = seat;
      if (seat.participantId === leaving && eventId !== null)
        return [{ type: 'DriverLeft', data: { rigId, participantId: leaving, eventId, at } }];
      if (!satAfter(seat, leaving, at)) return [];
      return [{ type: 'PastSeatCorrected', data: { rigId, participantId: leaving, from: at } }];
    },
  },
});

/** The unique key of a driver's seat: they sit on one rig of a licence at a time. */
export function seatKey(licenseId: string, participantId: string): string {
  return JSON.stringify([licenseId, participantId]);
}

/** Who sat on a rig at a moment, ISO 8601 in UTC; null: nobody. */
export function sittingAt(seat: RigSeat | null, moment: string): z.output<typeof Sitting> | null {
  let stint = stintsOf(seat);
  while (stint !== null && stint.from > moment) stint = stint.earlier;
  return stint?.sitting ?? null;
}

function sittingOf(seat: RigSeat | null): z.output<typeof Sitting> | null {
  if (seat === null || seat.participantId === null || seat.eventId === null) return null;
  return { participantId: seat.participantId, eventId: seat.eventId };
}

/** The stints of a rig, that of now first. */
function stintsOf(seat: RigSeat | null): Stint | null {
  if (seat === null) return null;
  return { from: seat.from, sitting: sittingOf(seat), earlier: seat._earlier };
}

/** The stints that began before a moment. */
function endingBy(newest: Stint | null, moment: string): Stint | null {
  let stint = newest;
  while (stint !== null && stint.from >= moment) stint = stint.earlier;
  return stint;
}

/** Whether a driver sat on a rig at any time from a moment on. */
function satAfter(seat: RigSeat, participantId: string, moment: string): boolean {
  for (let stint = stintsOf(seat); stint !== null; stint = stint.earlier) {
    if (stint.sitting?.participantId === participantId) return true;
    // What began before goes on until the stint after it, which is later.
    if (stint.from <= moment) return false;
  }
  return false;
}

/** A seat on which a driver did not sit from a moment on; nobody sat there instead. */
function without(seat: RigSeat, participantId: string, moment: string): RigSeat {
  const kept: Stint[] = [];
  let stint = stintsOf(seat);
  while (stint !== null && stint.from > moment) {
    kept.push(stint);
    stint = stint.earlier;
  }
  let stints = stint;
  if (stint !== null && stint.sitting?.participantId === participantId)
    stints = { from: moment, sitting: null, earlier: stint.from === moment ? stint.earlier : stint };
  for (const { from, sitting } of kept.toReversed()) {
    const isTheirs = sitting?.participantId === participantId;
    stints = { from, sitting: isTheirs ? null : sitting, earlier: stints };
  }
  if (stints === null) throw new Error('a seat has a stint from its first event on');
  return {
    rigId: seat.rigId,
    participantId: stints.sitting?.participantId ?? null,
    eventId: stints.sitting?.eventId ?? null,
    from: stints.from,
    _licenseId: seat._licenseId,
    _earlier: stints.earlier,
  };
}

/** The command also says the licence of the rig, and the time: `licenseId` and `now` are given beside the path. */
export const takeSeat = commandsFrom('TakeSeat', {
  body: z.object({
    participantId: reference('participant', 'Who sits there. They leave the rig of the same licence that they sat on.'),
    eventId: reference('event', 'The event that they drive in.'),
    from: described(
      instant,
      'Since when, inclusive: from 2000 on, not in the future; absent: from now on. It corrects who sat there, and ' +
        'changes no lap.',
      '2026-05-01T19:30:00.000Z',
    ).optional(),
  }),
  commands: ({ participantId, eventId, from = null }, { rigId = '', licenseId = '', now = '' }) => [
    { type: 'TakeSeat', data: { rigId, licenseId, participantId, eventId, from, now } } as const,
  ],
  pastMoments: ['from'],
});
