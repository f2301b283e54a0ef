import type { LeaderboardRequest } from '../../../queries/leaderboards/leaderboards.ts';
import type { LiveRequest } from '../../../src/service/live/live.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { isTime } from '../leaderboards/plain.ts';
import { boardOf as plainBoardOf, carNames } from '../model/boards.ts';
import { driverName } from '../model/kinds.ts';
import { textIn } from '../resources/entries.ts';
import type { Things } from '../model/things.ts';
import type { Comparisons } from '../seasons/comparisons.ts';
import { momentIn, type Past } from '../seasons/expectations.ts';
import { subjectOf, thingsOf, valuesAfter } from '../seasons/history.ts';
import { ClientBoard, type LiveEvent } from './events.ts';
import { changesIn, quiet, requestOf, type RunningLive } from './running.ts';
import type { ManualClock } from '../kernel/manual-clock.ts';

type Change = readonly LiveEvent[];

/** How a live board is watched: from a position on, or from a moment on; or from now. */
interface Manner {
  readonly after?: number;
  /** ISO 8601. */
  readonly from?: string;
}

/** A power of two, so that no time is left by rounding, which the clock of a test would not pass. */
const SPEED = 64;

/** The request of a live board. */
export function liveRequest(request: LeaderboardRequest, { after, from }: Manner = {}): LiveRequest {
  const { eventId, validOnly, trackLayoutId, carId, carClassId } = request;
  const replay = from === undefined ? null : { from: Date.parse(from), speed: SPEED };
  return requestOf(eventId, { validOnly, trackLayoutId, carId, carClassId, after: after ?? null, replay });
}

/** Time in which any history is replayed, in ms, and its steps. */
const REPLAYED_MS = 1_000_000;
const STEP_MS = 20_000;

/** All changes lead from board to board; and whoever has some of them, or sees the past, gets the rest. */
export async function compareForms(
  { running, clock }: { readonly running: RunningLive; readonly clock: ManualClock },
  request: LeaderboardRequest,
  { whole, to, moments }: { readonly whole: Past; readonly to: Comparisons; readonly moments: number },
): Promise<void> {
  const first = firstPosition(whole, request);
  const last = whole.events.at(-1)?.position ?? 0;
  const manners = Array.from({ length: moments }, (): Manner => {
    const after = whole.chances.below(last);
    const from = momentIn(whole).asOf;
    return whole.chances.pick([{ after }, { from }, { after, from }]);
  });
  const readers = await Promise.all(
    [{ after: first }, ...manners].map((manner) => running.watch(liveRequest(request, manner), running.another())),
  );
  for (let ms = 0; ms < REPLAYED_MS; ms += STEP_MS) {
    clock.pass(STEP_MS);
    await quiet();
  }
  const [changes = [], ...others] = readers.map(({ events }) => changesIn(events));
  for (const reader of readers) reader.end();
  const full = { past: whole, request, from: first, changes };
  compareChanges(full, to);
  for (const [n, manner] of manners.entries()) compareRest(full, { manner, seen: others[n] ?? [] }, to);
}

/** Whoever watches in another manner begins where that says, and gets exactly the rest of the changes. */
function compareRest(
  all: AllChanges,
  { manner, seen }: { readonly manner: Manner; readonly seen: readonly Change[] },
  to: Comparisons,
): void {
  const { past, request } = all;
  const title = titleOf({ ...request, ...manner });
  const [begun = [], ...others] = seen;
  const { from, after = idOf(begun) } = manner;
  const isResumed = manner.after !== undefined;
  const board = boardAt(past, request, after);
  if (!isResumed) {
    const events = past.events.filter(({ metadata }) => from === undefined || metadata.occurredAt <= from);
    for (const event of begun) board.take(event);
    to.same(
      `the beginning of ${title}`,
      shownBy(board),
      shownBy(boardAt({ ...past, events }, request, Number.MAX_SAFE_INTEGER)),
    );
  }
  for (const event of seen.flat()) board.take(event);
  to.same(`the end of ${title}`, shownBy(board), shownBy(boardAt(past, request, Number.MAX_SAFE_INTEGER)));
  const rest = all.changes.filter((change) => idOf(change) > after);
  if (after >= all.from) to.same(title, isResumed ? seen : others, rest);
}

/** All changes of a board after a position. */
interface AllChanges {
  readonly past: Past;
  readonly request: LeaderboardRequest;
  readonly from: number;
  readonly changes: readonly Change[];
}

/** What a client makes of the changes after a position is the plain board; and each lap is sent that it shows. */
function compareChanges({ past, request, from, changes }: AllChanges, to: Comparisons): void {
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

function titleOf(watched: LeaderboardRequest & Manner): string {
  return `live ${JSON.stringify(watched)}`;
}

function idOf(change?: Change): number {
  return change?.at(-1)?.id ?? 0;
}

/** The plain board of the laps up to a position, as a client has it. */
function boardAt(past: Past, request: LeaderboardRequest, position: number): ClientBoard {
  return boardOf(request, past, thingsOf(past.events.filter((event) => event.position <= position)));
}

/** The plain board of what is so at a moment, with present names, as a client has it. */
export function boardOf(request: LeaderboardRequest, { things }: Pick<Past, 'things'>, then = things): ClientBoard {
  const { content: rows, leaderboard: head } = plainBoardOf(request, things, then);
  const board = new ClientBoard();
  board.take({ event: 'board', id: null, retry: null, data: { head, rows, at: null, position: 0 } });
  return board;
}

/** What a client shows of its board. */
export function shownBy({ rows, head: { bestSectors = [], theoreticalBest = null } }: ClientBoard) {
  return { rows, bestSectors, theoreticalBest };
}

/** The lap of each change of one that the board shows before or after it. */
function expectedLaps(
  { events, things }: Past,
  request: LeaderboardRequest,
): readonly (readonly [number, JsonObject])[] {
  const laps = new Map<string, JsonObject>();
  let finishedAt: string | null = null;
  return events.flatMap((event) => {
    const subject = subjectOf(event);
    if (subject?.kind.name === 'Event' && subject.id === request.eventId) {
      const { finishedAt: next = finishedAt } = valuesAfter(subject.kind.events[event.type], event.data);
      finishedAt = next === null ? null : textIn(next);
    }
    const isOn = (lap: JsonObject): boolean => shows(things, request, lap, finishedAt);
    if (subject?.kind.name !== 'Lap') return [];
    const { id, kind } = subject;
    const before = laps.get(id);
    const { occurredAt } = event.metadata;
    const created = { createdAt: occurredAt, drivenAt: occurredAt };
    const after = { ...(before ?? created), ...valuesAfter(kind.events[event.type], event.data) };
    laps.set(id, after);
    const left = !isOn(after);
    if (left && (before === undefined || !isOn(before))) return [];
    return [[event.position, { lap: sentLap(things, id, after), left, cause: event.type, at: occurredAt }] as const];
  });
}

function shows(
  things: Things,
  { eventId, carId, carClassId, ...request }: LeaderboardRequest,
  lap: JsonObject,
  finishedAt: string | null,
): boolean {
  const [own] = (things.lookup('Event', eventId, 'trackLayoutIds') ?? []) as readonly string[];
  return (
    lap['eventId'] === eventId &&
    lap['trackId'] === (request.trackLayoutId ?? own) &&
    isTime(Number(lap['totalTime'])) &&
    (finishedAt === null || textIn(lap['drivenAt']) <= finishedAt) &&
    (carId ?? lap['carId']) === lap['carId'] &&
    (carClassId === undefined || things.lookup('Car', lap['carId'], 'carClassId') === carClassId)
  );
}

function sentLap(things: Things, lapId: string, lap: JsonObject): JsonObject {
  const { participantId, rigId, carId, trackId, totalTime, sectors, valid, drivenAt, createdAt } = lap;
  return {
    lapId,
    participantId,
    rigId,
    trackId,
    totalTime,
    sectors,
    valid,
    drivenAt,
    createdAt,
    participantName: driverName(things.lookup, participantId),
    rigName: things.lookup('Rig', rigId, 'name'),
    car: carId,
    ...carNames(things, carId),
  };
}

/** From where on a board is continued: of a class, from the last change of one. */
function firstPosition({ events }: Past, { carClassId }: LeaderboardRequest): number {
  if (carClassId === undefined) return 0;
  return events.findLast(({ type }) => type === 'CarMovedToClass')?.position ?? 0;
}
