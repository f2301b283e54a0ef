import { NO_LAPS, sectorsOf, withLap, type BestLap, type Bests } from '../projections/best-laps.ts';
import { bestsOf, lapOf, leaderboards, SECTOR_FIELDS, type LeaderboardDocument } from '../projections/leaderboards.ts';
import { findSome } from '../src/domain/documents.ts';
import { OverBudget } from '../src/kernel/ports/errors.ts';
import type { Sources } from './leaderboard-sources.ts';

/** What the laps of a participant come to that are looked at; those that count for the best in `bests`. */
export interface Standing {
  readonly participantId: string;
  /** Null: not known here. */
  readonly participantName: string | null;
  readonly laps: number;
  readonly validLaps: number;
  readonly bests: Bests;
}

/** One who has a lap that counts, as a board shows them. */
export interface Ranked extends Omit<Standing, 'bests'>, Pick<Bests, 'times' | 'counts'> {
  readonly lap: BestLap;
  /** The text that the lap's time is ordered by. */
  readonly rank: string;
}

/** The best in a sector. */
export interface SectorBest extends Pick<Standing, 'participantId' | 'participantName'> {
  /** ms, and the text that it is ordered by. */
  readonly time: number;
  readonly rank: string;
}

/** Everybody who has a lap that counts, fastest first. */
export interface Board {
  readonly total: number;
  readonly at: (offset: number, limit: number) => Promise<readonly Ranked[]>;
  /** Of everybody on the board; `most` of them. */
  readonly sectors: readonly SectorBest[];
  /** Smallest and largest number of sectors of a lap that counts; 0 when there is none. */
  readonly fewest: number;
  readonly most: number;
}

type Placeable = Pick<Ranked, 'rank' | 'participantId'>;

/** Fastest first; equal times in the order in which they were driven, then recorded, and then by participant. */
function isBefore(a: Placeable, b: Placeable): boolean {
  return a.rank === b.rank ? a.participantId < b.participantId : a.rank < b.rank;
}

function inOrder(a: Placeable, b: Placeable): number {
  return isBefore(a, b) ? -1 : 1;
}

/** The board of these participants. */
export function boardOf(standings: readonly Standing[]): Board {
  const ranked = standings.flatMap(rankedOf).sort(inOrder);
  const all = ranked.map(({ counts }) => sectorsOf(counts));
  return {
    total: ranked.length,
    at: async (offset, limit) => ranked.slice(offset, offset + limit),
    sectors: standings.reduce(bestInEach, []),
    fewest: all.reduce((least, { fewest }) => Math.min(least, fewest), all[0]?.fewest ?? 0),
    most: all.reduce((largest, { most }) => Math.max(largest, most), 0),
  };
}

function rankedOf({ participantId, participantName, laps, validLaps, bests }: Standing): readonly Ranked[] {
  const {
    lap,
    times,
    counts,
    ranks: [rank],
  } = bests;
  if (lap === null || rank === undefined) return [];
  return [{ participantId, participantName, laps, validLaps, lap, rank, times, counts }];
}

/** The best in each sector, from those of some and of one more. */
function bestInEach(before: readonly SectorBest[], { participantId, participantName, bests }: Standing): SectorBest[] {
  const [, ...ranks] = bests.ranks;
  return better(
    before,
    ranks.map((rank, n) => ({ participantId, participantName, time: bests.times[n + 1] ?? 0, rank })),
  );
}

function better(some: readonly SectorBest[], others: readonly SectorBest[]): SectorBest[] {
  const [longer, shorter] = some.length < others.length ? [others, some] : [some, others];
  return longer.map((best, sector) => {
    const other = shorter[sector];
    return other !== undefined && isBefore(other, best) ? other : best;
  });
}

/** The board of all valid laps of an event, as its read model has it. */
export async function fullBoard(eventId: string, { models, allowance }: Sources): Promise<Board> {
  const where = { eventId, standing: 'ranked' };
  const find = (field: keyof LeaderboardDocument, offset: number, limit: number) => {
    const sort = { field, direction: 'asc' } as const;
    return findSome(models, leaderboards, { where, sort, offset, limit, ...allowance.bounds() });
  };
  const sectors: SectorBest[] = [];
  for (const [sector, field] of SECTOR_FIELDS.entries()) {
    const [holder] = await find(field, 0, 1);
    const time = holder?.times[sector + 1];
    if (holder === undefined || time === undefined) break;
    const { participantId, participantName } = holder;
    sectors.push({ participantId, participantName, time, rank: holder[field] });
  }
  const all =
    sectors.length < SECTOR_FIELDS.length ? sectors : await withFurther(sectors, eventId, { models, allowance });
  const [least] = await find('fewest', 0, 1);
  return {
    total: await models.count(leaderboards.collection, where),
    at: async (offset, limit) => (await find('rank', offset, limit)).map(rowOf),
    sectors: all ?? sectors,
    fewest: least?.fewest ?? 0,
    most: all?.length ?? Infinity,
  };
}

/** The best in each sector, further ones than have an index too; null when too many participants have laps with such. */
async function withFurther(
  sectors: readonly SectorBest[],
  eventId: string,
  { models, allowance }: Sources,
): Promise<readonly SectorBest[] | null> {
  let all = sectors;
  try {
    for await (const batch of allowance.all(models, leaderboards, { eventId, standing: 'ranked', hasFurther: true })) {
      all = batch.map(standingOf).reduce(bestInEach, all);
    }
    return all;
  } catch (error) {
    if (error instanceof OverBudget) return null;
    throw error;
  }
}

/** A participant who is ranked, as the read model has them. */
function rowOf(document: LeaderboardDocument): Ranked {
  const { participantId, participantName, laps, validLaps, rank, times, counts } = document;
  return { participantId, participantName, laps, validLaps, lap: lapOf(document), rank, times, counts };
}

/** A participant as the read model has them. */
export function standingOf(document: LeaderboardDocument): Standing {
  const { participantId, participantName, laps, validLaps } = document;
  return { participantId, participantName, laps, validLaps, bests: bestsOf(document) };
}

/** The sum of the best sectors in ms; null when laps have none, or not all the same number of them. */
export function theoreticalBest(
  times: readonly number[],
  { fewest, most }: Pick<Board, 'fewest' | 'most'>,
): number | null {
  return most === 0 || fewest !== most ? null : times.reduce((sum, time) => sum + time, 0);
}

/** A leaderboard that is put together from laps: in memory, a few values per participant. */
export type Tallies = ReturnType<typeof createTallies>;

/** Starts with some participants, whose laps are counted already. */
export function createTallies(known: readonly Standing[] = []) {
  const tallies = new Map(known.map((standing) => [standing.participantId, standing]));
  const standings = (): readonly Standing[] => [...tallies.values()];
  return {
    /** Adds a lap; `counts`: it counts for the best. */
    add(participantId: string, lap: BestLap, { valid, counts }: { readonly valid: boolean; readonly counts: boolean }) {
      const { laps, validLaps, bests, participantName } = tallies.get(participantId) ?? NOTHING;
      tallies.set(participantId, {
        participantId,
        participantName,
        laps: laps + 1,
        validLaps: validLaps + Number(valid),
        bests: counts ? withLap(bests, lap) : bests,
      });
    },
    standings,
    board: () => boardOf(standings()),
  };
}

const NOTHING = { participantName: null, laps: 0, validLaps: 0, bests: NO_LAPS };
