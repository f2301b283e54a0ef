import type { components } from '../../client/api.ts';

type Schemas = components['schemas'];

/** A driver's row of a board. */
export type Row = Schemas['LeaderboardRow'];

/** What is said of a whole board. */
export type Head = Schemas['LeaderboardHead'];

/** A lap as it is now. */
export interface LiveLap {
  readonly lapId: string;
  readonly participantId: string;
  readonly participantName: string;
  readonly rigId: string;
  readonly rigName: string | null;
  readonly car: string;
  readonly carDisplayName?: string;
  readonly totalTime: number;
  readonly sectors: readonly number[];
  readonly valid: boolean;
  readonly drivenAt: string;
  readonly createdAt: string;
}

/** Fields of a row that are others now; all of them for a new one. `position: null`: it has left the board. */
export interface RowChange extends Partial<Omit<Row, 'participantId' | 'position'>> {
  readonly participantId: string;
  readonly position?: number | null;
}

/** Data of the events of the live stream, by the names of the events (docs/interface.md#live). */
export interface LiveMessages {
  /** The whole board: everything before is replaced. `at`: of its newest change. */
  readonly board: { readonly head: Head; readonly rows: readonly Row[]; readonly at: string | null };
  /** A lap that was recorded or changed; `left`: it is on this board no longer. `at`: when that was. */
  readonly lap: { readonly lap: LiveLap; readonly left: boolean; readonly at: string };
  /** Rows that have changed. */
  readonly rows: { readonly rows: readonly RowChange[] };
  /** Who holds the best sectors. */
  readonly heads: Pick<Head, 'bestSectors' | 'theoreticalBest'>;
  /** Comes every 15 s. `now`: the service's clock; `behindMs`: how far its feed is behind. */
  readonly heartbeat: { readonly now: string; readonly behindMs: number };
}

export type LiveName = keyof LiveMessages;

/** An event of the stream by its name, and its data. */
export type LiveMessage = { [N in LiveName]: { readonly name: N } & LiveMessages[N] }[LiveName];

/** The names of the events, each with the field that tells its data from others. */
const FIELDS: { readonly [N in LiveName]: string } = {
  board: 'head',
  lap: 'lap',
  rows: 'rows',
  heads: 'bestSectors',
  heartbeat: 'now',
};

export const LIVE_NAMES: readonly string[] = Object.keys(FIELDS);

/** The message of an event of the stream; null: of another kind, as a later release may send. */
export function readMessage(name: string, data: string): LiveMessage | null {
  const value: unknown = JSON.parse(data);
  if (typeof value !== 'object' || value === null) return null;
  const message = { ...value, name };
  return isLiveMessage(message) ? message : null;
}

/** The service keeps to its document; a page only has to tell what it knows. */
function isLiveMessage(message: { readonly name: string }): message is LiveMessage {
  return Object.entries(FIELDS).some(([name, field]) => name === message.name && field in message);
}
