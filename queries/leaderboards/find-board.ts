import { racingEvents, type RacingEventDocument } from '../../projections/racing-events.ts';
import { readOne } from '../../src/service/domain/documents.ts';
import type { Board } from './boards.ts';
import { boardAsOf, filteredBoard, type BoardFilter, type Filter } from './filters.ts';
import { lapsByLayout, layoutIdsOf, type LapsByLayout } from './layouts.ts';
import type { Sources } from './sources.ts';
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
export async function findBoard(request: BoardRequest, sources: Sources): Promise<FoundBoard | null> {
  const event = await readOne(sources.models, racingEvents, request.eventId);
  if (event === null) return null;
  const now = await lapsByLayout(event.id, sources);
  const [trackLayoutId = null] = [request.trackLayoutId, ...layoutIdsOf(event, now)].filter((id) => id !== undefined);
  const found = (board: Board, laps: LapsByLayout): FoundBoard => {
    const layouts = layoutIdsOf(event, laps).map((id) => ({ trackLayoutId: id, laps: laps.get(id) ?? 0 }));
    return { event, board, trackLayoutId, layouts };
  };
  if (trackLayoutId === null) return found(EMPTY, now);
  const filter = { ...request, trackLayoutId };
  if (request.asOf === undefined) return found(await boardNow(filter, sources), now);
  const past = await boardAsOf(request.asOf, filter, sources);
  return found(past, past.lapsByLayout);
}

const EMPTY: Board = { total: 0, at: async () => [], sectors: [] };

function boardNow(filter: Filter, sources: Sources): Promise<Board> {
  const { carId, carClassId, validOnly } = filter;
  const isFull = carId === undefined && carClassId === undefined && validOnly;
  return isFull ? storedBoard(filter, sources) : filteredBoard(filter, sources);
}
