import type { JsonObject } from '../../../src/service/kernel/json.ts';
import { LiveReader } from '../api/live-reader.ts';
import { ClientBoard, type LiveEvent } from '../live/events.ts';
import { boardOf, carNames, type BoardRequest } from '../model/boards.ts';
import { driverName } from '../model/kinds.ts';
import type { Things } from '../model/things.ts';
import type { Comparisons } from './comparisons.ts';
import type { Past } from './expectations.ts';
import { thingsOf, valuesTold, subjectOf } from './history.ts';

/** A live board that is watched. */
export interface Watched {
  readonly request: BoardRequest;
  readonly reader: LiveReader;
  /** Epoch ms. */
  readonly openedAt: number;
}

export type Change = readonly LiveEvent[];

/** How a live board is watched: from a position on, from a moment on, or later than it happens; or from now. */
export interface Manner {
  readonly after?: number;
  /** ISO 8601; replayed as fast as possible. */
  readonly from?: string;
  readonly delaySeconds?: number;
}

/** Watches a board. */
export async function watch(url: string, request: BoardRequest, manner: Manner = {}): Promise<Watched> {
  const { validOnly, trackLayoutId, carId, carClassId, eventId } = request;
  const { from, delaySeconds, after } = manner;
  const query = new URLSearchParams({ validOnly: `${validOnly}` });
  const speed = from && '60';
  for (const [name, value] of Object.entries({ trackLayoutId, carId, carClassId, from, speed, delaySeconds }))
    if (value !== undefined) query.set(name, `${value}`);
  const resumed = after === undefined ? {} : { lastEventId: after };
  const openedAt = Date.now();
  const reader = await LiveReader.open(url, eventId, { query: `?${query.toString()}`, ...resumed });
  return { request, reader, openedAt };
}

/** What a reader has got. */
export interface Seen {
  readonly changes: readonly Change[];
  /** Since when each is here, epoch ms; and since when the reader waits. */
  readonly arrivals: readonly number[];
  readonly openedAt: number;
}

/** Reads all changes up to a position, which must make a change. */
export async function changesUpTo({ reader, openedAt }: Watched, last: number): Promise<Seen> {
  const [changes, arrivals]: [Change[], number[]] = [[], []];
  if (reader.response.statusCode !== 200) throw new Error(`a live board is answered ${reader.response.statusCode}`);
  while ((reader.lastEventId ?? 0) < last) {
    const change = await reader.change();
    if (change === null) throw new Error(`a live board has ended at ${reader.lastEventId}`);
    changes.push(change);
    arrivals.push(reader.arrivedAt);
  }
  reader.close();
  return { changes, arrivals, openedAt };
}

/** Position of the last change of a live board: its event is renamed as a season ends. */
export function lastChange({ events }: Past, { eventId }: BoardRequest): number {
  return events.findLast(({ stream }) => stream === `event-${eventId}`)?.position ?? 0;
}

/** All changes of a board after a position. */
export interface AllChanges {
  readonly past: Past;
  readonly request: BoardRequest;
  readonly from: number;
  readonly changes: readonly Change[];
}

/** What a client makes of the changes after a position is the plain board; and each lap is sent that it shows. */
export function compareChanges({ past, request, from, changes }: AllChanges, to: Comparisons): void {
  const board = boardAt(past, request, from);
  const title = titleOf(request);
  for (const change of changes) {
    for (const event of change) board.take(event);
    to.same(`${title} at ${idOf(change)}`, shownBy(board), shownBy(boardAt(past, request, idOf(change))));
  }
  const sent = changes.flatMap((change) =>
    change.flatMap(({ event, data }) => (event === 'lap' ? [[idOf(change), data]] : [])),
  );
  to.same(
    `laps of ${title}`,
    sent,
    expectedLaps(past, request).filter(([position]) => position > from),
  );
}

export function titleOf(watched: BoardRequest & Manner): string {
  return `live ${JSON.stringify(watched)}`;
}

export function idOf(change?: Change): number {
  return change?.at(-1)?.id ?? 0;
}

/** The plain board of the laps up to a position, as a client has it. */
export function boardAt({ events, things }: Past, request: BoardRequest, position: number): ClientBoard {
  const then = thingsOf(events.filter((event) => event.position <= position));
  const { content: rows, leaderboard: head } = boardOf(request, things, then);
  const board = new ClientBoard();
  board.take({ event: 'board', id: position, retry: null, data: { head, rows, at: null, position } });
  return board;
}

/** What a client shows of its board. */
export function shownBy({ rows, head: { bestSectors = [], theoreticalBest = null } }: ClientBoard) {
  return { rows, bestSectors, theoreticalBest };
}

/** The lap of each change of one that the board shows before or after it. */
function expectedLaps({ events, things }: Past, request: BoardRequest): readonly (readonly [number, JsonObject])[] {
  const laps = new Map<string, JsonObject>();
  return events.flatMap((event) => {
    const subject = subjectOf(event);
    if (subject?.kind.name !== 'Lap') return [];
    const { id, kind } = subject;
    const before = laps.get(id);
    const { occurredAt } = event.metadata;
    const created = { createdAt: occurredAt, drivenAt: occurredAt };
    const after = { ...(before ?? created), ...valuesTold(kind.events[event.type], event.data) };
    laps.set(id, after);
    const left = !shows(things, request, after);
    if (left && (before === undefined || !shows(things, request, before))) return [];
    return [[event.position, { lap: sentLap(things, id, after), left, cause: event.type, at: occurredAt }] as const];
  });
}

function shows(things: Things, { eventId, carId, carClassId, ...request }: BoardRequest, lap: JsonObject): boolean {
  const [own] = (things.lookup('Event', eventId, 'trackLayoutIds') ?? []) as readonly string[];
  return (
    lap['eventId'] === eventId &&
    lap['trackId'] === (request.trackLayoutId ?? own) &&
    Number(lap['totalTime']) > 0 &&
    (carId ?? lap['carId']) === lap['carId'] &&
    (carClassId === undefined || things.lookup('Car', lap['carId'], 'carClassId') === carClassId)
  );
}

function sentLap(things: Things, lapId: string, lap: JsonObject): JsonObject {
  const { participantId, rigId, carId, trackId, totalTime, sectors, valid, drivenAt, createdAt } = lap;
  return {
    ...{ lapId, participantId, rigId, trackId, totalTime, sectors, valid, drivenAt, createdAt },
    participantName: driverName(things.lookup, participantId),
    rigName: things.lookup('Rig', rigId, 'name'),
    car: carId,
    ...carNames(things, carId),
  };
}

/** From where on a board is continued: of a class, from the last change of one. */
export function firstPosition({ events }: Past, { carClassId }: BoardRequest): number {
  if (carClassId === undefined) return 0;
  return events.findLast(({ type }) => type === 'CarMovedToClass')?.position ?? 0;
}
