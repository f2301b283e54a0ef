import { eventLayouts, type EventLayoutDocument } from '../../projections/leaderboards/gathering-laps.ts';
import { trackLayouts } from '../../projections/track-layouts.ts';
import { racingEvents, type RacingEventDocument } from '../../projections/racing-events.ts';
import { readOne } from '../../src/service/domain/documents.ts';
import type { Board } from './boards.ts';
import { carsOf, minimumIn, type BoardFilter } from './filters.ts';
import { boardOfCars } from './few-laps.ts';
import { layoutIdsOf, layoutsOf, type LapsByLayout } from './layouts.ts';
import type { BoardSources, Sources } from './sources.ts';
import { storedBoard } from './stored-board.ts';

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
  const find = await boardFinder(request, sources);
  return find && find(request.trackLayoutId);
}

/** Finds the board of a layout; undefined: of the first. Null: there is no such event any more. */
type BoardFinder = (trackLayoutId?: string) => Promise<FoundBoard | null>;

/** Looks up once what the boards of an event have in common; null when there is no such event. */
export async function boardFinder(request: BoardRequest, sources: BoardSources): Promise<BoardFinder | null> {
  const { models, lapBoard } = sources;
  const { eventId, asOf, validOnly } = request;
  const event = await readOne(models, racingEvents, eventId);
  if (event === null) return null;
  const driven = await drivenLayouts(eventId, sources);
  const now = new Map([...driven].map(([id, { laps }]) => [id, laps]));
  const cars = await carsOf(request, models);
  const minimumOf = async (id: string): Promise<number> => minimumIn(event, await readOne(models, trackLayouts, id));
  const hasShortLaps = async (id: string): Promise<boolean> =>
    (driven.get(id)?.least ?? Infinity) < (await minimumOf(id));
  return async (wanted) => {
    const [trackLayoutId = null] = wanted === undefined ? layoutIdsOf(event, now) : [wanted];
    const found = (board: Board, laps: LapsByLayout): FoundBoard => {
      return { event, board, trackLayoutId, layouts: layoutsOf(event, laps) };
    };
    if (trackLayoutId === null) return found(EMPTY, now);
    if (isStored(request) && !(await hasShortLaps(trackLayoutId)))
      return found(await storedBoard({ eventId, trackLayoutId }, sources), now);
    const filter = { eventId, trackLayoutId, validOnly, cars };
    const board =
      cars === null || asOf !== undefined
        ? await lapBoard(filter, asOf === undefined ? Infinity : Date.parse(asOf))
        : await boardOfCars(filter, { minimum: await minimumOf(trackLayoutId), lapsByLayout: now }, sources);
    return board && found(board, board.lapsByLayout);
  };
}

/** The layouts on which laps of an event were driven. */
async function drivenLayouts(eventId: string, { models, allowance }: Sources) {
  const found = new Map<string, EventLayoutDocument>();
  for await (const batch of allowance.all(models, eventLayouts, { eventId })) {
    for (const layout of batch) found.set(layout.trackId, layout);
  }
  return found;
}

const EMPTY: Board = { total: 0, at: async () => [], sectors: [] };

/** Whether the read models have a board: that of all valid laps on a layout now. */
export function isStored({ carId, carClassId, validOnly, asOf }: Omit<BoardRequest, 'eventId'>): boolean {
  return carId === undefined && carClassId === undefined && validOnly && asOf === undefined;
}
