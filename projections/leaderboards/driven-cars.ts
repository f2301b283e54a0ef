import { lapEvents } from '../../commands/laps.ts';
import { projection, readModel, type Effect, type Lookup } from '../../src/service/kernel/projection/projection.ts';
import type { DocumentMeta } from '../../src/service/kernel/ports/read-store.ts';
import { gatheringLaps, type Gathering } from './gathering-laps.ts';

/**
 * That a participant had a lap on a layout with a car once (`<participantId>:<trackId>:<car>`); it may have been taken
 * away or corrected since. Written once. What a participant's best laps are looked up by.
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
