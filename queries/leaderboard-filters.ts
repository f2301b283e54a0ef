import { areSure, bestsOf, keptOf } from '../projections/best-laps.ts';
import { cars } from '../projections/cars.ts';
import { stateOf } from '../projections/lap-changes.ts';
import { lapDepartures } from '../projections/lap-departures.ts';
import { lapAsOf, type LapFacts } from '../projections/lap-trail.ts';
import { laps, type LapDocument } from '../projections/laps.ts';
import { leaderboardParts } from '../projections/leaderboard-parts.ts';
import { readOne, streamAll } from '../src/domain/documents.ts';
import type { ReadModels } from '../src/kernel/read-store.ts';
import type { Board } from './leaderboard-boards.ts';
import { createTallies, type Tallies } from './leaderboard-tallies.ts';

/** Which laps of an event a leaderboard is about; all conditions must hold. */
export interface Filter {
  readonly eventId: string;
  readonly trackLayoutId?: string | undefined;
  readonly carId?: string | undefined;
  /** The class of the car by now. */
  readonly carClassId?: string | undefined;
  /** Whether only valid laps count for the best. */
  readonly validOnly: boolean;
}

/** Where boards are worked out from. `goOn` is called between batches, and throws when it has taken too long. */
export interface Sources {
  readonly models: ReadModels;
  readonly goOn: () => void;
}

/** The board of the laps that a filter leaves, from what each participant has done with each car on each layout. */
export async function filteredBoard(filter: Filter, { models, goOn }: Sources): Promise<Board> {
  const { eventId, trackLayoutId, carId, validOnly } = filter;
  const where = {
    eventId,
    ...(trackLayoutId === undefined ? {} : { trackId: trackLayoutId }),
    ...(carId === undefined ? {} : { car: carId }),
  };
  const fits = await fitting(filter, models);
  const tallies = createTallies();
  const unsure = new Set<string>();
  for await (const batch of streamAll(models, leaderboardParts, where)) {
    goOn();
    for (const { participantId, trackId, car, valid, laps: number, best } of batch) {
      if (number === 0 || !fits({ trackId, car })) continue;
      const count = valid || !validOnly;
      const kept = keptOf(best).map((lap) => ({ ...lap, car, trackId }));
      tallies.add(participantId, { valid, count, best: kept, counts: best.counts });
      if (count && best.lost.length > 0 && !areSure(bestsOf(kept), best)) unsure.add(participantId);
    }
  }
  for (const participantId of unsure) {
    tallies.forget(participantId);
    for await (const batch of streamAll(models, laps, { eventId, participantId })) {
      goOn();
      for (const lap of batch) if (fits(lap)) addLap(tallies, lap, { facts: lap, validOnly });
    }
  }
  return tallies.board();
}

/**
 * The same as it was at a moment (ISO 8601), from the laps themselves: those that are in the event now, and those that
 * left it since. The class of a car is that of now.
 */
export async function boardAsOf(asOf: string, filter: Filter, sources: Sources): Promise<Board> {
  for (;;) {
    const left = await departed(filter.eventId, sources);
    const board = await boardWithDeparted(asOf, filter, { ...sources, left });
    // A lap that left meanwhile may have been counted twice, or not at all.
    if ((await departed(filter.eventId, sources)).size === left.size) return board;
  }
}

async function departed(eventId: string, { models, goOn }: Sources): Promise<ReadonlySet<string>> {
  const left = new Set<string>();
  for await (const batch of streamAll(models, lapDepartures, { eventId })) {
    goOn();
    for (const { lapId } of batch) left.add(lapId);
  }
  return left;
}

async function boardWithDeparted(
  asOf: string,
  filter: Filter,
  { models, goOn, left }: Sources & { readonly left: ReadonlySet<string> },
): Promise<Board> {
  const { eventId, validOnly } = filter;
  const fits = await fitting(filter, models);
  const tallies = createTallies();
  const add = (lap: LapDocument): void => {
    if (lap.createdAt > asOf) return;
    const facts = lapAsOf(lap, asOf);
    if (facts.eventId === eventId && fits(facts)) addLap(tallies, lap, { facts, validOnly });
  };
  for await (const batch of streamAll(models, laps, { eventId })) {
    goOn();
    for (const lap of batch) if (!left.has(lap.id)) add(lap);
  }
  for (const lapId of left) {
    goOn();
    const lap = await readOne(models, laps, lapId);
    if (lap !== null) add(lap);
  }
  return tallies.board();
}

interface Counted {
  readonly facts: LapFacts;
  readonly validOnly: boolean;
}

function addLap(tallies: Tallies, { id, createdAt }: LapDocument, { facts, validOnly }: Counted): void {
  const { lap } = stateOf(id, createdAt, facts);
  const { participantId, valid } = facts;
  const counts = { [lap.sectors.length]: 1 };
  tallies.add(participantId, { valid, count: valid || !validOnly, best: [lap], counts });
}

type Driven = Pick<LapFacts, 'trackId' | 'car'>;

async function fitting(filter: Filter, models: ReadModels): Promise<(driven: Driven) => boolean> {
  const { trackLayoutId, carId, carClassId } = filter;
  const ofClass = carClassId === undefined ? null : await carsOfClass(carClassId, models);
  return ({ trackId, car }) =>
    (trackLayoutId === undefined || trackId === trackLayoutId)
    && (carId === undefined || car === carId)
    && (ofClass === null || ofClass.has(car));
}

async function carsOfClass(carClassId: string, models: ReadModels): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const batch of streamAll(models, cars, { carClassId })) for (const { id } of batch) ids.add(id);
  return ids;
}
