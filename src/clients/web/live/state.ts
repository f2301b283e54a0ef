import type { Head, LiveLap, LiveMessage, LiveMessages, Row, RowChange, Seat, Waiting } from './messages.ts';

export const KEPT_LAPS = 100;

/** A board as it is shown. Unchanged objects keep their identity, so that only changes are drawn again. */
export interface BoardState {
  /** Null until the first board has arrived. */
  readonly head: Head | null;
  /** In the order of the board. */
  readonly rows: readonly Row[];
  readonly laps: readonly LiveLap[];
  /** The rigs on which somebody sits for the event; empty for a board of the past. */
  readonly seats: readonly Seat[];
  /** Who waits for a seat, the next one first; empty for a board of the past. */
  readonly queue: readonly Waiting[];
  /** Number of whole boards so far: rows of another board have not moved, they are others. */
  readonly boards: number;
}

export const EMPTY: BoardState = { head: null, rows: [], laps: [], seats: [], queue: [], boards: 0 };

export function applyMessage(state: BoardState, message: LiveMessage): BoardState {
  switch (message.name) {
    case 'board':
      return { ...applyBoard(state, message), seats: message.seats, queue: message.queue };
    case 'lap':
      return message.left ? withoutLap(state, message.lap.lapId) : withLap(state, message.lap);
    case 'rows':
      return applyRows(state, message.rows);
    case 'heads':
      return applyHeads(state, message);
    case 'seat':
      return { ...state, seats: withSeat(state.seats, message) };
    case 'queue':
      return { ...state, queue: message.queue };
    case 'heartbeat':
      return state;
  }
}

/** Another whole board; the laps stay, since they are still true, but for those after the finish of the event. */
export function applyBoard(
  state: BoardState,
  { head, rows }: Pick<LiveMessages['board'], 'head' | 'rows'>,
): BoardState {
  const laps = state.laps.filter((lap) => isInTime(lap, head));
  return { ...state, head, rows, laps, boards: state.boards + 1 };
}

/** Adds laps from before the stream began; the stream's own version of a lap is newer. */
export function withEarlierLaps(state: BoardState, laps: readonly LiveLap[]): BoardState {
  const known = new Set(state.laps.map(({ lapId }) => lapId));
  const missing = laps.filter((lap) => !known.has(lap.lapId) && isInTime(lap, state.head));
  return missing.reduce(withLap, state);
}

/** Whether a lap was driven before the event of a board was finished: later ones are on no board. */
function isInTime({ drivenAt }: LiveLap, head: Head | null): boolean {
  const finishedAt = head?.finishedAt ?? null;
  return finishedAt === null || drivenAt <= finishedAt;
}

function applyHeads(state: BoardState, { bestSectors, theoreticalBest }: LiveMessages['heads']): BoardState {
  return state.head === null ? state : { ...state, head: { ...state.head, bestSectors, theoreticalBest } };
}

function withSeat(seats: readonly Seat[], seat: LiveMessages['seat']): readonly Seat[] {
  const others = seats.filter(({ rigId }) => rigId !== seat.rigId);
  return seat.participantId === null ? others : [...others, seat];
}

function applyRows(state: BoardState, changes: readonly RowChange[]): BoardState {
  const byId = new Map(state.rows.map((row) => [row.participantId, row]));
  let moved = false;
  for (const change of changes) {
    const { participantId } = change;
    const before = byId.get(participantId);
    const row = merged(before, change);
    moved ||= row?.position !== before?.position || row?.bestLap.lapId !== before?.bestLap.lapId;
    if (row === null) byId.delete(participantId);
    else byId.set(participantId, row);
  }
  const rows = [...byId.values()];
  if (moved) rows.sort(inOrder);
  return renamed({ ...state, rows }, changes);
}

/** A row after a change; null: it is not on the board. */
function merged(before: Row | undefined, { position, ...fields }: RowChange): Row | null {
  if (position === null) return null;
  const row = position === undefined ? { ...before, ...fields } : { ...before, ...fields, position };
  return isComplete(row) ? row : null;
}

function isComplete(row: Partial<Row> & { readonly participantId: string }): row is Row {
  return row.position !== undefined && row.bestLap !== undefined;
}

/** The order of the board: equal times share a position, in the order of driving, then of recording. */
function inOrder(a: Row, b: Row): number {
  return (
    a.position - b.position ||
    compare(a.bestLap.drivenAt, b.bestLap.drivenAt) ||
    compare(a.bestLap.createdAt, b.bestLap.createdAt)
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function renamed(state: BoardState, changes: readonly RowChange[]): BoardState {
  // Only some changes have names.
  const named = changes.filter(({ participantName }) => participantName !== undefined);
  const names = new Map(named.map(({ participantId, participantName }) => [participantId, participantName]));
  const rename = (lap: LiveLap): LiveLap => {
    const participantName = names.get(lap.participantId) ?? lap.participantName;
    return participantName === lap.participantName ? lap : { ...lap, participantName };
  };
  if (!state.laps.some((lap) => rename(lap) !== lap)) return state;
  return { ...state, laps: state.laps.map(rename) };
}

function withLap(state: BoardState, lap: LiveLap): BoardState {
  const laps = [lap, ...withoutLap(state, lap.lapId).laps].sort((a, b) => compare(b.createdAt, a.createdAt));
  return { ...state, laps: laps.slice(0, KEPT_LAPS) };
}

function withoutLap(state: BoardState, lapId: string): BoardState {
  return { ...state, laps: state.laps.filter((lap) => lap.lapId !== lapId) };
}

/** Of the kept laps, the one that was driven last on each rig, by the rig's id: rigs may send their laps later. */
export function newestOnRigs({ laps }: Pick<BoardState, 'laps'>): ReadonlyMap<string, LiveLap> {
  const driven = [...laps].sort((a, b) => compare(a.drivenAt, b.drivenAt) || compare(a.createdAt, b.createdAt));
  return new Map(driven.map((lap) => [lap.rigId, lap]));
}

/**
 * The best lap of a board if it is a new one, and by how much in ms (null: it is the first); null if it is unchanged, or
 * of another board.
 */
export function newBest(before: BoardState, now: BoardState) {
  const old = before.rows[0];
  const row = now.rows[0];
  if (row === undefined || before.head === null || before.boards !== now.boards) return null;
  if (old === undefined) return { row, by: null };
  const by = old.bestLap.totalTime - row.bestLap.totalTime;
  return by > 0 ? { row, by } : null;
}
