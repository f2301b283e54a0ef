import type { Waiting } from '../../domain/queue-order.ts';
import { formatMarkedPosition, type MarkedPosition } from '../http/marked-position.ts';
import type { LapChange, SeatChange } from './changes.ts';
import type { NameCache } from './name-cache.ts';

export interface Message {
  readonly event: 'board' | 'lap' | 'rows' | 'heads' | 'seat' | 'queue';
  readonly data: object;
}

/** The text of the events of one change. The id of the last one is the position of the change with its mark. */
export function frameOf(messages: readonly Message[], after: MarkedPosition): Buffer {
  const texts = messages.map(({ event, data }, n) => {
    const id = n === messages.length - 1 ? `id: ${formatMarkedPosition(after)}\n` : '';
    return `event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`;
  });
  return Buffer.from(texts.join(''));
}

export function instantOf(at: number): string {
  return new Date(at).toISOString();
}

/** The event of a lap; `left`: the board does not show it any more. */
export function lapMessage({ lap, after, cause, at }: LapChange, names: NameCache, left: boolean): Message {
  const { participantId, rigId, car, trackId, totalTime, sectors, valid, drivenAt } = after;
  const shown = {
    lapId: lap.lapId,
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
    createdAt: lap.createdAt,
  };
  return { event: 'lap', data: { lap: shown, left, cause, at: instantOf(at) } };
}

/** A rig, and who sits there for the event; null: nobody. */
export function shownSeat(rigId: string, sitting: SeatChange['sitting'], eventId: string, names: NameCache) {
  const rigName = names.orNull(rigId);
  if (sitting === null) return { rigId, rigName, participantId: null, participantName: '', eventId, from: null };
  const { participantId, from } = sitting;
  return { rigId, rigName, participantId, participantName: names.of(participantId), eventId, from };
}

/** Who waits, with their names. */
export function shownQueue(queue: readonly Waiting[], names: NameCache) {
  return queue.map(({ participantId, since }) => ({ participantId, participantName: names.of(participantId), since }));
}

export function heartbeatFrame(now: number, behindMs: number): Buffer {
  return Buffer.from(`: heartbeat\nevent: heartbeat\ndata: ${JSON.stringify({ now: instantOf(now), behindMs })}\n\n`);
}
