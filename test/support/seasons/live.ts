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
}

type Change = readonly LiveEvent[];

/** Watches a board, from a position on or from now. */
export async function watch(url: string, request: BoardRequest, lastEventId?: number): Promise<Watched> {
  const { validOnly, trackLayoutId, carId, carClassId, eventId } = request;
  const query = new URLSearchParams({ validOnly: `${validOnly}` });
  for (const [name, id] of Object.entries({ trackLayoutId, carId, carClassId }))
    if (id !== undefined) query.set(name, id);
  const resumed = lastEventId === undefined ? {} : { lastEventId };
  return { request, reader: await LiveReader.open(url, eventId, { query: `?${query.toString()}`, ...resumed }) };
}

/** Reads all changes up to a position, which must make a change. */
export async function changesUpTo({ reader }: Watched, last: number): Promise<readonly Change[]> {
  const changes: Change[] = [];
  if (reader.response.statusCode !== 200) throw new Error(`a live board is answered ${reader.response.statusCode}`);
  while ((reader.lastEventId ?? 0) < last) {
    const change = await reader.change();
    if (change === null) throw new Error(`a live board has ended at ${reader.lastEventId}`);
    changes.push(change);
  }
  reader.close();
  return changes;
}

/** Position of the last change of a live board: its event is renamed as a season ends. */
export function lastChange({ events }: Past, { eventId }: BoardRequest): number {
  return events.findLast(({ stream }) => stream === `event-${eventId}`)?.position ?? 0;
}

/** What a client makes of the changes after a position is the plain board; and each lap is sent that it shows. */
export function compareChanges(
  { past, request, from }: { readonly past: Past; readonly request: BoardRequest; readonly from: number },
  changes: readonly Change[],
  to: Comparisons,
): void {
  const board = boardAt(past, request, from);
  const title = `live ${JSON.stringify(request)}`;
  for (const change of changes) {
    for (const event of change) board.take(event);
    const id = change.at(-1)?.id ?? 0;
    to.same(`${title} at ${id}`, shownBy(board), shownBy(boardAt(past, request, id)));
  }
  const sent = changes.flatMap((change) =>
    change.flatMap(({ event, data }) => (event === 'lap' ? [[change.at(-1)?.id ?? 0, data]] : [])),
  );
  to.same(
    `laps of ${title}`,
    sent,
    expectedLaps(past, request).filter(([position]) => position > from),
  );
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
