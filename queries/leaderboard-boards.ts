import { LAST, type BestLap } from '../projections/best-laps.ts';
import { leaderboards, SECTOR_FIELDS, type LeaderboardDocument } from '../projections/leaderboards.ts';
import { findSome } from '../src/domain/documents.ts';
import type { ReadModels } from '../src/kernel/read-store.ts';

/** A participant on a leaderboard. */
export interface Standing {
  readonly participantId: string;
  /** Null: not known here. */
  readonly participantName: string | null;
  readonly bestLap: BestLap;
  readonly laps: number;
  readonly validLaps: number;
  /** ms of each sector. */
  readonly bestSectors: readonly number[];
  readonly theoreticalBest: number | null;
}

/** The best in a sector. */
export type SectorBest = Pick<Standing, 'participantId' | 'participantName'> & { readonly time: number };

/** Everybody who has a lap that counts, fastest first, equal times in the order in which they were recorded. */
export interface Board {
  readonly total: number;
  readonly at: (offset: number, limit: number) => Promise<readonly Standing[]>;
  /** Of everybody on the board. */
  readonly sectors: readonly SectorBest[];
  readonly theoreticalBest: number | null;
}

/**
 * The board of all valid laps of an event as its read model has it; null when only the laps can tell: one who lost the
 * best laps of a great many, or laps of more sectors than have an index.
 */
export async function storedBoard(eventId: string, models: ReadModels): Promise<Board | null> {
  const where = { _board: eventId };
  const firstBy = async (field: string): Promise<LeaderboardDocument | undefined> => {
    const sort = { field, direction: 'asc' } as const;
    const [first] = await findSome(models, leaderboards, { where, sort, offset: 0, limit: 1 });
    return first;
  };
  if ((await firstBy('_rank'))?._rank === '') return null;
  const sectors: SectorBest[] = [];
  for (const [sector, field] of SECTOR_FIELDS.entries()) {
    const holder = await firstBy(field);
    const time = holder?.bestSectors[sector];
    if (holder === undefined || time === undefined || holder[field] === LAST) break;
    sectors.push({ time, participantId: holder.participantId, participantName: holder.participantName });
  }
  if (sectors.length === SECTOR_FIELDS.length) return null;
  const alike = sectors.length > 0 && (await firstBy('_fewest'))?._fewest === sectors.length;
  return {
    total: await models.count(leaderboards.collection, where),
    async at(offset, limit) {
      const sort = { field: '_rank', direction: 'asc' } as const;
      const found = await findSome(models, leaderboards, { where, sort, offset, limit });
      return found.flatMap(standingOf);
    },
    sectors,
    theoreticalBest: alike ? sectors.reduce((sum, { time }) => sum + time, 0) : null,
  };
}

/** Nobody without a valid lap is on the board. */
function standingOf(document: LeaderboardDocument): readonly Standing[] {
  const { participantId, participantName, bestLap, laps, validLaps, bestSectors, theoreticalBest } = document;
  if (bestLap === null) return [];
  return [{ participantId, participantName, bestLap, laps, validLaps, bestSectors, theoreticalBest }];
}
