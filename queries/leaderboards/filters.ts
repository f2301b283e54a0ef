import { cars } from '../../projections/cars.ts';
import { identityOf, isDriven, stateOf } from '../../projections/leaderboards/gathering-laps.ts';
import { lapDepartures } from '../../projections/leaderboards/lap-departures.ts';
import { lapAsOf } from '../../projections/leaderboards/lap-versions.ts';
import { laps, type LapDocument, type LapFacts } from '../../projections/laps.ts';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import { readOne, streamAll } from '../../src/service/domain/documents.ts';
import type { ReadModels } from '../../src/service/kernel/ports/read-store.ts';
import type { Sources } from './sources.ts';
import { standingOf, type Board, type LayoutOfEvent, type Standing, createTallies, type Tallies } from './boards.ts';

/** Which laps on a layout in an event a leaderboard is about; all conditions must hold. */
export interface Filter extends LayoutOfEvent {
  readonly carId?: string | undefined;
  /** The class of the car by now. */
  readonly carClassId?: string | undefined;
  /** Whether only valid laps count for the best. */
  readonly validOnly: boolean;
}

/** Participants whose laps are looked up one by one at most; of more, all laps of the event are gone through. */
const FEW = 100;

/**
 * The board of the laps that a filter leaves. Of most participants their document tells: all that they drove fits, or
 * nothing. Of the others the laps tell.
 */
export async function filteredBoard(filter: Filter, sources: Sources): Promise<Board> {
  const { eventId, trackLayoutId: trackId, validOnly } = filter;
  const fits = await fitting(filter, sources.models);
  const sure: Standing[] = [];
  const unsure = new Set<string>();
  for await (const batch of sources.allowance.all(sources.models, leaderboards, { eventId, trackId })) {
    for (const document of batch) {
      const fit = document.laps > 0 && fits(document.onlyCar);
      if (fit === false) continue;
      if (fit === null || (document.laps > document.validLaps && !validOnly)) unsure.add(document.participantId);
      else sure.push(standingOf(document));
    }
  }
  const tallies = createTallies(sure);
  await addLaps(tallies, unsure, { filter, sources });
  return tallies.board();
}

/** Goes through the laps of these participants in an event. */
async function addLaps(
  tallies: Tallies,
  participantIds: ReadonlySet<string>,
  { filter, sources: { models, allowance } }: { readonly filter: Filter; readonly sources: Sources },
): Promise<void> {
  const { eventId, trackLayoutId: trackId, validOnly } = filter;
  const fits = await fitting(filter, models);
  const few = [...participantIds].map((participantId) => ({ eventId, participantId, trackId }));
  for (const where of few.length > FEW ? [{ eventId }] : few) {
    for await (const batch of allowance.all(models, laps, where)) {
      const onBoard = batch.filter((lap) => lap.trackId === trackId && isDriven(lap) && fits(lap.car) === true);
      const wanted = onBoard.filter(({ participantId }) => participantIds.has(participantId));
      for (const lap of wanted) addLap(tallies, lap, { facts: lap, validOnly });
    }
  }
}

/** A board as it was at a moment, and how many laps were on each layout in the event then. */
export interface PastBoard {
  readonly board: Board;
  readonly lapsByLayout: ReadonlyMap<string, number>;
}

/**
 * The same as it was at a moment (ISO 8601), from the laps themselves: those that are in the event now, and those that
 * left it since. The class of a car is that of now.
 */
export async function boardAsOf(asOf: string, filter: Filter, sources: Sources): Promise<PastBoard> {
  for (;;) {
    const left = await departed(filter.eventId, sources);
    const board = await boardWithDeparted(asOf, filter, { ...sources, left });
    // A lap that left meanwhile may have been counted twice, or not at all.
    if ((await departed(filter.eventId, sources)).size === left.size) return board;
  }
}

async function departed(eventId: string, { models, allowance }: Sources): Promise<ReadonlySet<string>> {
  const left = new Set<string>();
  for await (const batch of allowance.all(models, lapDepartures, { eventId })) {
    for (const { lapId } of batch) left.add(lapId);
  }
  return left;
}

async function boardWithDeparted(
  asOf: string,
  filter: Filter,
  { models, allowance, left }: Sources & { readonly left: ReadonlySet<string> },
): Promise<PastBoard> {
  const { eventId, trackLayoutId, validOnly } = filter;
  const fits = await fitting(filter, models);
  const tallies = createTallies();
  const lapsByLayout = new Map<string, number>();
  const add = async (lap: LapDocument): Promise<void> => {
    if (lap.createdAt > asOf) return;
    const facts = await lapAsOf(models, lap, asOf);
    if (facts.eventId !== eventId || !isDriven(facts)) return;
    lapsByLayout.set(facts.trackId, (lapsByLayout.get(facts.trackId) ?? 0) + 1);
    if (facts.trackId === trackLayoutId && fits(facts.car) === true) addLap(tallies, lap, { facts, validOnly });
  };
  for await (const batch of allowance.all(models, laps, { eventId })) {
    for (const lap of batch) if (!left.has(lap.id)) await add(lap);
  }
  for (const lapId of left) {
    allowance.spend(1);
    const lap = await readOne(models, laps, lapId);
    if (lap !== null) await add(lap);
  }
  return { board: tallies.board(), lapsByLayout };
}

interface Counted {
  readonly facts: LapFacts;
  readonly validOnly: boolean;
}

function addLap(tallies: Tallies, lap: LapDocument, { facts, validOnly }: Counted): void {
  const { participantId, valid } = facts;
  tallies.add(participantId, stateOf(identityOf(lap), facts).lap, { valid, counts: valid || !validOnly });
}

/** Whether laps with a car fit; null: where there are several cars ('') only each lap can tell. */
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
