import { isMeasured } from '../shared/times.ts';
import type { BoardState } from './state.ts';
import type { Row } from './messages.ts';

/** Rank of a time: overall best, the driver's personal best, neither, or none for a time that does not count. */
export type Rank = 'purple' | 'green' | 'yellow' | 'none';

/**
 * The ranks of sectors by the current bests. Laps with another number of sectors are not comparable, so their sectors
 * have none.
 * @param sectors times in ms
 * @param own the driver's row; undefined: none of the driver's laps counts
 */
export function sectorRanks(
  sectors: readonly number[],
  own: Pick<Row, 'bestSectors'> | undefined,
  { head }: Pick<BoardState, 'head'>,
): readonly Rank[] {
  const best = head?.bestSectors.map(({ time }) => time) ?? [];
  if (own === undefined || best.length !== sectors.length) return sectors.map(() => 'none');
  return sectors.map((time, n) => rankOf(time, own.bestSectors[n], best[n]));
}

export function lapRank(
  { totalTime, valid }: Pick<Row['lastLap'], 'totalTime' | 'valid'>,
  own: Row | undefined,
  { rows }: Pick<BoardState, 'rows'>,
): Rank {
  if (!valid || own === undefined) return 'none';
  return rankOf(totalTime, own.bestLap.totalTime, rows[0]?.bestLap.totalTime);
}

function rankOf(time: number, own: number | null = null, best: number | null = null): Rank {
  if (!isMeasured(time)) return 'none';
  if (best !== null && time <= best) return 'purple';
  return own !== null && time <= own ? 'green' : 'yellow';
}
