import { eventLayouts } from '../../projections/leaderboards/gathering-laps.ts';
import { trackLayouts } from '../../projections/track-layouts.ts';
import { racingEvents, type RacingEventDocument } from '../../projections/racing-events.ts';
import { readOne } from '../../src/service/domain/documents.ts';
import type { Board } from './boards.ts';
import { carsOf, type BoardFilter } from './filters.ts';
import { layoutIdsOf, type LapsByLayout } from './layouts.ts';
import type { BoardSources, Sources } from './sources.ts';
import { storedBoard } from './stored-board.ts';

/** A request for a board. */
export interface BoardRequest extends BoardFilter {
  readonly eventId: string;
  /** ISO 8601: the board as it was then. */
  readonly asOf?: string | undefined;
}

/** A board, with its event and layout. */
export interface FoundBoard {
  readonly event: RacingEventDocument;
  readonly board: Board;
  /** Null: the event has neither a layout nor a lap. */
  readonly trackLayoutId: string | null;
  /** The layouts of the event: its own, then others with laps; and their numbers of laps, valid or not. */
  readonly layouts: readonly { readonly trackLayoutId: string; readonly laps: number }[];
}

/**
 * Finds a board; null when there is no such event.
 * @throws {OverBudget} and the reason of the allowance's signal
 */
export async function findBoard(request: BoardRequest, sources: BoardSources): Promise<FoundBoard | null> {
  const event = await readOne(sources.models, racingEvents, request.eventId);
  if (event === null) return null;
  const now = await lapsByLayout(event.id, sources);
  const [trackLayoutId = null] = [request.trackLayoutId, ...layoutIdsOf(event, now)].filter((id) => id !== undefined);
  const found = (board: Board, laps: LapsByLayout): FoundBoard => {
    const layouts = layoutIdsOf(event, laps).map((id) => ({ trackLayoutId: id, laps: laps.get(id) ?? 0 }));
    return { event, board, trackLayoutId, layouts };
  };
  if (trackLayoutId === null) return found(EMPTY, now);
  const { eventId, asOf, validOnly } = request;
  if (isStored(request) && !(await hasShortLaps(event, trackLayoutId, sources)))
    return found(await storedBoard({ eventId, trackLayoutId }, sources), now);
  const filter = { eventId, trackLayoutId, validOnly, cars: await carsOf(request, sources.models) };
  const board = await sources.lapBoard(filter, asOf === undefined ? Infinity : Date.parse(asOf));
  return board && found(board, board.lapsByLayout);
}

/** Whether there are laps, in the board that the read models have, that are too short to count. */
async function hasShortLaps(
  { id, minLapTime: ofEvent }: RacingEventDocument,
  trackLayoutId: string,
  { models }: Sources,
): Promise<boolean> {
  const minimum = ofEvent ?? (await readOne(models, trackLayouts, trackLayoutId))?.minLapTime ?? 1;
  const driven = minimum === 1 ? null : await readOne(models, eventLayouts, `${id}:${trackLayoutId}`);
  return driven !== null && driven.least < minimum;
}

/** The number of laps of an event on each layout now. */
async function lapsByLayout(eventId: string, { models, allowance }: Sources): Promise<LapsByLayout> {
  const found = new Map<string, number>();
  for await (const batch of allowance.all(models, eventLayouts, { eventId })) {
    for (const { trackId, laps } of batch) found.set(trackId, laps);
  }
  return found;
}

const EMPTY: Board = { total: 0, at: async () => [], sectors: [] };

/** Whether the read models have a board: that of all valid laps on a layout now. */
export function isStored({ carId, carClassId, validOnly, asOf }: Omit<BoardRequest, 'eventId'>): boolean {
  return carId === undefined && carClassId === undefined && validOnly && asOf === undefined;
}
