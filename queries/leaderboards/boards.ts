import { LAST, NO_SECTORS } from '../../projections/leaderboards/best-laps.ts';
import type { BestLap, Bests, LastLap, SectorBests } from '../../projections/leaderboards/best-laps.ts';

/** The totals and bests of a participant's laps on a board. */
export interface Standing {
  readonly participantId: string;
  /** Null: it has to be looked up. */
  readonly participantName: string | null;
  readonly laps: number;
  readonly validLaps: number;
  /** The bests of the laps that count. */
  readonly bests: Bests;
}

/** A row of a board: a participant who has a lap that counts. */
export interface Ranked extends Omit<Standing, 'bests'> {
  readonly lap: BestLap;
  /** The text that the lap's time is ordered by. */
  readonly rank: string;
  /** The number of `lap` among all laps that are shown, in the order of driving, from 1; null: it is not known. */
  readonly lapNumber: number | null;
  /** The lap that was driven last, valid or not. */
  readonly last: LastLap;
  /**
   * The best time in each sector, in ms, of the laps with as many sectors as the fastest lap of the board; null: none of
   * them has a time there. Empty if there are no such laps.
   */
  readonly bestSectors: readonly (number | null)[];
}

/** The best time in a sector, and its driver. */
export interface SectorBest extends Pick<Standing, 'participantName'> {
  /** Null: nobody has a time there. */
  readonly participantId: string | null;
  /** ms; null: nobody has one. */
  readonly time: number | null;
  /** The text that the time is ordered by. */
  readonly rank: string;
}

/** A sector in which nobody has a time. */
const NOBODY: SectorBest = { participantId: null, participantName: '', time: null, rank: LAST };

/** The best sectors of a board before anybody has a time in one. */
export function noSectorBests(sectorCount: number): readonly SectorBest[] {
  return Array<SectorBest>(sectorCount).fill(NOBODY);
}

/** All participants who have a lap that counts, fastest first. */
export interface Board {
  readonly total: number;
  readonly at: (offset: number, limit: number) => Promise<readonly Ranked[]>;
  /** The best in each sector, of laps with as many sectors as the fastest lap; empty if they cannot be determined. */
  readonly sectors: readonly SectorBest[];
}

/** Whether row `a` is above row `b`: it is faster or, with the same time, was driven, or then recorded, first. */
export function isBefore(a: Pick<Ranked, 'rank'>, b: Pick<Ranked, 'rank'>): boolean {
  return a.rank < b.rank;
}

/** The best sectors of laps with this number of sectors. */
export function sectorsIn({ sectors }: Pick<Bests, 'sectors'>, count: number): SectorBests {
  return sectors[count] ?? NO_SECTORS;
}

/** The best time in each sector: of these participants, and of `others`, whose bests are known already. */
export function bestSectorsOf(
  standings: Iterable<Standing>,
  sectorCount: number,
  others: readonly SectorBest[] = noSectorBests(sectorCount),
): readonly SectorBest[] {
  const best = [...others];
  for (const { participantId, participantName, bests } of standings) {
    const { times, ranks } = sectorsIn(bests, sectorCount);
    ranks.forEach((rank, n) => {
      const known = best[n];
      if (known !== undefined && rank < known.rank)
        best[n] = { participantId, participantName, time: times[n] ?? null, rank };
    });
  }
  return best;
}

/** The sum of the best sectors in ms; null when there are none, or a time is missing. */
export function theoreticalBest(times: readonly (number | null)[]): number | null {
  if (times.length === 0) return null;
  let sum = 0;
  for (const time of times) {
    if (time === null) return null;
    sum += time;
  }
  return sum;
}
