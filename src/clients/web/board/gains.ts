import type { Row } from '../live/messages.ts';

/** How long, in ms, places that were won are shown, and how often positions are remembered meanwhile. */
const SHOWN_MS = 300_000;
const EVERY_MS = 30_000;

/** Where the drivers of a board were at a moment. */
export interface Snapshot {
  /** ms */
  readonly at: number;
  /** By the ids of the drivers. */
  readonly positions: ReadonlyMap<string, number>;
}

/** The remembered positions with those of now, where it is time for them, and without those that are too old. */
export function withSnapshot(snapshots: readonly Snapshot[], rows: readonly Row[], now: number): readonly Snapshot[] {
  const newest = snapshots.at(-1);
  // A replay that begins again is before what was seen.
  if (newest !== undefined && newest.at > now) return withSnapshot([], rows, now);
  if (newest !== undefined && now - newest.at < EVERY_MS) return snapshots;
  const recent = snapshots.filter(({ at }) => now - at <= SHOWN_MS);
  const positions = new Map(rows.map(({ participantId, position }) => [participantId, position]));
  return [...recent, { at: now, positions }];
}

/** How many places each driver has won since the oldest of the snapshots, by the ids of those who have won any. */
export function placesWon(snapshots: readonly Snapshot[], rows: readonly Row[]): ReadonlyMap<string, number> {
  const won = new Map<string, number>();
  for (const { participantId, position } of rows) {
    const first = snapshots.find(({ positions }) => positions.has(participantId));
    const before = first?.positions.get(participantId) ?? position;
    if (before > position) won.set(participantId, before - position);
  }
  return won;
}
