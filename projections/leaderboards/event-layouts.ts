import { lapEvents } from '../../commands/laps.ts';
import { projection, readModel, type Effect, type Lookup } from '../../src/service/kernel/projection/projection.ts';
import type { DocumentMeta } from '../../src/service/kernel/ports/read-store.ts';
import { gatheringLaps, type Gathering } from './gathering-laps.ts';

/** A track layout on which laps of a racing event were driven (`<eventId>:<trackId>`). */
export type EventLayoutDocument = DocumentMeta & {
  readonly eventId: string;
  /** The layout. */
  readonly trackId: string;
  /** Number of laps now, valid or not; 0 if all were moved away. */
  readonly laps: number;
};

export const eventLayouts = readModel<EventLayoutDocument>('eventLayouts', {
  category: 'eventLayout',
  indexes: [['eventId']],
});

export const eventLayoutsProjection = projection(
  eventLayouts,
  { own: {}, others: lapEvents },
  gatheringLaps({ idOf: ({ eventId, trackId }) => `${eventId}:${trackId}`, rewrite }),
);

async function rewrite({ id, left, joined }: Gathering, look: Lookup): Promise<Effect | null> {
  if (left !== null && joined !== null) return null;
  const before = await look(eventLayouts, id);
  const laps = (before?.laps ?? 0) + (joined === null ? -1 : 1);
  if (before !== null) return eventLayouts.set(id, { laps });
  const { eventId = '', trackId = '' } = joined?.facts ?? {};
  return eventLayouts.insert(id, { eventId, trackId, laps });
}
