import {
  NO_LAPS,
  NO_SECTORS,
  rankOf,
  withLap,
  type BestLap,
  type Bests,
  type SectorBests,
} from '../../projections/leaderboards/best-laps.ts';
import {
  bestsOf,
  lapOf,
  leaderboards,
  SECTOR_FIELDS,
  type LeaderboardDocument,
} from '../../projections/leaderboards/leaderboards.ts';
import { findSome } from '../../src/service/domain/documents.ts';
import { OverBudget } from '../../src/service/kernel/ports/errors.ts';
import type { Sources } from './sources.ts';

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
export interface Ranked extends Omit<Standing, 'bests'> {
  readonly lap: BestLap;
  /** The text that the lap's time is ordered by. */
  readonly rank: string;
  /** ms each, of laps with as many sectors as the fastest lap of the board; empty where there is none. */
  readonly bestSectors: readonly number[];
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
  /** The best of all, in each sector of laps with as many as the fastest lap has; empty where these cannot be told. */
  readonly sectors: readonly SectorBest[];
}

type Placeable = Pick<Ranked, 'rank'>;

/** Fastest first; equal times in the order in which they were driven, and then recorded. */
export function isBefore(a: Placeable, b: Placeable): boolean {
  return a.rank < b.rank;
}

function inOrder(a: Placeable, b: Placeable): number {
  return isBefore(a, b) ? -1 : 1;
}

/** The board of these participants. */
export function boardOf(standings: readonly Standing[]): Board {
  const order = standings.flatMap(placeOf).sort(inOrder);
  const sectorCount = order[0]?.lap.sectors.length ?? 0;
  return {
    total: order.length,
    at: async (offset, limit) =>
      order
        .slice(offset, offset + limit)
        .map(({ bests, ...place }) => ({ ...place, bestSectors: sectorsIn(bests, sectorCount).times })),
    sectors: bestSectorsOf(standings, sectorCount),
  };
}

/** The best of some participants in each sector of laps with so many. */
export function bestSectorsOf(standings: readonly Standing[], sectorCount: number): readonly SectorBest[] {
  return standings.reduce(bestInEach(sectorCount), []);
}

function placeOf(standing: Standing) {
  const { lap } = standing.bests;
  return lap === null ? [] : [{ ...standing, lap, rank: rankOf(lap) }];
}

/** The bests in sectors of laps with so many. */
export function sectorsIn({ sectors }: Pick<Bests, 'sectors'>, count: number): SectorBests {
  return sectors[count] ?? NO_SECTORS;
}

/** The best in each sector of laps with so many: from those of some, and of one more. */
function bestInEach(sectorCount: number) {
  return (before: readonly SectorBest[], { participantId, participantName, bests }: Standing): SectorBest[] => {
    const { times, ranks } = sectorsIn(bests, sectorCount);
    return better(
      before,
      ranks.map((rank, n) => ({ participantId, participantName, time: times[n] ?? 0, rank })),
    );
  };
}

function better(some: readonly SectorBest[], others: readonly SectorBest[]): SectorBest[] {
  const [longer, shorter] = some.length < others.length ? [others, some] : [some, others];
  return longer.map((best, sector) => {
    const other = shorter[sector];
    return other !== undefined && isBefore(other, best) ? other : best;
  });
}

/** A board of an event: that of one layout. */
export interface LayoutOfEvent {
  readonly eventId: string;
  readonly trackLayoutId: string;
}

/** The board of all valid laps on a layout in an event, as its read model has it. */
export async function fullBoard({ eventId, trackLayoutId }: LayoutOfEvent, sources: Sources): Promise<Board> {
  const { models, allowance } = sources;
  const layout = { eventId, trackId: trackLayoutId };
  const where = { ...layout, standing: 'ranked' };
  const rows = (offset: number, limit: number) => {
    const sort = { field: 'rank', direction: 'asc' } as const;
    return findSome(models, leaderboards, { where, sort, offset, limit, ...allowance.bounds() });
  };
  const [leader] = await rows(0, 1);
  const sectorCount = leader?.sectorCount ?? 0;
  return {
    total: await models.count(leaderboards.collection, where),
    at: async (offset, limit) => (await rows(offset, limit)).map((document) => rowOf(document, sectorCount)),
    sectors: sectorCount === 0 ? [] : await bestSectors({ ...layout, sectorCount }, sources),
  };
}

type LapsOfBoard = Pick<LeaderboardDocument, 'eventId' | 'trackId' | 'sectorCount'>;

/** The best in each sector; none when too many participants have best sectors that no index finds. */
async function bestSectors(where: LapsOfBoard, { models, allowance }: Sources): Promise<readonly SectorBest[]> {
  const { eventId, trackId, sectorCount } = where;
  let best: SectorBest[] = [];
  for (const [sector, field] of SECTOR_FIELDS.slice(0, sectorCount).entries()) {
    const sort = { field, direction: 'asc' } as const;
    const [holder] = await findSome(models, leaderboards, { where, sort, offset: 0, limit: 1, ...allowance.bounds() });
    if (holder === undefined) break;
    const { participantId, participantName, times } = holder;
    best.push({ participantId, participantName, time: times[sector] ?? 0, rank: holder[field] });
  }
  try {
    for await (const batch of allowance.all(models, leaderboards, { eventId, trackId, hasMore: true })) {
      best = batch.map(standingOf).reduce(bestInEach(sectorCount), best);
    }
  } catch (error) {
    if (error instanceof OverBudget) return [];
    throw error;
  }
  return best;
}

/** A participant who is ranked, as the read model has them. */
function rowOf(document: LeaderboardDocument, count: number): Ranked {
  const { participantId, participantName, laps, validLaps, rank, sectorCount, times, otherSectors } = document;
  const bestSectors = sectorCount === count ? times : sectorsIn({ sectors: otherSectors }, count).times;
  return { participantId, participantName, laps, validLaps, lap: lapOf(document), rank, bestSectors };
}

/** A participant as the read model has them. */
export function standingOf(document: LeaderboardDocument): Standing {
  const { participantId, participantName, laps, validLaps } = document;
  return { participantId, participantName, laps, validLaps, bests: bestsOf(document) };
}

/** The sum of the best sectors in ms; null when there are none. */
export function theoreticalBest(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0);
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
