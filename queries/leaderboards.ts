import { z } from 'zod';
import { cars } from '../projections/cars.ts';
import { eventLayouts } from '../projections/event-layouts.ts';
import { lapDepartures } from '../projections/lap-departures.ts';
import { lapVersions } from '../projections/lap-versions.ts';
import { laps } from '../projections/laps.ts';
import { leaderboards } from '../projections/leaderboards.ts';
import { participants } from '../projections/participants.ts';
import { racingEvents } from '../projections/racing-events.ts';
import { trackLayouts } from '../projections/track-layouts.ts';
import { instant, milliseconds, uuid } from '../src/domain/fields.ts';
import { theoreticalBest } from './leaderboard-boards.ts';
import { findBoard, type BoardRequest, type FoundBoard } from './leaderboard-found.ts';
import { namesFor, type Names } from './leaderboard-names.ts';
import { placedRows, type Placed, type PlacesWanted } from './leaderboard-places.ts';
import type { Sources } from './leaderboard-sources.ts';

const sumOfBestSectors = milliseconds
  .nullable()
  .meta({ description: 'Sum of the best sectors; null when there are none.' });

/** A participant's row. */
export const LeaderboardRowView = z
  .object({
    position: z.int().min(1).meta({ description: 'From 1; equal times share it, in the order of driving.' }),
    participantId: uuid,
    participantName: z.string(),
    bestLap: z.object({
      lapId: uuid,
      totalTime: milliseconds,
      sectors: z.array(milliseconds).readonly(),
      car: uuid,
      carDisplayName: z.string(),
      trackId: uuid,
      trackDisplayName: z.string(),
      drivenAt: instant,
      createdAt: instant,
    }),
    gapToLeader: milliseconds.nullable().meta({ description: 'ms; null for the leader.' }),
    gapToNext: milliseconds.nullable().meta({ description: 'ms to the row before; null for the leader.' }),
    laps: z.int().min(1).meta({ description: 'Laps that fit the filter, valid or not.' }),
    validLaps: z.int().min(0),
    bestSectors: z
      .array(milliseconds)
      .readonly()
      .meta({
        description:
          'ms of each sector, of laps with as many sectors as the fastest lap of the board; empty without such.',
      }),
    theoreticalBest: sumOfBestSectors,
  })
  .meta({ id: 'LeaderboardRow' });

/** What is said of the whole board. */
export const LeaderboardHeadView = z
  .object({
    eventId: uuid,
    eventName: z.string(),
    trackLayoutId: uuid.nullable().meta({ description: 'The layout of the board; null when the event has none.' }),
    trackDisplayName: z.string(),
    layouts: z
      .array(
        z.object({
          trackLayoutId: uuid,
          trackDisplayName: z.string(),
          laps: z.int().min(0).meta({ description: 'Laps on it in this event, valid or not.' }),
        }),
      )
      .meta({
        description: 'The layouts of the event in its order, then others with laps, those with the most first.',
      }),
    bestSectors: z.array(
      z.object({
        sector: z.int().min(1).meta({ description: 'Place of the sector in a lap, from 1.' }),
        time: milliseconds,
        participantId: uuid,
        participantName: z.string(),
      }),
    ),
    theoreticalBest: sumOfBestSectors,
    asOf: instant.nullable().meta({ description: 'The moment that was asked for; null: now.' }),
  })
  .meta({ id: 'LeaderboardHead' });

/** The collections that boards are worked out from. */
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

/** A page of a board that is asked for. */
export type LeaderboardRequest = BoardRequest & PlacesWanted;

/** A page of a leaderboard. */
export interface LeaderboardPage {
  readonly rows: readonly z.output<typeof LeaderboardRowView>[];
  readonly total: number;
  readonly head: z.output<typeof LeaderboardHeadView>;
}

/** Works out a page; null when there is no such event. Names are those of now. */
export async function leaderboardPage(wish: LeaderboardRequest, sources: Sources): Promise<LeaderboardPage | null> {
  const found = await findBoard(wish, sources);
  if (found === null) return null;
  const placed = await placedRows(found.board, wish);
  const names = await namesFor(sources.models, placed, found);
  const rows = placed.map((place) => shownRow(place, names));
  return { rows, total: found.board.total, head: headOf(found, { asOf: wish.asOf ?? null, names }) };
}

function shownRow({ standing, position, gapToLeader, gapToNext }: Placed, names: Names) {
  const { participantId, participantName, lap, laps, validLaps, bestSectors } = standing;
  const { lapId, totalTime, sectors, car, trackId, drivenAt, createdAt } = lap;
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
    theoreticalBest: theoreticalBest(bestSectors),
  };
}

function headOf(
  { event, board, trackLayoutId, layouts }: FoundBoard,
  { asOf, names }: { readonly asOf: string | null; readonly names: Names },
) {
  const bestSectors = board.sectors.map(({ time, participantId, participantName }, n) => ({
    sector: n + 1,
    time,
    participantId,
    participantName: participantName ?? names(participantId),
  }));
  return {
    eventId: event.id,
    eventName: event.name,
    trackLayoutId,
    trackDisplayName: trackLayoutId === null ? '' : names(trackLayoutId),
    layouts: layouts.map((layout) => ({ ...layout, trackDisplayName: names(layout.trackLayoutId) })),
    bestSectors,
    theoreticalBest: theoreticalBest(bestSectors.map(({ time }) => time)),
    asOf,
  };
}
