import { expect } from 'chai';
import type { Json, JsonObject } from '../../../src/service/kernel/json.ts';
import { plainBoard, plainLayouts, type PlainLap } from '../leaderboards/plain.ts';
import { isList } from './fields.ts';
import { driverName, textIn } from './kinds.ts';
import { envelope } from './oracle.ts';
import { expectProblemOf, expectSame } from './checks.ts';
import { membersOf, type Things } from './things.ts';
import type { World } from './world.ts';

/** A requested page of a leaderboard. */
export interface BoardRequest {
  readonly eventId: string;
  readonly validOnly: boolean;
  readonly trackLayoutId: string | undefined;
  readonly carId: string | undefined;
  readonly carClassId: string | undefined;
  readonly page: number;
  readonly size: number;
}

/** Requests a page of a leaderboard and compares it with the plain board of the model's laps. */
export async function expectBoard(world: World, wish: BoardRequest): Promise<void> {
  const { eventId, validOnly, page, size, trackLayoutId, carId, carClassId } = wish;
  const { things } = world.oracle;
  const answer = await world.as(null).get(`/api/v1/events/${eventId}/leaderboard?${queryOf(wish)}`);
  const event = things.find('Event', eventId);
  if (event === null) {
    expectProblemOf(answer, ['not-found']);
    return;
  }
  expect(answer.status, answer.text).to.equal(200);
  const own = idsIn(membersOf(event.values)['trackLayoutIds']);
  const filter = {
    eventId,
    validOnly,
    trackLayoutId: trackLayoutId ?? own[0] ?? '',
    ...(carId === undefined ? {} : { carId }),
    ...(carClassId === undefined ? {} : { carClassId }),
  };
  const laps = lapsOf(things);
  const board = plainBoard(laps, filter);
  const rows = board.rows.map((row) => shownRow(row, things)).slice(page * size, (page + 1) * size);
  const name = things.lookup('Event', eventId, 'name');
  const sectors = board.bestSectors.map((best) => ({
    ...best,
    time: best.time ?? null,
    participantName: driverName(things.lookup, best.participantId),
  }));
  const layoutName = (id: string) => things.lookup('TrackLayout', id, 'displayName') ?? '';
  const head = {
    eventId,
    eventName: name,
    trackLayoutId: filter.trackLayoutId,
    trackDisplayName: layoutName(filter.trackLayoutId),
    layouts: plainLayouts(laps, eventId, own).map((layout) => ({
      ...layout,
      trackDisplayName: layoutName(layout.trackLayoutId),
    })),
    bestSectors: sectors,
    theoreticalBest: board.theoreticalBest,
    asOf: null,
  };
  const expected = { ...envelope(rows, { page, size, total: board.rows.length }), leaderboard: head };
  expectSame(answer.body, expected);
}

function idsIn(value: Json = null): readonly string[] {
  return isList(value) ? value.map(textIn) : [];
}

function queryOf({ validOnly, page, size, trackLayoutId, carId, carClassId }: BoardRequest): string {
  const query = new URLSearchParams({ page: `${page}`, size: `${size}` });
  if (!validOnly) query.set('validOnly', 'false');
  for (const [name, value] of Object.entries({ trackLayoutId, carId, carClassId })) {
    if (value !== undefined) query.set(name, value);
  }
  return query.toString();
}

function shownRow(
  { lapId, totalTime, drivenAt, ...row }: ReturnType<typeof plainBoard>['rows'][number],
  things: Things,
): JsonObject {
  const values = membersOf(things.find('Lap', lapId)?.values);
  const { sectors, carId, trackId } = values;
  return {
    ...row,
    bestSectors: row.bestSectors.map((time) => time ?? null),
    participantName: driverName(things.lookup, row.participantId),
    bestLap: {
      lapId,
      totalTime,
      sectors,
      car: carId,
      carDisplayName: things.lookup('Car', carId, 'modelName'),
      trackId,
      trackDisplayName: things.lookup('TrackLayout', trackId, 'displayName'),
      drivenAt,
      createdAt: things.find('Lap', lapId)?.learned['createdAt'],
    },
  };
}

function lapsOf(things: Things): readonly PlainLap[] {
  return things.all('Lap').map(({ id, values, learned }, created) => ({
    id,
    created,
    participantId: textIn(values['participantId']),
    eventId: textIn(values['eventId']),
    car: textIn(values['carId']),
    carClassId: textIn(things.lookup('Car', values['carId'], 'carClassId')),
    trackId: textIn(values['trackId']),
    // The model has accepted them as sector times.
    sectors: values['sectors'] as readonly number[],
    totalTime: Number(values['totalTime']),
    valid: values['valid'] === true,
    drivenAt: textIn(values['drivenAt'] ?? learned['createdAt']),
    createdAt: textIn(learned['createdAt']),
  }));
}
