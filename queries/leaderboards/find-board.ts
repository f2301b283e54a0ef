import { eventLayouts, identityOf, type EventLayoutDocument } from '../../projections/leaderboards/gathering-laps.ts';
import { laps as lapDocuments, type LapDocument } from '../../projections/laps.ts';
import { trackLayouts } from '../../projections/track-layouts.ts';
import { racingEvents, type RacingEventDocument } from '../../projections/racing-events.ts';
import { readOne } from '../../src/domain/documents.ts';
import { OverBudget } from '../../src/kernel/ports/errors.ts';
import type { EventTimes } from '../event-state.ts';
import type { Board } from './boards.ts';
import { carsOf, isInTime, minimumIn, type BoardFilter } from './filters.ts';
import { LapBoard, type EventBoard, type FactsOfLap, type LapFilter } from './lap-board.ts';
import { layoutIdsOf, layoutsOf, type LapsByLayout } from './layouts.ts';
import { Allowance, type BoardSources, type Sources } from './sources.ts';
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
  /** What the event was at the moment of the board. */
  readonly times: EventTimes;
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
  const isLate = hasLateLaps(event, driven);
  const cars = await carsOf(request, models);
  const minimumOf = async (id: string): Promise<number> => minimumIn(event, await readOne(models, trackLayouts, id));
  const hasShortLaps = async (id: string): Promise<boolean> =>
    (driven.get(id)?.least ?? Infinity) < (await minimumOf(id));
  return async (wanted) => {
    const [trackLayoutId = null] = wanted === undefined ? layoutIdsOf(event, now) : [wanted];
    const found = (board: Board, laps: LapsByLayout, times: EventTimes): FoundBoard => {
      return { event, board, trackLayoutId, layouts: layoutsOf(event, laps), times };
    };
    if (trackLayoutId === null) return found(EMPTY, now, event);
    if (isStored(request) && !isLate && !(await hasShortLaps(trackLayoutId)))
      return found(await storedBoard({ eventId, trackId: trackLayoutId }, sources), now, event);
    const filter = { eventId, trackLayoutId, validOnly, cars };
    // The documents of some laps do not tell how many laps of each layout were driven in time.
    const isOfFew = cars !== null && asOf === undefined && !isLate;
    const board = isOfFew
      ? await boardOfCars(filter, { minimum: await minimumOf(trackLayoutId), lapsByLayout: now, event }, sources)
      : await lapBoard(filter, asOf === undefined ? Infinity : Date.parse(asOf));
    return board && found(board, board.lapsByLayout, board.times);
  };
}

/** Whether a lap of an event may have been driven after it was finished; these are on none of its boards. */
function hasLateLaps({ finishedAt }: RacingEventDocument, driven: ReadonlyMap<string, EventLayoutDocument>): boolean {
  if (finishedAt === null) return false;
  return [...driven.values()].some(({ latest }) => !isInTime({ drivenAt: latest }, finishedAt));
}

/**
 * Whether the board of a request is made of laps: because of what is asked for, or because some are too short or were
 * driven after the finish. Undefined asks for that of any layout.
 */
export async function isMadeOfLaps(request: BoardRequest, sources: Sources): Promise<boolean> {
  if (!isStored(request)) return true;
  const event = await readOne(sources.models, racingEvents, request.eventId);
  if (event === null) return false;
  const driven = await drivenLayouts(event.id, sources);
  if (hasLateLaps(event, driven)) return true;
  for (const [id, { least }] of driven) {
    if (request.trackLayoutId !== undefined && request.trackLayoutId !== id) continue;
    if (least < minimumIn(event, await readOne(sources.models, trackLayouts, id))) return true;
  }
  return false;
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

/** Whether the read models have the board of a request: the current one of all valid laps on a layout. */
export function isStored({ carId, carClassId, validOnly, asOf }: Omit<BoardRequest, 'eventId'>): boolean {
  return carId === undefined && carClassId === undefined && validOnly && asOf === undefined;
}

/** Most laps that a board is computed from while the laps of the whole event are not in memory. */
const FEW_LAPS = 20_000;

/** What is known of a filtered board before its laps are read. */
interface Known extends Pick<EventBoard, 'lapsByLayout'> {
  /** ms: the time of the shortest lap that counts. */
  readonly minimum: number;
  readonly event: RacingEventDocument;
}

/**
 * The current board of some cars; null when there is no such event. A board that is asked for once is computed from the
 * documents of its laps. That takes a fraction of the time that it takes to load all laps of a large event, which pays
 * only where boards of the event are asked for again.
 * @throws {OverBudget} when there are too many laps for either
 */
async function boardOfCars(filter: LapFilter, known: Known, sources: BoardSources) {
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

/** The board, computed from the documents of its laps; null when there are more than FEW_LAPS. */
async function boardOfFewLaps(
  filter: LapFilter,
  { minimum, lapsByLayout, event }: Known,
  { models, allowance, turn }: BoardSources,
): Promise<EventBoard | null> {
  const { eventId, trackLayoutId: trackId, cars } = filter;
  const few = new Allowance({ ...allowance.bounds(), budget: FEW_LAPS });
  const shown = new Map<string, FactsOfLap[]>();
  const lapsOf = (participantId: string): readonly FactsOfLap[] => shown.get(participantId) ?? [];
  const board = new LapBoard(filter, { minimum, finishedAt: event.finishedAt }, lapsOf);
  const add = (document: LapDocument): void => {
    const lap = identityOf(document);
    board.add(lap, document);
    if (!board.shows(document)) return;
    const own = shown.get(document.participantId);
    if (own === undefined) shown.set(document.participantId, [[lap, document]]);
    else own.push([lap, document]);
  };
  return turn(async () => {
    for (const car of cars ?? []) {
      const found = few.all(models, lapDocuments, { eventId, trackId, car });
      for await (const batch of found) for (const lap of batch) add(lap);
    }
    return { ...board.snapshot(), lapsByLayout, times: event };
  }).catch((error: unknown) => {
    if (error instanceof OverBudget) return null;
    throw error;
  });
}
