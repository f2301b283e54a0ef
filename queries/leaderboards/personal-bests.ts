import { z } from 'zod';
import { isFaster, type BestLap } from '../../projections/leaderboards/best-laps.ts';
import {
  drivenCars,
  type DrivenCarDocument,
  DRIVEN,
  bestLapOf,
  identityOf,
} from '../../projections/leaderboards/gathering-laps.ts';
import { laps, type LapDocument } from '../../projections/laps.ts';
import { participants } from '../../projections/participants.ts';
import { trackLayouts } from '../../projections/track-layouts.ts';
import { findSome, nameOf, readOne } from '../../src/service/domain/documents.ts';
import { reference, referredName } from '../../src/service/domain/examples.ts';
import type { Where } from '../../src/service/kernel/ports/read-store.ts';
import { drivenAt, sectors, totalTime } from '../laps.ts';
import type { Sources } from './sources.ts';

const trackLayoutId = reference('trackLayout', 'The track layout.');

/** The best lap of a participant on a layout with a car. */
export const PersonalBestView = z
  .object({
    trackLayoutId,
    trackDisplayName: referredName('trackLayoutId', trackLayoutId),
    carId: reference('car', 'The car.'),
    lapId: reference('lap', 'The lap.'),
    eventId: reference('event', 'The event that it was driven in.'),
    totalTime,
    sectors,
    drivenAt,
  })
  .meta({ id: 'PersonalBest', description: 'The best lap of a driver on a layout with a car.' });

type PersonalBest = z.output<typeof PersonalBestView>;

/** The collections that bests are made from. */
export const bestsCollections: readonly string[] = [participants, drivenCars, laps, trackLayouts].map(
  ({ collection }) => collection,
);

/**
 * The best valid laps of a participant over all events, one for each layout and car: sorted by the name of the layout,
 * then fastest first. Null when there is no such participant.
 * @throws {OverBudget} and the reason of the allowance's signal
 */
export async function personalBests(participantId: string, sources: Sources): Promise<readonly PersonalBest[] | null> {
  const { models, allowance } = sources;
  if ((await readOne(models, participants, participantId)) === null) return null;
  const names = new Map<string, string>();
  const bests: PersonalBest[] = [];
  for await (const batch of allowance.all(models, drivenCars, { participantId })) {
    for (const driven of batch) {
      const best = await bestOf(driven, sources);
      if (best === null) continue;
      const name = names.get(driven.trackId) ?? (await nameOf(readOne(models, trackLayouts, driven.trackId)));
      names.set(driven.trackId, name);
      bests.push({ ...best, trackDisplayName: name });
    }
  }
  return bests.sort(inOrder);
}

/** Laps with the same time that are compared; of more laps, only the first TIES are. */
const TIES = 1_000;

async function bestOf(
  { participantId, trackId, car }: DrivenCarDocument,
  { models, allowance }: Sources,
): Promise<Omit<PersonalBest, 'trackDisplayName'> | null> {
  const driven = { participantId, trackId, car, valid: true };
  const fastest = async (where: Where, limit: number): Promise<readonly LapDocument[]> => {
    const sort = { field: 'totalTime', direction: 'asc' } as const;
    const found = await findSome(models, laps, { where, sort, offset: 0, limit, ...allowance.bounds() });
    allowance.spend(found.length);
    return found;
  };
  const [first, second] = await fastest({ ...driven, ...DRIVEN }, 2);
  if (first === undefined) return null;
  const { totalTime } = first;
  const tied = second?.totalTime === totalTime ? await fastest({ ...driven, totalTime }, TIES) : [first];
  const best = tied.reduce((one, other) => (isFaster(boardLap(other), boardLap(one)) ? other : one));
  const { id: lapId, eventId, drivenAt } = best;
  return { trackLayoutId: trackId, carId: car, lapId, eventId, totalTime, sectors: best.sectors, drivenAt };
}

function boardLap(lap: LapDocument): BestLap {
  return bestLapOf(identityOf(lap), lap);
}

function inOrder(a: PersonalBest, b: PersonalBest): number {
  if (a.trackDisplayName !== b.trackDisplayName) return a.trackDisplayName < b.trackDisplayName ? -1 : 1;
  if (a.trackLayoutId !== b.trackLayoutId) return a.trackLayoutId < b.trackLayoutId ? -1 : 1;
  return a.totalTime - b.totalTime || (a.carId < b.carId ? -1 : 1);
}
