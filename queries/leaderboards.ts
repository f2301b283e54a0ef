import { z } from 'zod';
import { sectorsOf } from '../projections/best-laps.ts';
import { cars } from '../projections/cars.ts';
import { lapDepartures } from '../projections/lap-departures.ts';
import { lapVersions } from '../projections/lap-versions.ts';
import { laps } from '../projections/laps.ts';
import { leaderboards } from '../projections/leaderboards.ts';
import { fullName, participants } from '../projections/participants.ts';
import { racingEvents, type RacingEventDocument } from '../projections/racing-events.ts';
import { trackLayouts } from '../projections/track-layouts.ts';
import { readOne } from '../src/domain/documents.ts';
import { reference, referredName } from '../src/domain/examples.ts';
import { createdAt, described, instant, milliseconds } from '../src/domain/fields.ts';
import { drivenAt, driverName, sectors, totalTime } from './laps.ts';
import type { ReadModels } from '../src/kernel/ports/read-store.ts';
import { fullBoard, theoreticalBest, type Board, type Ranked } from './leaderboard-boards.ts';
import { boardAsOf, filteredBoard, type Filter } from './leaderboard-filters.ts';
import type { Sources } from './leaderboard-sources.ts';

const sumOfBestSectors = described(
  milliseconds.nullable(),
  'Sum of the best sectors in ms; null when not all laps that count have the same number of sectors.',
  138_467,
);

const car = reference('car', 'The car.');
const trackId = reference('trackLayout', 'The track layout.');
const eventId = reference('event', 'The event.');

/** A participant's row. */
export const LeaderboardRowView = z
  .object({
    position: described(z.int().min(1), 'From 1; equal times share it, in the order of driving.', 1),
    participantId: reference('participant', 'Who drove.'),
    participantName: driverName,
    bestLap: z
      .object({
        lapId: reference('lap', 'The lap.'),
        totalTime,
        sectors,
        car,
        carDisplayName: referredName('car', car),
        trackId,
        trackDisplayName: referredName('trackId', trackId),
        drivenAt,
        createdAt,
      })
      .meta({ description: 'The best lap; of equal ones that which was driven first.' }),
    gapToLeader: described(milliseconds.nullable(), 'Time behind the leader in ms; null for the leader.', null),
    gapToNext: described(milliseconds.nullable(), 'Time behind the row before in ms; null for the leader.', null),
    laps: described(z.int().min(1), 'Number of laps that fit the filter, valid or not.', 12),
    validLaps: described(z.int().min(0), 'Number of the valid ones.', 11),
    bestSectors: described(
      z.array(milliseconds).readonly(),
      'Best time of each sector in ms, by its place in a lap.',
      [41_873, 57_388, 39_206],
    ),
    theoreticalBest: sumOfBestSectors,
  })
  .meta({ id: 'LeaderboardRow', description: 'A driver on a leaderboard.' });

/** What is said of the whole board. */
export const LeaderboardHeadView = z
  .object({
    eventId,
    eventName: referredName('eventId', eventId),
    bestSectors: z
      .array(
        z.object({
          sector: described(z.int().min(1), 'Place of the sector in a lap, from 1.', 2),
          time: described(milliseconds, 'Time of the sector in ms.', 57_388),
          participantId: reference('participant', 'Who drove it.'),
          participantName: driverName,
        }),
      )
      .meta({ description: 'Who was the fastest in each sector.' }),
    theoreticalBest: sumOfBestSectors,
    asOf: described(instant.nullable(), 'The moment that was asked for; null: now.', null),
  })
  .meta({ id: 'LeaderboardHead', description: 'What is said of a whole leaderboard.' });

/** The collections that boards are worked out from. */
export const boardCollections: readonly string[] = [
  racingEvents,
  leaderboards,
  laps,
  lapVersions,
  lapDepartures,
  participants,
  cars,
  trackLayouts,
].map(({ collection }) => collection);

/** What is asked for. */
export interface LeaderboardRequest extends Filter {
  readonly page: number;
  readonly size: number;
  /** ISO 8601: the board as it was then. */
  readonly asOf?: string | undefined;
}

/** A page of a leaderboard. */
export interface LeaderboardPage {
  readonly rows: readonly z.output<typeof LeaderboardRowView>[];
  readonly total: number;
  readonly head: z.output<typeof LeaderboardHeadView>;
}

/** Works out a page; null when there is no such event. Names are those of now. */
export async function leaderboardPage(wish: LeaderboardRequest, sources: Sources): Promise<LeaderboardPage | null> {
  const event = await readOne(sources.models, racingEvents, wish.eventId);
  if (event === null) return null;
  const board = await boardOf(wish, sources);
  const placed = await placedRows(board, wish);
  const names = await namesFor(
    sources.models,
    placed.map(({ standing }) => standing),
    board.sectors,
  );
  const rows = placed.map((place) => shownRow(place, names));
  return { rows, total: board.total, head: headOf(event, board, { asOf: wish.asOf ?? null, names }) };
}

async function boardOf(wish: LeaderboardRequest, sources: Sources): Promise<Board> {
  const { eventId, trackLayoutId, carId, carClassId, validOnly, asOf } = wish;
  if (asOf !== undefined) return boardAsOf(asOf, wish, sources);
  const all = trackLayoutId === undefined && carId === undefined && carClassId === undefined && validOnly;
  return all ? fullBoard(eventId, sources) : filteredBoard(wish, sources);
}

interface Placed {
  readonly standing: Ranked;
  readonly position: number;
  readonly gapToLeader: number | null;
  readonly gapToNext: number | null;
}

/** The rows of a page with their places; the row before the page is read as well. */
async function placedRows(board: Board, { page, size }: Pick<LeaderboardRequest, 'page' | 'size'>): Promise<Placed[]> {
  const offset = page * size;
  const from = Math.max(0, offset - 1);
  const read = await board.at(from, size + offset - from);
  const [leader] = from === 0 ? read : await board.at(0, 1);
  let before = offset === from ? undefined : read[0];
  let position = 0;
  const placed: Placed[] = [];
  for (const [n, standing] of read.slice(offset - from).entries()) {
    const { totalTime } = standing.lap;
    const ties = before?.lap.totalTime === totalTime;
    if (!ties) position = offset + n + 1;
    else if (n === 0) position = await sharedPosition(board, offset, totalTime);
    const gapTo = (other: Ranked | undefined) =>
      before === undefined || other === undefined ? null : totalTime - other.lap.totalTime;
    placed.push({ standing, position, gapToLeader: gapTo(leader), gapToNext: gapTo(before) });
    before = standing;
  }
  return placed;
}

/** Rows that are read at a time to find where a tie begins. */
const TIES = 100;

/** The position that a time shares which the row before this place has too. */
async function sharedPosition(board: Board, place: number, totalTime: number): Promise<number> {
  for (let first = place; first > 0;) {
    const from = Math.max(0, first - TIES);
    const rows = await board.at(from, first - from);
    const faster = rows.findLastIndex(({ lap }) => lap.totalTime < totalTime);
    if (faster >= 0) return from + faster + 2;
    first = from;
  }
  return 1;
}

/** Names of things by their ids; '' for what is not there. */
type Names = (id: string) => string;

/** Looks each name up once that rows and holders of sectors show and do not know. */
async function namesFor(models: ReadModels, standings: readonly Ranked[], sectors: Board['sectors']): Promise<Names> {
  const [nameless, carIds, layoutIds] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { participantId, participantName } of sectors) if (participantName === null) nameless.add(participantId);
  for (const { participantId, participantName, lap } of standings) {
    if (participantName === null) nameless.add(participantId);
    carIds.add(lap.car);
    layoutIds.add(lap.trackId);
  }
  const names = new Map<string, string>();
  const note = async (ids: ReadonlySet<string>, nameOf: (id: string) => Promise<string>): Promise<void> => {
    await Promise.all([...ids].map(async (id) => names.set(id, await nameOf(id))));
  };
  await note(nameless, async (id) => fullName(await readOne(models, participants, id)));
  await note(carIds, async (id) => (await readOne(models, cars, id))?.modelName ?? '');
  await note(layoutIds, async (id) => (await readOne(models, trackLayouts, id))?.displayName ?? '');
  return (id) => names.get(id) ?? '';
}

function shownRow({ standing, position, gapToLeader, gapToNext }: Placed, names: Names) {
  const { participantId, participantName, lap, laps, validLaps, times, counts } = standing;
  const { lapId, totalTime, sectors, car, trackId, drivenAt, createdAt } = lap;
  const bestSectors = times.slice(1);
  return {
    position,
    participantId,
    participantName: participantName ?? names(participantId),
    bestLap: {
      lapId,
      totalTime,
      sectors,
      car,
      carDisplayName: names(car),
      trackId,
      trackDisplayName: names(trackId),
      drivenAt,
      createdAt,
    },
    gapToLeader,
    gapToNext,
    laps,
    validLaps,
    bestSectors,
    theoreticalBest: theoreticalBest(bestSectors, sectorsOf(counts)),
  };
}

function headOf(
  { id, name }: RacingEventDocument,
  board: Board,
  { asOf, names }: { readonly asOf: string | null; readonly names: Names },
) {
  const bestSectors = board.sectors.map(({ time, participantId, participantName }, n) => ({
    sector: n + 1,
    time,
    participantId,
    participantName: participantName ?? names(participantId),
  }));
  const times = bestSectors.map(({ time }) => time);
  return { eventId: id, eventName: name, bestSectors, theoreticalBest: theoreticalBest(times, board), asOf };
}
