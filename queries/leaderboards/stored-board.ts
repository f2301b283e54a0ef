import { LAST, lapOf } from '../../projections/leaderboards/best-laps.ts';
import { bestsOf, leaderboards, SECTOR_FIELDS, TO_BE_COUNTED } from '../../projections/leaderboards/leaderboards.ts';
import type { LeaderboardDocument } from '../../projections/leaderboards/leaderboards.ts';
import { findSome } from '../../src/domain/documents.ts';
import { OverBudget } from '../../src/kernel/ports/errors.ts';
import { bestSectorsOf, noSectorBests, sectorsIn } from './boards.ts';
import type { Board, Ranked, Standing } from './boards.ts';
import { FEW, type BoardSources } from './sources.ts';

/** The board of all valid laps on a layout in an event, as its read model has it. */
export async function storedBoard(
  layout: Pick<LeaderboardDocument, 'eventId' | 'trackId'>,
  sources: BoardSources,
): Promise<Board> {
  const { models, allowance } = sources;
  const where = { ...layout, standing: 'ranked' };
  const rows = (offset: number, limit: number) => {
    const sort = { field: 'rank', direction: 'asc' } as const;
    return findSome(models, leaderboards, { where, sort, offset, limit, isKept: true, ...allowance.bounds() });
  };
  const [leader] = await rows(0, 1);
  const sectorCount = leader?.sectorCount ?? 0;
  return {
    total: await models.count(leaderboards.collection, where),
    at: async (offset, limit) => (await rows(offset, limit)).map((document) => rowOf(document, sectorCount)),
    sectors: sectorCount === 0 ? [] : await bestSectors({ ...layout, sectorCount }, sources),
  };
}

/** The best time in each sector; none when too many participants have best sectors that no index finds. */
async function bestSectors(
  where: Pick<LeaderboardDocument, 'eventId' | 'trackId' | 'sectorCount'>,
  { models, allowance, turn }: BoardSources,
) {
  const { eventId, trackId, sectorCount } = where;
  let best = noSectorBests(sectorCount);
  for (const [sector, field] of SECTOR_FIELDS.slice(0, sectorCount).entries()) {
    const sort = { field, direction: 'asc' } as const;
    const one = { where, sort, offset: 0, limit: 1, isKept: true, ...allowance.bounds() };
    const [holder] = await findSome(models, leaderboards, one);
    if (holder === undefined || holder[field] === LAST) continue;
    const { participantId, participantName, times } = holder;
    best = best.with(sector, { participantId, participantName, time: times[sector] ?? null, rank: holder[field] });
  }
  const others = { eventId, trackId, hasMore: true };
  const readOthers = async (): Promise<void> => {
    for await (const batch of allowance.all(models, leaderboards, others)) {
      best = bestSectorsOf(batch.map(standingOf), sectorCount, best);
    }
  };
  try {
    const count = await models.count(leaderboards.collection, others);
    if (count > 0) await (count < FEW ? readOthers() : turn(readOthers));
  } catch (error) {
    if (error instanceof OverBudget) return [];
    throw error;
  }
  return best;
}

/** Rows made from documents that the store caches, with the number of sectors that each was made for. */
const made = new WeakMap<LeaderboardDocument, { readonly count: number; readonly row: Ranked }>();

function rowOf(document: LeaderboardDocument, count: number): Ranked {
  const known = made.get(document);
  if (known?.count === count) return known.row;
  const { sectorCount, times, otherSectors } = document;
  const row = {
    participantId: document.participantId,
    participantName: document.participantName,
    laps: document.laps,
    validLaps: document.validLaps,
    lap: lapOf(document),
    rank: document.rank,
    lapNumber: document.lapNumber === TO_BE_COUNTED ? null : document.lapNumber,
    last: document.last,
    bestSectors: sectorCount === count ? times : sectorsIn({ sectors: otherSectors }, count).times,
  };
  made.set(document, { count, row });
  return row;
}

export function standingOf(document: LeaderboardDocument): Standing {
  const { participantId, participantName, laps, validLaps } = document;
  return { participantId, participantName, laps, validLaps, bests: bestsOf(document) };
}
