import { lapEvents } from '../../commands/laps.ts';
import { projection, readModel, type Effect, type Lookup } from '../../src/service/kernel/projection/projection.ts';
import type { DocumentMeta } from '../../src/service/kernel/ports/read-store.ts';
import { gatheringLaps, type Gathering } from './gathering-laps.ts';

/**
 * A participant once had a lap on a layout with a car (`<participantId>:<trackId>:<car>`); it may have been removed or
 * corrected since. It is written once, and finds the best laps of a participant.
 */
export type DrivenCarDocument = DocumentMeta & {
  readonly participantId: string;
  /** The layout. */
  readonly trackId: string;
  readonly car: string;
};

export const drivenCars = readModel<DrivenCarDocument>('drivenCars', {
  category: 'drivenCar',
  indexes: [['participantId']],
});

export const drivenCarsProjection = projection(
  drivenCars,
  { own: {}, others: lapEvents },
  gatheringLaps({ idOf: ({ participantId, trackId, car }) => `${participantId}:${trackId}:${car}`, rewrite }),
);

async function rewrite({ id, joined }: Gathering, look: Lookup): Promise<Effect | null> {
  if (joined === null || (await look(drivenCars, id)) !== null) return null;
  const { participantId, trackId, car } = joined.facts;
  return drivenCars.insert(id, { participantId, trackId, car });
}
