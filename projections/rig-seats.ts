import { rigSeatEvents } from '../commands/rig-seats.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** Who sits on a rig now; its id is that of the rig. */
export type RigSeatDocument = DocumentMeta & {
  readonly rigId: string;
  /** Null: nobody sits there; so are the event and the moment. */
  readonly participantId: string | null;
  readonly eventId: string | null;
  /** Since when, ISO 8601. */
  readonly from: string | null;
};

export const rigSeats = readModel<RigSeatDocument>('rigSeats', {
  category: 'rigSeat',
  indexes: [['eventId', 'rigId'], ['participantId']],
});

export const rigSeatsProjection = projection(
  rigSeats,
  { own: rigSeatEvents },
  {
    DriverSeated({ data: { rigId, participantId, eventId, from }, id, recorded }) {
      const sitting = { participantId, eventId, from };
      return recorded.revision === 0 ? rigSeats.insert(id, { rigId, ...sitting }) : rigSeats.set(id, sitting);
    },
    DriverLeft: ({ id }) => rigSeats.set(id, { participantId: null, eventId: null, from: null }),
    // Nothing changes but the past.
    PastSeatCorrected: () => null,
  },
);

/**
 * A change of who sits on a rig, as an event sees it (`<rigId>:<revision>:<eventId>`): of the event that they drive in,
 * and of the one in which the driver before them drove. Live boards are made of these.
 */
export type SeatChangeDocument = DocumentMeta & {
  readonly rigId: string;
  readonly eventId: string;
  /** Null: nobody sits there for this event any more; so is the moment. */
  readonly participantId: string | null;
  readonly from: string | null;
  /** When it was recorded, ISO 8601. */
  readonly at: string;
};

export const seatChanges = readModel<SeatChangeDocument>('seatChanges', {
  category: 'seatChange',
  indexes: [['eventId']],
});

export const seatChangesProjection = projection(
  seatChanges,
  { own: {}, others: rigSeatEvents },
  {
    DriverSeated({ data: { rigId, participantId, eventId, from, before }, at, recorded: { revision } }) {
      const taken = seatChanges.insert(seatChangeId(rigId, revision, eventId), {
        rigId,
        eventId,
        participantId,
        from,
        at,
      });
      if (before === null || before.eventId === eventId) return taken;
      return [taken, left(rigId, revision, before.eventId, at)];
    },
    DriverLeft: ({ data: { rigId, eventId }, at, recorded: { revision } }) => left(rigId, revision, eventId, at),
  },
);

function left(rigId: string, revision: number, eventId: string, at: string) {
  return seatChanges.insert(seatChangeId(rigId, revision, eventId), {
    rigId,
    eventId,
    participantId: null,
    from: null,
    at,
  });
}

function seatChangeId(rigId: string, revision: number, eventId: string): string {
  return `${rigId}:${revision}:${eventId}`;
}
