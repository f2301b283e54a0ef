import { isMeasured } from '../shared/times.ts';
import type { BoardState } from './state.ts';
import type { Row } from './messages.ts';

/**
 * Rank of a time: overall best, the driver's personal best, neither, one of neither kind or any but the overall best
 * whose news has faded, or none for a time that does not count.
 */
export type Rank = 'purple' | 'green' | 'yellow' | 'faded' | 'none';

/** How long, in ms, a time is news: so long it has a colour that it does not keep. */
const NEWS_MS = 120_000;

/**
 * Whether a lap is news: it is new, and the driver has others to compare it with.
 * @param at when it was recorded, or driven (ISO 8601)
 * @param now the moment that the board shows, ms
 */
export function isNews(at: string, own: Pick<Row, 'validLaps'> | undefined, now: number): boolean {
  return own !== undefined && own.validLaps > 1 && now - Date.parse(at) < NEWS_MS;
}

/**
 * The ranks of sectors by the current bests. Laps with another number of sectors are not comparable, so their sectors
 * have none.
 * @param sectors times in ms
 * @param own the driver's row; undefined: none of the driver's laps counts
 * @param areNews whether the lap is news, as `isNews` tells
 */
export function sectorRanks(
  sectors: readonly number[],
  own: Pick<Row, 'bestSectors'> | undefined,
  { head }: Pick<BoardState, 'head'>,
  areNews: boolean,
): readonly Rank[] {
  const best = head?.bestSectors.map(({ time }) => time) ?? [];
  if (own === undefined || best.length !== sectors.length) return sectors.map(() => 'none');
  return sectors.map((time, n) => rankOf(time, own.bestSectors[n], best[n], areNews));
}

export function lapRank(
  { totalTime, valid }: Pick<Row['lastLap'], 'totalTime' | 'valid'>,
  own: Row | undefined,
  { rows }: Pick<BoardState, 'rows'>,
  areNews: boolean,
): Rank {
  if (!valid || own === undefined) return 'none';
  return rankOf(totalTime, own.bestLap.totalTime, rows[0]?.bestLap.totalTime, areNews);
}

function rankOf(time: number, own: number | null | undefined, best: number | null | undefined, isNew: boolean): Rank {
  if (!isMeasured(time)) return 'none';
  if (best !== null && best !== undefined && time <= best) return 'purple';
  if (!isNew) return 'faded';
  return own !== null && own !== undefined && time <= own ? 'green' : 'yellow';
}
