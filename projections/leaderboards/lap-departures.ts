import { lapEvents } from '../../commands/laps.ts';
import { projection, readModel } from '../../src/service/kernel/projection/projection.ts';
import type { DocumentMeta } from '../../src/service/kernel/ports/read-store.ts';

/** A lap that was in an event once and was moved to another (`<lapId>:<eventId>`); it may have come back since. */
export type LapDepartureDocument = DocumentMeta & {
  readonly lapId: string;
  /** The event that it left. */
  readonly eventId: string;
};

export const lapDepartures = readModel<LapDepartureDocument>('lapDepartures', {
  category: 'lapDeparture',
  indexes: [['eventId']],
});

export const lapDeparturesProjection = projection(
  lapDepartures,
  { own: {}, others: lapEvents },
  { LapMovedToEvent: ({ data: { from }, id }) => lapDepartures.insert(`${id}:${from}`, { lapId: id, eventId: from }) },
);
