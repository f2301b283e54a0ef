import type { BoardState } from './state.ts';
import type { LiveLap, Row } from './messages.ts';

/** What a time is among others: the best of all, the own best, a good one of neither, or one that does not count. */
export type Rank = 'purple' | 'green' | 'yellow' | 'none';

const RANKS: readonly Rank[] = ['purple', 'green', 'yellow', 'none'];

/** Ranks from a text with blanks between them: drawn are texts, which are the same when they read the same. */
export function ranksIn(text: string): readonly Rank[] {
  return text.split(' ').flatMap((word) => RANKS.filter((rank) => rank === word));
}

/** The parts of a board that the colours depend on. */
export type Bests = Pick<BoardState, 'head' | 'rows'>;

/**
 * The ranks of sectors by what is best now. Sectors of laps with another number of them are not comparable, so they have
 * none.
 * @param sectors times in ms
 * @param own the driver's row; undefined: without one, no lap of theirs counts
 */
export function sectorRanks(
  sectors: readonly number[],
  own: Pick<Row, 'bestSectors'> | undefined,
  { head }: Pick<Bests, 'head'>,
): readonly Rank[] {
  const best = head?.bestSectors.map(({ time }) => time) ?? [];
  if (own === undefined || best.length !== sectors.length) return sectors.map(() => 'none');
  return sectors.map((time, n) => rankOf(time, { own: own.bestSectors[n], best: best[n] }));
}

/** The rank of a lap's whole time. */
export function lapRank({ totalTime, valid }: LiveLap, own: Row | undefined, { rows }: Pick<Bests, 'rows'>): Rank {
  if (!valid || own === undefined) return 'none';
  return rankOf(totalTime, { own: own.bestLap.totalTime, best: rows[0]?.bestLap.totalTime });
}

function rankOf(
  time: number,
  { own, best }: { readonly own: number | undefined; readonly best: number | undefined },
): Rank {
  if (time <= 0) return 'none';
  if (best !== undefined && time <= best) return 'purple';
  return own !== undefined && time <= own ? 'green' : 'yellow';
}
