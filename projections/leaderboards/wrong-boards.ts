import { laps, type LapDocument } from '../laps.ts';
import { bestsOf, leaderboards, type LeaderboardDocument } from './leaderboards.ts';
import { SECTORS_KEPT, isMeasured } from './best-laps.ts';
import { sameJson, type JsonObject } from '../../src/kernel/json.ts';
import type { Document, DocumentMeta, ReadModels } from '../../src/kernel/ports/read-store.ts';

/** The figures of a participant on a board that are checked. */
interface Figures extends JsonObject {
  readonly laps: number;
  readonly validLaps: number;
  /** ms of the best valid lap; 0 if there is none. */
  readonly totalTime: number;
  /** The best time in each sector, by the number of sectors of the valid laps; null where none of them has one. */
  readonly sectors: { readonly [count: string]: readonly (number | null)[] };
}

/** A document that differs from the replayed one; null where there is none. */
export interface Difference {
  readonly collection: string;
  readonly id: string;
  readonly live: Document | null;
  readonly replayed: Document | null;
}

const NONE: Figures = { laps: 0, validLaps: 0, totalTime: 0, sectors: {} };

/**
 * Compares each board document with the sums of all laps, which are calculated here in one pass. So it also finds a fault
 * of the projection, which a replay would repeat. Yields the figures that differ, as they are and as they should be.
 * Nothing may write to the read models meanwhile.
 */
export async function* wrongBoards(models: Pick<ReadModels, 'stream'>): AsyncGenerator<Difference> {
  const calculated = new Map<string, Figures>();
  for await (const batch of models.stream(laps.collection, { where: {} })) {
    // The documents of the collection.
    for (const lap of batch as readonly LapDocument[]) {
      if (!isMeasured(lap.totalTime)) continue;
      const id = `${lap.eventId}:${lap.trackId}:${lap.participantId}`;
      calculated.set(id, withLap(calculated.get(id) ?? NONE, lap));
    }
  }
  for await (const batch of models.stream(leaderboards.collection, { where: {} })) {
    // The documents of the collection.
    for (const document of batch as readonly LeaderboardDocument[]) {
      const { id } = document;
      const shown = figuresOf(document);
      const right = calculated.get(id) ?? NONE;
      calculated.delete(id);
      if (!sameJson(shown, right))
        yield { collection, id, live: { ...meta(id), ...shown }, replayed: { ...meta(id), ...right } };
    }
  }
  for (const [id, right] of calculated) yield { collection, id, live: null, replayed: { ...meta(id), ...right } };
}

const { collection } = leaderboards;

function meta(id: string): DocumentMeta {
  return { id, _created: 0, _position: 0, _revision: 0 };
}

function withLap({ laps, validLaps, totalTime, sectors }: Figures, lap: LapDocument): Figures {
  if (!lap.valid) return { laps: laps + 1, validLaps, totalTime, sectors };
  const times = lap.sectors.slice(0, SECTORS_KEPT);
  const before = sectors[times.length] ?? [];
  return {
    laps: laps + 1,
    validLaps: validLaps + 1,
    totalTime: totalTime === 0 ? lap.totalTime : Math.min(totalTime, lap.totalTime),
    sectors:
      times.length === 0
        ? sectors
        : { ...sectors, [times.length]: times.map((time, n) => fasterOf(time, before[n] ?? null)) },
  };
}

/** The faster of a sector's time, which may not have been measured, and the best one before. */
function fasterOf(time: number, before: number | null): number | null {
  if (!isMeasured(time)) return before;
  return before === null ? time : Math.min(time, before);
}

function figuresOf(document: LeaderboardDocument): Figures {
  const { laps, validLaps, totalTime } = document;
  const bests = Object.entries(bestsOf(document).sectors);
  return { laps, validLaps, totalTime, sectors: Object.fromEntries(bests.map(([count, { times }]) => [count, times])) };
}
