/*
 * The bests of a set that laps join and leave one by one: the fastest lap, and the best time in each sector. The laps
 * themselves are not kept, so when one leaves that was best in something, only the others can tell what is best then.
 */

/** A lap as a leaderboard shows it. */
export type BestLap = {
  readonly lapId: string;
  /** ms. */
  readonly totalTime: number;
  /** ms each; the first `SECTORS_KEPT` of them. */
  readonly sectors: readonly number[];
  readonly car: string;
  readonly trackId: string;
  /** ISO 8601. */
  readonly drivenAt: string;
  readonly createdAt: string;
};

/** What a set of laps comes to. */
export interface Bests {
  /** The number of laps by their number of sectors. */
  readonly counts: { readonly [sectors: string]: number };
  /** The best total time, and then the best in each sector that a lap has, in ms. */
  readonly times: readonly number[];
  /** The texts that they are ordered by. */
  readonly ranks: readonly string[];
  /** The lap with the best total time; null when there is no lap. */
  readonly lap: BestLap | null;
}

/** Of no laps. */
export const NO_LAPS: Bests = { counts: {}, times: [], ranks: [], lap: null };

/** Sectors that are looked at: a lap may have any number (docs/interface.md#laps), a document may not. */
export const SECTORS_KEPT = 64;

/** Digits of the largest safe integer. */
const DIGITS = 16;

/** The text that times are ordered by: equal ones in the order in which their laps were driven, and then recorded. */
function rankOf(time: number, { drivenAt, createdAt }: BestLap): string {
  return `${String(time).padStart(DIGITS, '0')} ${drivenAt} ${createdAt}`;
}

/** The moments in a rank, ISO 8601. */
export function momentsIn(rank: string): Pick<BestLap, 'drivenAt' | 'createdAt'> {
  const [, drivenAt = '', createdAt = ''] = rank.split(' ');
  return { drivenAt, createdAt };
}

/** The set with one more lap. */
export function withLap(bests: Bests, lap: BestLap): Bests {
  const counts = counted(bests.counts, lap.sectors.length, 1);
  let changed: { times: number[]; ranks: string[] } | null = null;
  for (let n = 0; n <= lap.sectors.length; n += 1) {
    if (!isBetter(bests, lap, n)) continue;
    changed ??= { times: [...bests.times], ranks: [...bests.ranks] };
    changed.times[n] = timeOf(lap, n);
    changed.ranks[n] = rankOf(timeOf(lap, n), lap);
  }
  if (changed === null) return { ...bests, counts };
  return { counts, ...changed, lap: isBetter(bests, lap, 0) ? lap : bests.lap };
}

/** The set without a lap that is in it; `others`: the laps of the set, for the case that it was best in something. */
export async function withoutLap(
  bests: Bests,
  lap: BestLap,
  others: () => Promise<readonly BestLap[]>,
): Promise<Bests> {
  const counts = counted(bests.counts, lap.sectors.length, -1);
  if (sectorsOf(counts).size === 0) return NO_LAPS;
  if (!wasBest(bests, lap)) return { ...bests, counts };
  const left = (await others()).filter(({ lapId }) => lapId !== lap.lapId);
  return { ...left.reduce(withLap, NO_LAPS), counts };
}

function wasBest({ ranks, lap: best }: Bests, lap: BestLap): boolean {
  const isRanked = lap.sectors.some((time, n) => ranks[n + 1] === rankOf(time, lap));
  return best?.lapId === lap.lapId || isRanked;
}

/** What numbers of laps by their number of sectors tell; all 0 where there is no lap. */
export function sectorsOf(counts: Bests['counts']) {
  let [size, fewest, most] = [0, SECTORS_KEPT, 0];
  for (const key in counts) {
    const sectors = Number(key);
    size += counts[key] ?? 0;
    if (sectors < fewest) fewest = sectors;
    if (sectors > most) most = sectors;
  }
  return size === 0 ? { size, fewest: 0, most: 0 } : { size, fewest, most };
}

/** The time in total (0) or in a sector, from 1; a sector that a lap does not have is never the best. */
function timeOf({ totalTime, sectors }: BestLap, n: number): number {
  return n === 0 ? totalTime : (sectors[n - 1] ?? Infinity);
}

/** Of two laps of the same moments and time, the one with the smaller id is the best, whichever came first. */
function isBetter({ times, ranks, lap: best }: Bests, lap: BestLap, n: number): boolean {
  const [time, before] = [timeOf(lap, n), times[n]];
  if (before === undefined || time < before) return true;
  if (time > before) return false;
  const rank = rankOf(time, lap);
  if (rank !== ranks[n]) return rank < (ranks[n] ?? '');
  return n === 0 && best !== null && lap.lapId < best.lapId;
}

function counted(counts: Bests['counts'], sectors: number, more: 1 | -1): Bests['counts'] {
  const count = (counts[sectors] ?? 0) + more;
  if (count > 0) return { ...counts, [sectors]: count };
  const { [sectors]: _, ...others } = counts;
  return others;
}
