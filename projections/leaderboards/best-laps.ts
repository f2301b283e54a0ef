import type { Position } from '../../src/kernel/ports/event-store.ts';

/*
 * The bests of a set of laps: the fastest lap, and the best time in each sector of the laps with the same number of
 * sectors. Laps join and leave the set one by one. The laps themselves are not kept: when a lap leaves that was the best
 * in something, the others are read to find the next best.
 */

/** The part of a lap that no change touches. */
export type Lap = {
  readonly lapId: string;
  /** Position of the event that recorded it. */
  readonly created: Position;
  /** ISO 8601. */
  readonly createdAt: string;
};

/** A lap as a leaderboard shows it. */
export type BestLap = Lap & {
  /** ms. */
  readonly totalTime: number;
  /** ms each; the first `SECTORS_KEPT` of them. */
  readonly sectors: readonly number[];
  readonly car: string;
  readonly trackId: string;
  /** ISO 8601. */
  readonly drivenAt: string;
};

/** A lap as it is stored: its rank contains when it was driven and recorded. */
type RankedLap = Omit<BestLap, 'drivenAt' | 'createdAt' | 'created'> & { readonly rank: string };

/** Most sectors that are kept of a lap, which may have any number of them (docs/interface.md#laps); a document may not. */
export const SECTORS_KEPT = 64;

/**
 * The smallest number of ms that is not a time (24.8 days): timing software sends the largest 32-bit integer, signed or
 * unsigned, for a time that it did not measure.
 */
export const NO_TIME_FROM = 2_147_483_647;

/** Whether a time of a lap or a sector, in ms, was measured. Timing software sends 0, or `NO_TIME_FROM`, if it was not. */
export function isMeasured(ms: number): boolean {
  return ms > 0 && ms < NO_TIME_FROM;
}

/** Sorts after every rank; stands for the rank of a driver or a sector without a time. */
export const LAST = '~';

/** The lap that a participant drove last, valid or not. */
export type LastLap = {
  readonly lapId: string;
  /** ms. */
  readonly totalTime: number;
  readonly valid: boolean;
  /** ISO 8601. */
  readonly drivenAt: string;
  /** The text that laps are ordered by: as they were driven, and then recorded. */
  readonly order: string;
};

export const NO_LAST: LastLap = { lapId: '', totalTime: 0, valid: false, drivenAt: '', order: '' };

export type SectorBests = {
  /** The best time in each sector, in ms; null where no lap has one. */
  readonly times: readonly (number | null)[];
  /** The texts that they are ordered by; `LAST` for null. */
  readonly ranks: readonly string[];
};

export interface Bests {
  /** The fastest lap; null when there is no lap. */
  readonly lap: BestLap | null;
  /** By the number of sectors of the laps; laps without sectors are not in it. */
  readonly sectors: { readonly [count: string]: SectorBests };
}

/** The bests of no laps. */
export const NO_LAPS: Bests = { lap: null, sectors: {} };

/** The bests in sectors of laps without sectors, or of no laps. */
export const NO_SECTORS: SectorBests = { times: [], ranks: [] };

/** Digits of the largest safe integer. */
const DIGITS = 16;

/** The text that laps are ordered by: as they were driven, and then recorded. */
export function orderOf({ drivenAt, createdAt, created }: BestLap): string {
  return `${drivenAt} ${createdAt} ${String(created).padStart(DIGITS, '0')}`;
}

/** The last lap once another lap is known, too: the later of the two; of two versions of a lap, the second. */
export function laterOf(last: LastLap, lap: BestLap, valid: boolean): LastLap {
  const order = orderOf(lap);
  if (last.order > order) return last;
  const { lapId, totalTime, drivenAt } = lap;
  return { lapId, totalTime, valid, drivenAt, order };
}

/** The text that a time of a lap is ordered by, by default its total time. Equal times are in the order of their laps. */
export function rankOf(lap: BestLap, time = lap.totalTime, order = orderOf(lap)): string {
  return `${String(time).padStart(DIGITS, '0')} ${order}`;
}

/** A stored lap, with the moments that its rank contains. */
export function lapOf({ lapId, totalTime, sectors, car, trackId, rank }: RankedLap): BestLap {
  const [, drivenAt = '', createdAt = '', created = ''] = rank.split(' ');
  return { lapId, totalTime, sectors, car, trackId, drivenAt, createdAt, created: Number(created) };
}

/** The text that the lap of a rank is ordered by among all laps of its driver, however fast. */
export function orderIn(rank: string): string {
  return rank.slice(DIGITS + 1);
}

/**
 * Most laps of a driver on a board that are numbered. Of a driver with more, the best lap has no number: a lap that was
 * driven before others and recorded after them is numbered by reading them all, and a rig may send any number of those.
 */
export const MOST_NUMBERED = 500;

/** The largest whole number of 32 bits, and one. */
const TWO_TO_32 = 4_294_967_296;

/** A number that tells laps with different orders apart: the hash FNV-1a of the text, of 32 bits. */
export function markOfOrder(order: string): number {
  let hash = 2_166_136_261;
  for (let n = 0; n < order.length; n += 1) hash = Math.imul(hash ^ order.charCodeAt(n), 16_777_619);
  return hash >>> 0;
}

/** The sum of the marks of a set of laps after one mark more or (`by` is -1) less: equal sets have equal sums. */
export function sumOfMarks(sum: number, mark: number, by: 1 | -1): number {
  return (sum + by * mark + TWO_TO_32) % TWO_TO_32;
}

/** The bests with one more lap; the same object if that lap is the best in nothing. */
export function withLap(bests: Bests, lap: BestLap): Bests {
  const best = bests.lap === null || isFaster(lap, bests.lap) ? lap : bests.lap;
  const sectors = withSectors(bests.sectors, lap);
  return best === bests.lap && sectors === bests.sectors ? bests : { lap: best, sectors };
}

/** Whether a lap comes before another one; there are no ties. */
export function isFaster(lap: BestLap, other: BestLap): boolean {
  return lap.totalTime === other.totalTime ? rankOf(lap) < rankOf(other) : lap.totalTime < other.totalTime;
}

function withSectors(sectors: Bests['sectors'], lap: BestLap): Bests['sectors'] {
  const count = lap.sectors.length;
  if (count === 0) return sectors;
  const known = sectors[count];
  const before = known ?? unmeasured(count);
  const order = orderOf(lap);
  let after: { times: (number | null)[]; ranks: string[] } | null = null;
  if (known === undefined) after = { times: [...before.times], ranks: [...before.ranks] };
  for (const [n, time] of lap.sectors.entries()) {
    if (!isMeasured(time)) continue;
    const best = before.times[n] ?? Infinity;
    if (time > best) continue;
    const rank = rankOf(lap, time, order);
    if (time === best && rank >= (before.ranks[n] ?? '')) continue;
    after ??= { times: [...before.times], ranks: [...before.ranks] };
    after.times[n] = time;
    after.ranks[n] = rank;
  }
  return after === null ? sectors : { ...sectors, [count]: after };
}

/** The bests of laps with so many sectors, none of which was measured. */
export function unmeasured(count: number): SectorBests {
  return { times: Array<null>(count).fill(null), ranks: Array<string>(count).fill(LAST) };
}

/** Whether the bests of a set may change when this lap leaves it. */
export function wasBest({ lap: best, sectors }: Bests, lap: BestLap): boolean {
  if (best?.lapId === lap.lapId) return true;
  const { ranks } = sectors[lap.sectors.length] ?? NO_SECTORS;
  // It may be the only lap with so many sectors.
  if (ranks.length > 0 && ranks.every((rank) => rank === LAST)) return true;
  return lap.sectors.some((time, n) => ranks[n] === rankOf(lap, time));
}
