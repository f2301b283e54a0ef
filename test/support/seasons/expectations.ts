import type { LayoutBoardRequest } from '../../../queries/leaderboards/layout-board.ts';
import type { LeaderboardRequest } from '../../../queries/leaderboards/leaderboards.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { textOf, type Answer } from '../api/client.ts';
import { isTime } from '../leaderboards/plain.ts';
import { plainRig } from '../completeness.ts';
import { boardOf, boardPath, carNames, lapsOf, layoutBoardPage, layoutBoardPath, minimumIn } from '../model/boards.ts';
import type { Things } from '../model/things.ts';
import type { RandomSource } from '../simulation/random.ts';
import { thingsOf, numberedIn, type Exported } from './history.ts';
import { cellOf, cellsIn } from './tables.ts';

/** A path, and what must be answered there. */
export interface Expectation {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: (answer: Answer) => unknown;
}

/** What a history makes, as a calculation takes it. */
export interface Past {
  readonly events: readonly Exported[];
  readonly things: Things;
  readonly chances: RandomSource;
}

const body = ({ text }: Answer): unknown => JSON.parse(text);

/** Rows of a page that is whole. */
export const WHOLE = { page: 0, size: 1000 };

/** Ids of all resources of a kind. */
export function idsOf(things: Things, kind: string): readonly string[] {
  return things.all(kind).map(({ id }) => id);
}

/** All boards of the season, with every filter. */
export function allBoards({ things }: Past): readonly LeaderboardRequest[] {
  const orNone = (kind: string) => [undefined, ...idsOf(things, kind)];
  const cars = [
    ...orNone('Car').map((carId) => ({ carId, carClassId: undefined })),
    ...idsOf(things, 'CarClass').map((carClassId) => ({ carId: idsOf(things, 'Car')[0], carClassId })),
    ...idsOf(things, 'CarClass').map((carClassId) => ({ carId: undefined, carClassId })),
  ];
  return idsOf(things, 'Event').flatMap((eventId) =>
    orNone('TrackLayout').flatMap((trackLayoutId) =>
      [true, false].flatMap((validOnly) =>
        cars.map((its) => ({ eventId, trackLayoutId, validOnly, ...its, ...WHOLE })),
      ),
    ),
  );
}

/** Boards of layouts over all events: of all laps, and some of each filter, for times that end anywhere. */
export function layoutBoards(past: Past): readonly LayoutBoardRequest[] {
  const { things, chances } = past;
  const some = (kind: string): string | undefined => {
    const ids = idsOf(things, kind);
    return ids.length === 0 || !chances.oneIn(3) ? undefined : chances.pick(ids);
  };
  return idsOf(things, 'TrackLayout').flatMap((trackLayoutId) => [
    { trackLayoutId, validOnly: true },
    { trackLayoutId, validOnly: false },
    ...Array.from({ length: 6 }, () => {
      const [from, to] = [momentIn(past).asOf, momentIn(past).asOf].toSorted();
      return {
        trackLayoutId,
        validOnly: chances.oneIn(2),
        from: chances.oneIn(2) ? from : undefined,
        to: chances.oneIn(2) ? to : undefined,
        carId: some('Car'),
        carClassId: some('CarClass'),
        simulatorId: some('Simulator'),
        licenseId: some('License'),
      };
    }),
  ]);
}

/** A board that may be watched: of what its event lists, or has laps of. */
export function watchable(past: Past): LeaderboardRequest {
  const { chances, things } = past;
  const { lookup } = things;
  const boards = allBoards(past).filter(({ eventId, trackLayoutId, carId, carClassId }) => {
    const layouts = lookup('Event', eventId, 'trackLayoutIds');
    const cars = lookup('Event', eventId, 'carIds');
    const lists = (ids: unknown, id: string | undefined) =>
      id === undefined || (Array.isArray(ids) && ids.includes(id));
    const classes = (cars as readonly string[]).map((car) => lookup('Car', car, 'carClassId'));
    return lists(layouts, trackLayoutId) && lists(cars, carId) && lists(classes, carClassId);
  });
  return chances.pick(boards);
}

/** The board of an event that shows most laps. */
export function driven(past: Past): LeaderboardRequest {
  const lapsOn = (request: LeaderboardRequest): number => {
    const rows = boardOf(request, past.things)['content'] as readonly JsonObject[];
    return rows.reduce((sum, { laps }) => sum + Number(laps), 0);
  };
  const all = allBoards(past).map((request) => ({ request, laps: lapsOn(request) }));
  const [{ request, laps } = { request: watchable(past), laps: 0 }] = all.toSorted((a, b) => b.laps - a.laps);
  if (laps === 0) throw new Error('no lap is on any board');
  return request;
}

/** A board, one page of it, and the board as a venue prints it; at a moment, or now. */
export function* boardExpectations(past: Past, request: LeaderboardRequest): Generator<Expectation> {
  const { things, chances, events } = past;
  const { asOf } = request;
  const then = asOf === undefined ? things : thingsOf(events.filter(({ metadata }) => metadata.occurredAt <= asOf));
  for (const page of [WHOLE, { page: chances.below(3), size: 1 + chances.below(3) }]) {
    const paged = { ...request, ...page };
    yield { path: boardPath(paged), expected: boardOf(paged, things, then), actual: body };
  }
  const { content } = boardOf(request, things, then);
  yield {
    path: boardPath(request)
      .replace('leaderboard', 'results.csv')
      .replace(/page=0&size=1000&?/, ''),
    expected: [
      ['position', 'driver', 'car', 'time', 'gap', 'laps', 'maker', 'participantId', 'carId'],
      ...(content as readonly JsonObject[]).map(printed),
    ],
    actual: ({ text }) => cellsIn(text),
  };
}

/** The board of a layout over all events, and one page of it. */
export function* layoutBoardExpectations(
  { things, chances }: Past,
  request: LayoutBoardRequest,
): Generator<Expectation> {
  const { from, to } = request;
  // That is refused.
  if (from !== undefined && from === to) return;
  for (const page of [WHOLE, { page: chances.below(3), size: 1 + chances.below(3) }]) {
    yield { path: layoutBoardPath(request, page), expected: layoutBoardPage(request, page, things), actual: body };
  }
}

function printed({
  position,
  participantId,
  participantName,
  bestLap,
  gapToLeader,
  laps,
}: JsonObject): readonly string[] {
  const { car, carDisplayName, carBrandDisplayName, totalTime } = bestLap as JsonObject;
  const gap = gapToLeader === null ? '' : clockTime(Number(gapToLeader));
  const time = clockTime(Number(totalTime));
  const names = [position, participantName, carDisplayName, time, gap, laps, carBrandDisplayName];
  return [...names, participantId, car].map(cellOf);
}

function clockTime(ms: number): string {
  return new Date(ms).toISOString().slice('1970-01-01T00:0'.length, -1);
}

/** The bests of all participants. */
export function* bestsExpectations({ things }: Past): Generator<Expectation> {
  for (const participantId of idsOf(things, 'Participant')) {
    const own = lapsOf(things, things).filter(
      (lap) =>
        lap.valid &&
        isTime(lap.totalTime) &&
        lap.totalTime >= minimumIn(things, lap) &&
        lap.participantId === participantId,
    );
    const best = new Map<string, (typeof own)[number]>();
    for (const lap of own.toSorted((a, b) => by(a.totalTime, b.totalTime) || by(order(a), order(b)))) {
      const combination = `${lap.trackId} ${lap.car}`;
      if (!best.has(combination)) best.set(combination, lap);
    }
    const expected = [...best.values()].map(({ trackId, car, id, eventId, totalTime, sectors, drivenAt }) => ({
      trackLayoutId: trackId,
      trackDisplayName: things.lookup('TrackLayout', trackId, 'displayName'),
      ...carNames(things, car),
      carId: car,
      lapId: id,
      eventId,
      totalTime,
      sectors,
      drivenAt,
    }));
    const name = (one: JsonObject) => `${textOf(one, 'trackDisplayName')} ${textOf(one, 'trackLayoutId')}`;
    expected.sort((a, b) => by(name(a), name(b)) || by(a.totalTime, b.totalTime) || by(a.carId, b.carId));
    yield { path: `/api/v1/participants/${participantId}/bests`, expected, actual: body };
  }
}

/** The order of laps with equal times. */
function order({ drivenAt, createdAt, created }: ReturnType<typeof lapsOf>[number]): string {
  return `${drivenAt} ${createdAt} ${String(created).padStart(9, '0')}`;
}

export function by<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Completeness of all rigs and events. */
export function* completenessExpectations({ things, events }: Past): Generator<Expectation> {
  const numbered = numberedIn(events);
  const rigIds = idsOf(things, 'Rig').toSorted();
  for (const rigId of rigIds) {
    const whole = plainRig(numbered, rigId, null);
    const path = `/api/v1/rigs/${rigId}/completeness`;
    yield { path, expected: { rigs: [whole] }, actual: body };
    for (const one of whole.boots) {
      const query = new URLSearchParams({ boot: one.boot }).toString();
      yield { path: `${path}?${query}`, expected: { rigs: [{ rigId, boots: [one] }] }, actual: body };
    }
  }
  for (const eventId of idsOf(things, 'Event')) {
    const rigs = rigIds.map((rigId) => plainRig(numbered, rigId, eventId)).filter(({ boots }) => boots.length > 0);
    yield { path: `/api/v1/events/${eventId}/completeness`, expected: { rigs }, actual: body };
  }
}

/** A moment of a history, or one next to it. */
export function momentIn({ events, chances }: Past): { readonly asOf: string } {
  const at = Date.parse(chances.pick(events).metadata.occurredAt);
  return { asOf: new Date(at + chances.below(3) - 1).toISOString() };
}
