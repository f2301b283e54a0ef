import type { Names } from '../../../queries/leaderboards/names.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import type { Change, LapChange } from './changes.ts';
import type { BoardDifference, LiveBoard } from './live-board.ts';
import type { NameCache } from './names.ts';

interface Message {
  readonly event: 'board' | 'lap' | 'rows' | 'heads';
  readonly data: object;
}

/** The text of the events of one change; the last one has its position as its id. */
function textOf(messages: readonly Message[], position: Position): Buffer {
  const texts = messages.map(({ event, data }, n) => {
    const id = n === messages.length - 1 ? `id: ${position}\n` : '';
    return `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`;
  });
  return Buffer.from(texts.join(''));
}

function instantOf(at: number): string {
  return new Date(at).toISOString();
}

export function boardFrame(board: LiveBoard, names: Names, position: Position): Buffer {
  const at = board.changedAt === null ? null : instantOf(board.changedAt);
  return textOf(
    [{ event: 'board', data: { head: board.head(names), rows: board.rows(names), at, position } }],
    position,
  );
}

/** The events of a change of a lap; null: the board stays the same. */
export function lapFrame(board: LiveBoard, change: LapChange, names: NameCache): Buffer | null {
  const difference = board.update(change, names);
  if (difference === null) return null;
  const { cause, at, position } = change;
  const left = !board.shows(change.after);
  const lap: Message = { event: 'lap', data: { lap: shownLap(change, names), left, cause, at: instantOf(at) } };
  return textOf([lap, ...boardMessages(board, difference, names)], position);
}

/** The events of a renamed participant; null: the board does not show the participant. */
export function renameFrame(
  board: LiveBoard,
  { participantId, position }: Extract<Change, { kind: 'rename' }>,
  names: Names,
): Buffer | null {
  const messages = boardMessages(board, board.rename(participantId, names), names);
  return messages.length === 0 ? null : textOf(messages, position);
}

function boardMessages(board: LiveBoard, { rows, hasOtherSectors }: BoardDifference, names: Names): readonly Message[] {
  const messages: Message[] = rows.length === 0 ? [] : [{ event: 'rows', data: { rows } }];
  if (!hasOtherSectors) return messages;
  const { bestSectors, theoreticalBest } = board.head(names);
  return [...messages, { event: 'heads', data: { bestSectors, theoreticalBest } }];
}

function shownLap({ lap: { lapId, createdAt }, after }: LapChange, names: NameCache) {
  const { participantId, rigId, car, trackId, totalTime, sectors, valid, drivenAt } = after;
  return {
    lapId,
    participantId,
    participantName: names.of(participantId),
    rigId,
    rigName: names.orNull(rigId),
    car,
    carDisplayName: names.of(car),
    carBrandDisplayName: names.brandOf(car),
    trackId,
    totalTime,
    sectors,
    valid,
    drivenAt,
    createdAt,
  };
}

export function heartbeatFrame(now: number, behindMs: number): Buffer {
  return Buffer.from(`: heartbeat\nevent: heartbeat\ndata: ${JSON.stringify({ now: instantOf(now), behindMs })}\n\n`);
}
