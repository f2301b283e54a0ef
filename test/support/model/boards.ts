import type { LayoutBoardRequest } from '../../../queries/leaderboards/layout-board.ts';
import type { LeaderboardRequest } from '../../../queries/leaderboards/leaderboards.ts';
import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { plainBoard, plainBoardOf, plainLayouts, type PlainLap } from '../leaderboards/plain.ts';
import { isList } from './fields.ts';
import { driverName } from './kinds.ts';
import { textIn } from '../resources/entries.ts';
import { envelope } from './oracle.ts';
import { membersOf, stateAt, timesIn, type Things } from './things.ts';

/** The page of a board as it must be answered: of the laps of `then`, with the names, classes and layouts of `now`. */
export function boardOf(wish: LeaderboardRequest, now: Things, then: Things = now): JsonObject {
  const { eventId, validOnly, page, size, trackLayoutId, carId, carClassId } = wish;
  const own = idsIn(membersOf(now.find('Event', eventId)?.values)['trackLayoutIds']);
  const filter = {
    eventId,
    validOnly,
    trackLayoutId: trackLayoutId ?? own[0] ?? '',
    ...(carId === undefined ? {} : { carId }),
    ...(carClassId === undefined ? {} : { carClassId }),
  };
  const laps = lapsOf(then, now);
  const times = timesIn(membersOf(then.find('Event', eventId)?.values));
  const { finishedAt } = times;
  const minimum = minimumIn(then, { eventId, trackId: filter.trackLayoutId });
  const board = plainBoard(laps, filter, { minimum, finishedAt });
  const rows = board.rows.slice(page * size, (page + 1) * size).map((row) => shownRow(row, now, then));
  const sectors = board.bestSectors.map((best) => ({
    ...best,
    participantName: best.participantId === null ? '' : driverName(now.lookup, best.participantId),
  }));
  const layoutName = (id: string) => now.lookup('TrackLayout', id, 'displayName') ?? '';
  const head = {
    eventId,
    eventName: now.lookup('Event', eventId, 'name'),
    trackLayoutId: filter.trackLayoutId,
    trackDisplayName: layoutName(filter.trackLayoutId),
    layouts: plainLayouts(laps, eventId, own, { finishedAt }).map((layout) => ({
      ...layout,
      trackDisplayName: layoutName(layout.trackLayoutId),
    })),
    bestSectors: sectors,
    theoreticalBest: board.theoreticalBest,
    asOf: wish.asOf ?? null,
    state: stateAt(times, Math.min(Date.now(), Date.parse(wish.asOf ?? '9999-01-01T00:00:00.000Z'))),
    ...times,
  };
  return { ...envelope(rows, { page, size, total: board.rows.length }), leaderboard: head };
}

/** The rows and the head of the board of a layout over all events, as they must be answered. */
export function layoutBoardOf(wish: LayoutBoardRequest, things: Things) {
  const { trackLayoutId, from, to, carId, carClassId, simulatorId, licenseId, validOnly } = wish;
  const fitting = lapsOf(things, things).filter(
    (lap) =>
      lap.trackId === trackLayoutId &&
      (from === undefined || lap.drivenAt >= from) &&
      (to === undefined || lap.drivenAt < to) &&
      (carId === undefined || lap.car === carId) &&
      (carClassId === undefined || lap.carClassId === carClassId) &&
      (simulatorId === undefined || things.lookup('Event', lap.eventId, 'simulatorId') === simulatorId) &&
      (licenseId === undefined || things.lookup('Rig', lap.rigId, 'licenseId') === licenseId),
  );
  const board = plainBoardOf(fitting, validOnly, (lap) => minimumIn(things, lap));
  const bestSectors = board.bestSectors.map((best) => ({
    ...best,
    participantName: best.participantId === null ? '' : driverName(things.lookup, best.participantId),
  }));
  return {
    // Laps have numbers in their events alone.
    content: board.rows.map((row) => ({ ...shownRow(row, things, things), bestLapNumber: null })),
    leaderboard: {
      trackLayoutId,
      trackDisplayName: things.lookup('TrackLayout', trackLayoutId, 'displayName') ?? '',
      from: from ?? null,
      to: to ?? null,
      venue: null,
      bestSectors,
      theoreticalBest: board.theoreticalBest,
    },
  };
}

/** A page of such a board, as it must be answered. */
export function layoutBoardPage(
  wish: LayoutBoardRequest,
  { page, size }: { readonly page: number; readonly size: number },
  things: Things,
): JsonObject {
  const { content, leaderboard } = layoutBoardOf(wish, things);
  const rows = content.slice(page * size, (page + 1) * size);
  const venue = things.venue(wish.licenseId ?? '');
  return { ...envelope(rows, { page, size, total: content.length }), leaderboard: { ...leaderboard, venue } };
}

/** The path of such a page, with its query. */
export function layoutBoardPath(
  { trackLayoutId, validOnly, ...filters }: LayoutBoardRequest,
  { page, size }: { readonly page: number; readonly size: number },
): string {
  const query = new URLSearchParams({ page: `${page}`, size: `${size}` });
  if (!validOnly) query.set('validOnly', 'false');
  for (const name of ['from', 'to', 'carId', 'carClassId', 'simulatorId', 'licenseId'] as const) {
    const value = filters[name];
    if (value !== undefined) query.set(name, value);
  }
  return `/api/v1/track-layouts/${trackLayoutId}/leaderboard?${query.toString()}`;
}

/** The time, in ms, of the shortest lap that counts in an event on a layout. */
export function minimumIn(things: Things, { eventId, trackId }: Pick<PlainLap, 'eventId' | 'trackId'>): number {
  const minimumOf = (name: string, id: string) => membersOf(things.find(name, id)?.values)['minLapTime'] ?? null;
  return Number(minimumOf('Event', eventId) ?? minimumOf('TrackLayout', trackId) ?? 1);
}

function idsIn(value: Json = null): readonly string[] {
  return isList(value) ? value.map(textIn) : [];
}

/** Its path, with its query. */
export function boardPath({ eventId, validOnly, page, size, ...filters }: LeaderboardRequest): string {
  const query = new URLSearchParams({ page: `${page}`, size: `${size}` });
  if (!validOnly) query.set('validOnly', 'false');
  for (const name of ['trackLayoutId', 'carId', 'carClassId', 'asOf'] as const) {
    const value = filters[name];
    if (value !== undefined) query.set(name, value);
  }
  return `/api/v1/events/${eventId}/leaderboard?${query.toString()}`;
}

function shownRow(
  { lapId, totalTime, drivenAt, ...row }: ReturnType<typeof plainBoard>['rows'][number],
  now: Things,
  then: Things,
): JsonObject {
  const lap = then.find('Lap', lapId);
  const values = membersOf(lap?.values);
  const { sectors, carId, trackId } = values;
  return {
    ...row,
    participantName: driverName(now.lookup, row.participantId),
    bestLap: {
      lapId,
      totalTime,
      sectors,
      car: carId,
      ...carNames(now, carId),
      trackId,
      trackDisplayName: now.lookup('TrackLayout', trackId, 'displayName'),
      drivenAt,
      createdAt: lap?.learned['createdAt'],
    },
  };
}

/** The names of a car and its maker. */
export function carNames(now: Things, carId: Json = null): JsonObject {
  const lookup = (field: string): Json => now.lookup('Car', carId, field);
  return {
    carDisplayName: lookup('modelName'),
    carBrandDisplayName: now.lookup('CarBrand', lookup('brandId'), 'displayName'),
  };
}

/** The laps of `then`, with the classes that their cars have `now`. */
export function lapsOf(then: Things, now: Things): readonly PlainLap[] {
  return then.all('Lap').map(({ id, values, learned }, created) => ({
    id,
    created,
    participantId: textIn(values['participantId']),
    eventId: textIn(values['eventId']),
    rigId: textIn(values['rigId']),
    car: textIn(values['carId']),
    carClassId: textIn(now.lookup('Car', values['carId'], 'carClassId')),
    trackId: textIn(values['trackId']),
    // The model has accepted them as sector times.
    sectors: values['sectors'] as readonly number[],
    totalTime: Number(values['totalTime']),
    valid: values['valid'] === true,
    drivenAt: textIn(values['drivenAt'] ?? learned['createdAt']),
    createdAt: textIn(learned['createdAt']),
  }));
}
