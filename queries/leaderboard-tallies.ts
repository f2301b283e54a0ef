import { improve, theoreticalBest, type Best, type BestLap, type BestLaps } from '../projections/best-laps.ts';
import type { Board, SectorBest, Standing } from './leaderboard-boards.ts';

/** What the laps of one participant come to, while they are gone through. */
interface Tally {
  laps: number;
  validLaps: number;
  /** The best lap and the best in each sector, of the laps that count. */
  readonly bests: Best[];
  /** The laps that count, by their number of sectors. */
  readonly counts: Record<string, number>;
}

/** A leaderboard that is put together from laps: in memory, a few values per participant. */
export interface Tallies {
  /** Adds laps, some of which are looked at: at least those that can be the best in something. */
  readonly add: (participantId: string, laps: Added) => void;
  /** Forgets a participant. */
  readonly forget: (participantId: string) => void;
  readonly board: () => Board;
}

/** Laps of one participant, all valid or all not. */
export interface Added {
  readonly valid: boolean;
  /** Whether they count for the best. */
  readonly count: boolean;
  readonly best: readonly BestLap[];
  readonly counts: BestLaps['counts'];
}

/** Starts with nobody. */
export function createTallies(): Tallies {
  const tallies = new Map<string, Tally>();
  return {
    add(participantId, { valid, count, best, counts }) {
      const tally = tallies.get(participantId) ?? { laps: 0, validLaps: 0, bests: [], counts: {} };
      tallies.set(participantId, tally);
      const laps = Object.values(counts).reduce((sum, number) => sum + number, 0);
      tally.laps += laps;
      if (valid) tally.validLaps += laps;
      if (!count) return;
      for (const lap of best) improve(tally.bests, lap);
      merge(tally.counts, counts);
    },
    forget: (participantId) => void tallies.delete(participantId),
    board: () => boardOf(tallies),
  };
}

function merge(into: Record<string, number>, counts: BestLaps['counts']): void {
  for (const [sectors, count] of Object.entries(counts)) into[sectors] = (into[sectors] ?? 0) + count;
}

function boardOf(tallies: ReadonlyMap<string, Tally>): Board {
  const ranked = [...tallies].flatMap(([participantId, tally]) => {
    const [best] = tally.bests;
    return best === undefined ? [] : [{ participantId, tally, best }];
  });
  ranked.sort((a, b) => (a.best.rank < b.best.rank ? -1 : 1));
  const counts: Record<string, number> = {};
  for (const { tally } of ranked) merge(counts, tally.counts);
  const sectors = bestSectorsOf(ranked);
  return {
    total: ranked.length,
    at: async (offset, limit) => ranked.slice(offset, offset + limit).map(standingOf),
    sectors,
    theoreticalBest: theoreticalBest(sectors.map(({ time }) => time), counts),
  };
}

interface Ranked {
  readonly participantId: string;
  readonly tally: Tally;
  readonly best: Best;
}

function standingOf({ participantId, tally, best: { lap } }: Ranked): Standing {
  const { laps, validLaps, bests, counts } = tally;
  const bestSectors = bests.slice(1).map(({ time }) => time);
  return {
    participantId, participantName: null, bestLap: lap, laps, validLaps, bestSectors,
    theoreticalBest: theoreticalBest(bestSectors, counts),
  };
}

function bestSectorsOf(ranked: readonly Ranked[]): readonly SectorBest[] {
  const holders: (SectorBest & { readonly rank: string })[] = [];
  for (const { participantId, tally } of ranked) {
    for (const [sector, { time, rank }] of tally.bests.slice(1).entries()) {
      const holder = holders[sector];
      if (holder !== undefined && holder.rank < rank) continue;
      holders[sector] = { time, participantId, participantName: null, rank };
    }
  }
  return holders;
}
