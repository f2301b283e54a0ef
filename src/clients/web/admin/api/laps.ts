import { numberOf, textOf, type JsonObject } from '../../shared/json.ts';
import { lapTime } from '../../shared/times.ts';

/** What people call a lap: its driver and its time, as in `Nora Lindqvist, 1:47.000`. */
export function lapName(lap: JsonObject): string {
  return [textOf(lap['participantName']), lapTime(numberOf(lap['totalTime']) ?? 0)].filter(Boolean).join(', ');
}

/** Laps that are shown, newest first, and how many newer ones wait. */
export interface ShownLaps {
  readonly laps: readonly JsonObject[];
  /** The newer ones, newest first. */
  readonly waiting: readonly JsonObject[];
}

export const NO_LAPS: ShownLaps = { laps: [], waiting: [] };

/**
 * The laps to show after a reading of the newest ones. While they are held, no lap that is shown moves: what changed in
 * one is shown, newer ones wait, and older ones follow at the end.
 */
export function afterReading(shown: ShownLaps, newest: readonly JsonObject[], isHeld: boolean): ShownLaps {
  if (!isHeld || shown.laps.length === 0) return { laps: newest, waiting: [] };
  const read = new Map(newest.map((lap) => [textOf(lap['id']), lap]));
  const kept = shown.laps.map((lap) => read.get(textOf(lap['id'])) ?? lap);
  for (const lap of shown.laps) read.delete(textOf(lap['id']));
  const last = textOf(kept.at(-1)?.['createdAt']);
  const waiting: JsonObject[] = [];
  const older: JsonObject[] = [];
  for (const lap of read.values()) {
    if (textOf(lap['createdAt']) < last) older.push(lap);
    else waiting.push(lap);
  }
  return { laps: [...kept, ...older], waiting };
}

/** The same laps, with another version of one. */
export function withLap(shown: ShownLaps, changed: JsonObject): ShownLaps {
  const replace = (lap: JsonObject): JsonObject => (lap['id'] === changed['id'] ? changed : lap);
  return { laps: shown.laps.map(replace), waiting: shown.waiting.map(replace) };
}
