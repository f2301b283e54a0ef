import { cars } from '../../projections/cars.ts';
import { identityOf } from '../../projections/leaderboards/gathering-laps.ts';
import { lapDepartures, lapAsOf } from '../../projections/leaderboards/lap-versions.ts';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import { laps, type LapDocument } from '../../projections/laps.ts';
import { readOne, streamAll } from '../../src/service/domain/documents.ts';
import type { ReadModels, Where } from '../../src/service/kernel/ports/read-store.ts';
import type { Board, LayoutOfEvent } from './boards.ts';
import { LapBoard } from './lap-board.ts';
import type { Sources } from './sources.ts';
import { standingOf } from './stored-board.ts';

/** Which laps of an event a leaderboard shows; all conditions must hold. */
export interface BoardFilter {
  /** Left out: the first layout of the event. */
  readonly trackLayoutId?: string | undefined;
  readonly carId?: string | undefined;
  /** The class that the car has now. */
  readonly carClassId?: string | undefined;
  /** Whether only valid laps count for the best. */
  readonly validOnly: boolean;
}

/** A filter whose layout is known. */
export type Filter = BoardFilter & LayoutOfEvent;

/** Participants whose laps are looked up one by one at most; for more, all laps of the event are read. */
const FEW = 100;

/**
 * The board of the laps that pass a filter. For most participants their document is enough: all their laps pass, or
 * none. For the others the laps are read.
 */
export async function filteredBoard(filter: Filter, { models, allowance }: Sources): Promise<Board> {
  const { eventId, trackLayoutId: trackId, validOnly } = filter;
  const fits = await fitting(filter, models);
  const board = new LapBoard({ ...filter, fits });
  const unsure = new Set<string>();
  for await (const batch of allowance.all(models, leaderboards, { eventId, trackId })) {
    for (const document of batch) {
      const fit = document.laps > 0 && fits(document.onlyCar);
      if (fit === false) continue;
      if (fit === null || (document.laps > document.validLaps && !validOnly)) unsure.add(document.participantId);
      else board.addStanding(standingOf(document));
    }
  }
  for (const where of lapsOf(unsure, filter)) {
    for await (const batch of allowance.all(models, laps, where)) {
      const wanted = batch.filter(({ participantId }) => unsure.has(participantId));
      for (const lap of wanted) board.add(identityOf(lap), lap);
    }
  }
  return board;
}

/** Conditions that find the laps of these participants, and maybe others. */
function lapsOf(participantIds: ReadonlySet<string>, { eventId, trackLayoutId: trackId }: Filter): readonly Where[] {
  if (participantIds.size > FEW) return [{ eventId }];
  return [...participantIds].map((participantId) => ({ eventId, participantId, trackId }));
}

/** The board at a moment (ISO 8601), made from the laps themselves. Cars have their present class. */
export async function boardAsOf(asOf: string, filter: Filter, sources: Sources): Promise<LapBoard> {
  const board = new LapBoard({ ...filter, fits: await fitting(filter, sources.models) });
  for await (const batch of lapsEverIn(filter.eventId, sources)) {
    for (const lap of batch) {
      if (lap.createdAt <= asOf) board.add(identityOf(lap), await lapAsOf(sources.models, lap, asOf));
    }
  }
  return board;
}

/**
 * The laps of an event, in batches: the laps that are in it now, and then the laps that have left it, so that a lap
 * that leaves during the read is not missed. Each lap comes once.
 */
export async function* lapsEverIn(
  eventId: string,
  { models, allowance }: Sources,
): AsyncGenerator<readonly LapDocument[]> {
  const read = new Set<string>();
  for await (const batch of allowance.all(models, laps, { eventId })) {
    for (const { id } of batch) read.add(id);
    yield batch;
  }
  for await (const batch of allowance.all(models, lapDepartures, { eventId })) {
    for (const { lapId } of batch) {
      const lap = read.has(lapId) ? null : await readOne(models, laps, lapId);
      if (lap !== null) yield [lap];
    }
  }
}

/** Tests whether laps with a car pass; null for several cars (''): each lap must be tested. */
export async function fitting(
  { carId, carClassId }: Pick<Filter, 'carId' | 'carClassId'>,
  models: ReadModels,
): Promise<(car: string) => boolean | null> {
  const ofClass = carClassId === undefined ? null : await carsOfClass(carClassId, models);
  return (car) => {
    if (car === '' && (carId !== undefined || ofClass !== null)) return null;
    return (carId === undefined || car === carId) && (ofClass === null || ofClass.has(car));
  };
}

async function carsOfClass(carClassId: string, models: ReadModels): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const batch of streamAll(models, cars, { where: { carClassId } })) for (const { id } of batch) ids.add(id);
  return ids;
}
