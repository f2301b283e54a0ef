import { z } from 'zod';
import { Lap } from '../../commands/laps.ts';
import { finishedAt, RacingEvent } from '../../commands/racing-events.ts';
import { cars } from '../../projections/cars.ts';
import { eventLayouts } from '../../projections/leaderboards/gathering-laps.ts';
import { lapDepartures, lapVersions } from '../../projections/leaderboards/lap-versions.ts';
import { laps } from '../../projections/laps.ts';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import { participants } from '../../projections/participants.ts';
import { racingEvents } from '../../projections/racing-events.ts';
import { trackLayouts } from '../../projections/track-layouts.ts';
import { EXAMPLES } from '../../src/domain/examples.ts';
import { reference, referredName } from '../../src/domain/references.ts';
import { createdAt, described, instant, milliseconds } from '../../src/domain/fields.ts';
import { eventState, eventStateAt } from '../event-state.ts';
import { drivenAt, driverName, publicName, sectors, totalTime } from '../laps.ts';
import { encodeRow, type EncodedRow } from './encoded-row.ts';
import { theoreticalBest, type Ranked } from './boards.ts';
import { findBoard, type BoardRequest, type FoundBoard } from './find-board.ts';
import { namesFor, type Names } from './board-names.ts';
import { positionedRows, type PageRequest, type PositionedRow, type RowPosition } from './positions.ts';
import type { BoardSources, Sources } from './sources.ts';

const sumOfBestSectors = described(
  milliseconds.nullable(),
  'Sum of the best sectors in ms; null when there are none, or one is null.',
  138_467,
);

const car = reference('car', 'The car.');
/** The name of the maker of a car, as it is shown beside that of the car. */
export const makerName = described(z.string(), 'Current name of the maker of the car.', EXAMPLES.carBrand.name);
const trackId = reference('trackLayout', 'The track layout.');
const eventId = reference('event', 'The event.');

export const LeaderboardRowView = z
  .object({
    position: described(
      z.int().min(1),
      'From 1. Drivers with the same time share it; the one who drove first comes first.',
      1,
    ),
    participantId: reference('participant', 'The driver.'),
    participantName: driverName,
    publicName,
    bestLap: z
      .object({
        lapId: reference('lap', 'The lap.'),
        totalTime,
        sectors,
        car,
        carDisplayName: referredName('car', car),
        carBrandDisplayName: makerName,
        trackId,
        trackDisplayName: referredName('trackId', trackId),
        drivenAt,
        createdAt,
      })
      .meta({ description: 'The best lap. Of equally fast laps, the one driven first.' }),
    bestLapNumber: described(
      z.int().min(1).nullable(),
      'Number of the best lap among all laps of the driver that match the filter, valid or not, in the order in which ' +
        'they were driven. Null on boards of a layout over all events, and where there are more than 500 such laps.',
      7,
    ),
    lastLap: z
      .object({ lapId: reference('lap', 'The lap.'), totalTime, valid: Lap.shape.valid, drivenAt })
      .meta({ description: 'The latest lap that matches the filter, valid or not.' }),
    gapToLeader: described(milliseconds.nullable(), 'Time behind the leader in ms; null for the leader.', null),
    gapToNext: described(milliseconds.nullable(), 'Time behind the row before in ms; null for the leader.', null),
    laps: described(z.int().min(1), 'Number of laps that match the filter, valid or not.', 12),
    validLaps: described(z.int().min(0), 'Number of valid laps among them.', 11),
    bestSectors: described(
      z.array(milliseconds.nullable()).readonly(),
      'Best time in each sector in ms, of laps with as many sectors as the fastest lap of the board; empty if there ' +
        'are none. Null: no such lap has a time there.',
      [41_873, 57_388, 39_206],
    ),
    theoreticalBest: sumOfBestSectors,
  })
  .meta({ id: 'LeaderboardRow', description: 'A driver on a leaderboard.' });

export const LeaderboardHeadView = z
  .object({
    eventId,
    eventName: referredName('eventId', eventId),
    trackLayoutId: reference('trackLayout', 'The layout of the board; null when the event has none.').nullable(),
    trackDisplayName: referredName('trackLayoutId', trackId),
    layouts: z
      .array(
        z.object({
          trackLayoutId: trackId,
          trackDisplayName: referredName('trackLayoutId', trackId),
          laps: described(z.int().min(0), 'Number of laps on it in this event, valid or not.', 214),
        }),
      )
      .meta({
        description: 'The layouts of the event in its order, then others with laps, those with the most laps first.',
      }),
    bestSectors: z
      .array(
        z.object({
          sector: described(z.int().min(1), 'Position of the sector in a lap, from 1.', 2),
          time: described(milliseconds.nullable(), 'Time of the sector in ms; null: nobody has one.', 57_388),
          participantId: reference('participant', 'The driver; null: nobody has a time.').nullable(),
          participantName: driverName,
          publicName,
        }),
      )
      .meta({ description: 'The fastest driver in each sector.' }),
    theoreticalBest: sumOfBestSectors,
    asOf: described(instant.nullable(), 'The moment that was asked for; null: now.', null),
    state: eventState,
    startsAt: RacingEvent.shape.startsAt,
    endsAt: RacingEvent.shape.endsAt,
    finishedAt,
  })
  .meta({ id: 'LeaderboardHead', description: 'The event, layout and best sectors of a leaderboard.' });

/** The collections that boards are made from. */
export const boardCollections: readonly string[] = [
  racingEvents,
  leaderboards,
  eventLayouts,
  laps,
  lapVersions,
  lapDepartures,
  participants,
  cars,
  trackLayouts,
].map(({ collection }) => collection);

export type LeaderboardRequest = BoardRequest & PageRequest;

export type LeaderboardRow = z.output<typeof LeaderboardRowView>;

/** The sources of the head of a board. */
interface ShownBoard extends Omit<FoundBoard, 'board'> {
  readonly board: Pick<FoundBoard['board'], 'sectors'>;
}

/** What the head of a board is made with. */
interface HeadOptions {
  /** The moment that was asked for, ISO 8601; null: now. */
  readonly asOf: string | null;
  readonly names: Names;
  /** The time now, epoch ms. */
  readonly now: number;
}

/**
 * A page of a board, with current names; null when there is no such event. Each of `rows` is the JSON of a
 * `LeaderboardRow`, after a comma unless it is the first.
 */
export async function leaderboardPage(request: LeaderboardRequest, sources: BoardSources) {
  const found = await findBoard(request, sources);
  if (found === null) return null;
  const positioned = await positionedRows(found.board, request);
  const names = await namesFor(sources.models, positioned, found);
  const rows = await encodedRowsOf(positioned, names, sources);
  const head = headOf(found, { asOf: request.asOf ?? null, names, now: sources.clock.now() });
  const bestSectors = await namedSectors(head.bestSectors, sources);
  return { rows, total: found.board.total, head: { ...head, bestSectors } };
}

/** A row as it is shown. */
export function shownRow({ ranked, position, gapToLeader, gapToNext }: PositionedRow, names: Names): LeaderboardRow {
  const { participantId, participantName, lap, lapNumber, last, laps, validLaps, bestSectors } = ranked;
  const { lapId, totalTime, sectors, car, trackId, drivenAt, createdAt } = lap;
  return {
    position,
    participantId,
    participantName: participantName ?? names.of(participantId),
    bestLap: {
      lapId,
      totalTime,
      sectors,
      car,
      carDisplayName: names.of(car),
      carBrandDisplayName: names.brandOf(car),
      trackId,
      trackDisplayName: names.of(trackId),
      drivenAt,
      createdAt,
    },
    bestLapNumber: lapNumber,
    lastLap: { lapId: last.lapId, totalTime: last.totalTime, valid: last.valid, drivenAt: last.drivenAt },
    gapToLeader,
    gapToNext,
    laps,
    validLaps,
    bestSectors,
    theoreticalBest: theoreticalBest(bestSectors),
  };
}

/** A row as it was last encoded, with the names of that time. */
interface ShownRow extends RowPosition {
  readonly names: Names;
  readonly isFirst: boolean;
  readonly encoded: EncodedRow;
}

/** Rows that were encoded before: after a lap, most rows of a board stay the same. */
const known = new WeakMap<Ranked, ShownRow>();

/** The JSON of a row, after a comma unless it is the first. */
function encodedRowOf(row: PositionedRow, names: Names, isFirst: boolean): EncodedRow {
  const { ranked, position, gapToLeader, gapToNext } = row;
  const before = known.get(ranked);
  const isPlaced = before?.position === position && before.gapToLeader === gapToLeader;
  if (isPlaced && before.gapToNext === gapToNext && before.names === names && before.isFirst === isFirst)
    return before.encoded;
  const encoded = encodeRow((isFirst ? '' : ',') + JSON.stringify(shownRow(row, names)));
  known.set(ranked, { position, gapToLeader, gapToNext, names, isFirst, encoded });
  return encoded;
}

/** The JSON of the rows of a page for a reader, with commas between them. */
export async function encodedRowsOf(
  positioned: readonly PositionedRow[],
  names: Names,
  { namePeople }: Pick<Sources, 'namePeople'>,
): Promise<readonly EncodedRow[]> {
  if (namePeople === undefined) return positioned.map((row, n) => encodedRowOf(row, names, n === 0));
  const rows = await namePeople(positioned.map((row) => shownRow(row, names)));
  return rows.map((row, n) => encodeRow((n === 0 ? '' : ',') + JSON.stringify(row)));
}

/** Best sectors as a reader sees them. */
export async function namedSectors<S extends { readonly participantId: string | null }>(
  sectors: readonly S[],
  { namePeople }: Pick<Sources, 'namePeople'>,
): Promise<readonly S[]> {
  return namePeople === undefined ? sectors : namePeople(sectors);
}

/** The best sectors of a board, as its head shows them. */
export function shownSectors(sectors: FoundBoard['board']['sectors'], names: Names) {
  const bestSectors = sectors.map(({ time, participantId, participantName }, n) => ({
    sector: n + 1,
    time,
    participantId,
    participantName: participantName ?? (participantId === null ? '' : names.of(participantId)),
  }));
  return { bestSectors, theoreticalBest: theoreticalBest(bestSectors.map(({ time }) => time)) };
}

/** The head of a board. The state of the event is that at the moment that was asked for, unless that is to come. */
export function headOf(
  { event, board, trackLayoutId, layouts, times }: ShownBoard,
  { asOf, names, now }: HeadOptions,
): z.output<typeof LeaderboardHeadView> {
  return {
    eventId: event.id,
    eventName: event.name,
    trackLayoutId,
    trackDisplayName: trackLayoutId === null ? '' : names.of(trackLayoutId),
    layouts: layouts.map((layout) => ({ ...layout, trackDisplayName: names.of(layout.trackLayoutId) })),
    ...shownSectors(board.sectors, names),
    asOf,
    state: eventStateAt(times, momentOf(asOf, now)),
    startsAt: times.startsAt,
    endsAt: times.endsAt,
    finishedAt: times.finishedAt,
  };
}

/** The moment, ISO 8601, that a board shows. */
function momentOf(asOf: string | null, now: number): string {
  const present = new Date(now).toISOString();
  return asOf === null || asOf > present ? present : asOf;
}
