import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '../../shared/api.ts';
import { base } from '../../shared/base.ts';
import { isObject, objectsOf, parseJson, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import { useLoaded } from '../parts/answers.tsx';
import { useSession } from '../session.ts';

export type QueueEntry = Schemas['QueueEntry'];

/** Who sits on a rig, and since when (ISO 8601). */
export type TakenSeat = Pick<Schemas['Seat'], 'rigId' | 'participantId' | 'participantName' | 'from'>;

/** Who sits on the rigs of an event, and who waits. */
export interface Floor {
  /** By the ids of rigs. */
  readonly seats: ReadonlyMap<string, TakenSeat>;
  readonly queue: readonly QueueEntry[];
}

/** How often, in ms, seats and queue are requested while there is no live stream, and when that is tried again. */
const EVERY_MS = 5_000;

/** How long, in ms, a stream may be silent: the service sends something every 15 seconds. */
const SILENCE_MS = 25_000;

/**
 * Follows the seats and the queue of an event by its live stream; where that cannot be had, they are requested now and then.
 * @param onLap called when laps arrive on the stream, which has those of one layout
 * @returns undefined until they are known
 */
export function useFloor(eventId: string, onLap?: () => void) {
  const { client } = useSession();
  const [live, setLive] = useState<Floor | null>(null);
  const path = `/api/v1/events/${encodeURIComponent(eventId)}`;
  const read = useCallback(
    async (signal: AbortSignal): Promise<Floor> => {
      const [seats, queue] = await Promise.all(
        ['seats', 'queue'].map(async (part) => (await client.get(`${path}/${part}`, signal)).json),
      );
      return { seats: seatsIn(seats), queue: queueIn(queue) };
    },
    [client, path],
  );
  const loaded = useLoaded(read, live === null ? EVERY_MS : undefined);
  const heardLap = useRef(onLap);
  heardLap.current = onLap;
  useEffect(() => followFloor(`${base}${path}/live`, setLive, () => heardLap.current?.()), [path]);
  return { ...loaded, data: live ?? loaded.data };
}

/**
 * Follows a live stream until the returned function is called.
 * @param show gets each state; null: there is no stream for now
 */
function followFloor(url: string, show: (floor: Floor | null) => void, onLap: () => void): () => void {
  let floor: Floor | null = null;
  let heardAt = Date.now();
  let source = new EventSource(url);
  const change = (next: Floor | null): void => {
    floor = next;
    show(next);
  };
  const listen = (name: string, take: (data: JsonObject) => void): void =>
    source.addEventListener(name, ({ data }: MessageEvent<string>) => {
      heardAt = Date.now();
      const value = parseJson(data);
      if (isObject(value)) take(value);
    });
  const open = (): void => {
    listen('board', ({ seats, queue }) => change({ seats: seatsIn(seats), queue: queueIn(queue) }));
    listen('seat', (seat) => {
      if (floor !== null) change({ ...floor, seats: withSeat(floor.seats, seat) });
    });
    listen('queue', ({ queue }) => {
      if (floor !== null) change({ ...floor, queue: queueIn(queue) });
    });
    listen('lap', onLap);
    listen('heartbeat', () => {});
    // The browser connects again, and the stream goes on with exactly the next change.
    source.addEventListener('open', () => show(floor));
    source.addEventListener('error', () => show(null));
  };
  open();
  const watch = setInterval(() => {
    if (source.readyState !== EventSource.CLOSED && Date.now() - heardAt < SILENCE_MS) return;
    // A new stream begins with the whole board.
    source.close();
    change(null);
    heardAt = Date.now();
    source = new EventSource(url);
    open();
  }, EVERY_MS);
  return () => {
    clearInterval(watch);
    source.close();
  };
}

function seatsIn(value: Json | undefined): Floor['seats'] {
  let seats: Floor['seats'] = new Map();
  for (const seat of objectsOf(value)) seats = withSeat(seats, seat);
  return seats;
}

/** The seats after a change of one; without a driver, nobody sits there. */
function withSeat(seats: Floor['seats'], seat: JsonObject): Floor['seats'] {
  const changed = new Map(seats);
  const rigId = textOf(seat['rigId']);
  const participantId = textOf(seat['participantId']);
  changed.delete(rigId);
  if (participantId !== '')
    changed.set(rigId, {
      rigId,
      participantId,
      participantName: textOf(seat['participantName']),
      from: textOf(seat['from']),
    });
  return changed;
}

function queueIn(value: Json | undefined): Floor['queue'] {
  return objectsOf(value).map((entry) => ({
    participantId: textOf(entry['participantId']),
    participantName: textOf(entry['participantName']),
    since: textOf(entry['since']),
  }));
}
