import { z } from 'zod';
import { cars } from '../../projections/cars.ts';
import { NO_TIME_FROM, isFaster, type BestLap } from '../../projections/leaderboards/best-laps.ts';
import { drivenCars, bestLapOf, identityOf } from '../../projections/leaderboards/gathering-laps.ts';
import { laps, strikeOf, type LapDocument } from '../../projections/laps.ts';
import { participants } from '../../projections/participants.ts';
import { racingEvents } from '../../projections/racing-events.ts';
import { trackLayouts } from '../../projections/track-layouts.ts';
import { findSome, lookingUpOnce, readOne } from '../../src/domain/documents.ts';
import { reference, referredName } from '../../src/domain/references.ts';
import type { Condition, Where } from '../../src/kernel/ports/read-store.ts';
import { drivenAt, sectors, totalTime } from '../laps.ts';
import { minimumIn } from './filters.ts';
import { makerName } from './leaderboards.ts';
import type { Sources } from './sources.ts';

const carId = reference('car', 'The car.');
const trackLayoutId = reference('trackLayout', 'The track layout.');

export const PersonalBestView = z
  .object({
    trackLayoutId,
    trackDisplayName: referredName('trackLayoutId', trackLayoutId),
    carId,
    carDisplayName: referredName('carId', carId),
    carBrandDisplayName: makerName,
    lapId: reference('lap', 'The lap.'),
    eventId: reference('event', 'The event that it was driven in.'),
    totalTime,
    sectors,
    drivenAt,
  })
  .meta({ id: 'PersonalBest', description: 'The best lap of a driver on a layout with a car.' });

type PersonalBest = z.output<typeof PersonalBestView>;

/** The collections that bests are made from. */
export const bestsCollections: readonly string[] = [
  participants,
  drivenCars,
  laps,
  trackLayouts,
  racingEvents,
  cars,
].map(({ collection }) => collection);

/**
 * The best valid laps of a participant over all events, one for each layout and car: sorted by the name of the layout,
 * then fastest first. What an owner of the participant has struck is left out, also where the rig's owner has brought it
 * back. Laps that were driven after the finish of their event are among them: these bests are results of no event. Null
 * when there is no such participant.
 * @throws {OverBudget} and the reason of the allowance's signal
 */
export async function personalBests(participantId: string, sources: Sources): Promise<readonly PersonalBest[] | null> {
  const { models, allowance } = sources;
  const driver = await readOne(models, participants, participantId);
  if (driver === null) return null;
  const strikes = driver._owners.map((licenseId) => strikeOf(participantId, licenseId));
  const isStruck = ({ _strikes = [] }: LapDocument): boolean => strikes.some((strike) => _strikes.includes(strike));
  const layoutOf = lookingUpOnce(models, trackLayouts);
  const eventOf = lookingUpOnce(models, racingEvents);
  const carOf = lookingUpOnce(models, cars);
  const bests: PersonalBest[] = [];
  for await (const batch of allowance.all(models, drivenCars, { participantId })) {
    for (const { trackId, car } of batch) {
      const layout = await layoutOf(trackId);
      const counting = {
        from: 1,
        minimumIn: async (id: string) => minimumIn(await eventOf(id), layout),
        isLeftOut: isStruck,
      };
      const best = await fastestLap({ participantId, trackId, car, valid: true }, counting, sources);
      if (best === null) continue;
      const { id: lapId, eventId, totalTime, sectors, drivenAt } = best;
      const shown = { trackLayoutId: trackId, carId: car, lapId, eventId, totalTime, sectors, drivenAt };
      const trackDisplayName = layout?.displayName ?? '';
      const { modelName: carDisplayName = '', brandDisplayName: carBrandDisplayName = '' } = (await carOf(car)) ?? {};
      bests.push({ ...shown, trackDisplayName, carDisplayName, carBrandDisplayName });
    }
  }
  return bests.sort(inOrder);
}

/** Laps with the same time that are compared; of more laps, only the first TIES are. */
const TIES = 1_000;

/** The conditions under which a lap counts. */
interface Counting {
  /** Shortest lap time to look for, in ms. */
  readonly from: number;
  /** The shortest lap time that counts in an event, in ms. */
  readonly minimumIn: (eventId: string) => Promise<number>;
  /** Whether a valid lap does not count, as it was struck or driven after the finish. */
  readonly isLeftOut: (lap: LapDocument) => boolean;
}

/** The fastest of the laps from a time on that fit a filter, are not too short and are not left out; null: none. */
export async function fastestLap(
  where: Where,
  { from: least, minimumIn, isLeftOut }: Counting,
  { models, allowance }: Sources,
): Promise<LapDocument | null> {
  const fastest = async (totalTime: Condition, limit: number): Promise<readonly LapDocument[]> => {
    const sort = { field: 'totalTime', direction: 'asc' } as const;
    const query = { where: { ...where, totalTime }, sort, offset: 0, limit, ...allowance.bounds() };
    const found = await findSome(models, laps, query);
    allowance.spend(found.length);
    return found;
  };
  // Laps that do not count are few: they are passed over, one time after the other.
  for (let from = least; from < NO_TIME_FROM;) {
    const [first, second] = await fastest({ from, to: NO_TIME_FROM }, 2);
    if (first === undefined) return null;
    const { totalTime } = first;
    let best: LapDocument | null = null;
    for (const lap of second?.totalTime === totalTime ? await fastest(totalTime, TIES) : [first]) {
      if (totalTime < (await minimumIn(lap.eventId)) || isLeftOut(lap)) continue;
      if (best === null || isFaster(boardLap(lap), boardLap(best))) best = lap;
    }
    if (best !== null) return best;
    from = totalTime + 1;
  }
  return null;
}

/** A lap as leaderboards show it. */
export function boardLap(lap: LapDocument): BestLap {
  return bestLapOf(identityOf(lap), lap);
}

function inOrder(a: PersonalBest, b: PersonalBest): number {
  if (a.trackDisplayName !== b.trackDisplayName) return a.trackDisplayName < b.trackDisplayName ? -1 : 1;
  if (a.trackLayoutId !== b.trackLayoutId) return a.trackLayoutId < b.trackLayoutId ? -1 : 1;
  return a.totalTime - b.totalTime || (a.carId < b.carId ? -1 : 1);
}
