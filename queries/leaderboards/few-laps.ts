import { identityOf } from '../../projections/leaderboards/gathering-laps.ts';
import { laps } from '../../projections/laps.ts';
import { OverBudget } from '../../src/service/kernel/ports/errors.ts';
import { LapBoard, type LapBoardSnapshot, type LapFilter } from './lap-board.ts';
import type { LapsByLayout } from './layouts.ts';
import { Allowance, type BoardSources } from './sources.ts';

/** Most laps that a board is made of without those of the whole event in memory. */
const FEW_LAPS = 20_000;

/** What is known of a filtered board before its laps are read. */
interface Known {
  /** The time, in ms, of the shortest lap that counts. */
  readonly minimum: number;
  readonly lapsByLayout: LapsByLayout;
}

/**
 * The board of some cars now. What is asked for once is made of the documents of its laps: a fraction of what it takes
 * to load all laps of a large event, which pays where boards of the event are asked for again. Null when there is no
 * such event.
 * @throws {OverBudget} when both are too many
 */
export async function boardOfCars(filter: LapFilter, known: Known, sources: BoardSources) {
  const isFollowed = sources.isFollowed(filter.eventId);
  const few = isFollowed ? null : await boardOfFewLaps(filter, known, sources);
  if (few !== null) return few;
  try {
    return await sources.lapBoard(filter, Infinity);
  } catch (error) {
    const found = isFollowed && error instanceof OverBudget ? await boardOfFewLaps(filter, known, sources) : null;
    if (found === null) throw error;
    return found;
  }
}

/** Null when there are more than FEW_LAPS. */
async function boardOfFewLaps(
  filter: LapFilter,
  { minimum, lapsByLayout }: Known,
  { models, allowance, turn }: BoardSources,
): Promise<LapBoardSnapshot | null> {
  const { eventId, trackLayoutId: trackId, cars } = filter;
  const few = new Allowance({ ...allowance.bounds(), budget: FEW_LAPS });
  const board = new LapBoard(filter, minimum);
  const read = async (): Promise<LapBoardSnapshot> => {
    for (const car of cars ?? []) {
      const found = few.all(models, laps, { eventId, trackId, car });
      for await (const batch of found) for (const lap of batch) board.add(identityOf(lap), lap);
    }
    return { ...board.snapshot(), lapsByLayout };
  };
  return turn(read).catch((error: unknown) => {
    if (error instanceof OverBudget) return null;
    throw error;
  });
}
