import type { Schemas } from '../shared/api.ts';

export type Row = Schemas['LeaderboardRow'];

export type Head = Schemas['LeaderboardHead'];

export type LiveLap = Omit<Schemas['LiveLap'], 'carDisplayName' | 'carBrandDisplayName' | 'trackId'>;

/** The fields of a row that changed; all of them for a new row. `position: null`: the driver left the board. */
export type RowChange = Schemas['LiveRow'];

/** Who sits on a rig; `participantId: null`: nobody does for this event. */
export type Seat = Schemas['LiveSeat'];

/** Somebody who waits for a seat. */
export type Waiting = Schemas['QueueEntry'];

/** The fields that pages read from events of the live stream, by event name (docs/interface.md#live). */
export interface LiveMessages {
  readonly board: Pick<Schemas['LiveBoard'], 'head' | 'at'> & {
    readonly rows: readonly Row[];
    readonly seats: readonly Seat[];
    readonly queue: readonly Waiting[];
  };
  readonly lap: Pick<Schemas['LiveLapChange'], 'left' | 'at'> & { readonly lap: LiveLap };
  readonly rows: { readonly rows: readonly RowChange[] };
  readonly heads: Schemas['LiveHeads'];
  readonly seat: Seat;
  readonly queue: { readonly queue: readonly Waiting[] };
  readonly heartbeat: Schemas['LiveHeartbeat'];
}

export type LiveName = keyof LiveMessages;

export type LiveMessage = { [N in LiveName]: { readonly name: N } & LiveMessages[N] }[LiveName];

/** The names of the events, each with a field that only its data have. */
const FIELDS: { readonly [N in LiveName]: string } = {
  board: 'head',
  lap: 'lap',
  rows: 'rows',
  heads: 'bestSectors',
  seat: 'rigId',
  queue: 'queue',
  heartbeat: 'now',
};

export const LIVE_NAMES: readonly string[] = Object.keys(FIELDS);

/** The message of an event of the stream; null for unknown events, which a later release may send. */
export function readMessage(name: string, data: string): LiveMessage | null {
  const value: unknown = JSON.parse(data);
  if (typeof value !== 'object' || value === null) return null;
  const message = { ...value, name };
  return isLiveMessage(message) ? message : null;
}

/** The service keeps to its API document; a page only has to recognise the events that it knows. */
function isLiveMessage(message: { readonly name: string }): message is LiveMessage {
  return Object.entries(FIELDS).some(([name, field]) => name === message.name && field in message);
}
