/*
 * The best laps of a set that laps join and leave one by one. Not all are kept: a document that is written with every
 * lap must stay small. What was let go is remembered by the best times of it, so that it is always known whether the
 * best that is kept is the best of all.
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
  readonly createdAt: string;
};

/** A set of laps. */
export type BestLaps = {
  /** The number of laps by their number of sectors. */
  readonly counts: { readonly [sectors: string]: number };
  /** Some of them, fastest first, as a text for `keptOf`: it is stored with every lap, and seldom looked into. */
  readonly kept: string;
  /** The rank of the best total time that was let go, and then of the best in each sector; '' where none was. */
  readonly lost: readonly string[];
};

/** How many laps are kept: some, and some for each thing that a lap can be best in. */
export interface Room {
  readonly laps: number;
  readonly perBest: number;
}

/** The empty set. */
export const NO_LAPS: BestLaps = { counts: {}, kept: '[]', lost: [] };

/** Sectors that are looked at: a lap may have any number (SPEC.md "Lap"), a document may not. */
export const SECTORS_KEPT = 64;

/** Laps that are kept at most, whatever the number of sectors. */
const KEPT_MOST = 48;

/** Digits of the largest safe integer. */
const DIGITS = 16;

/** Sorts after every rank. */
export const LAST = '~';

/** The best time in something, the lap that it is of, and the rank: the text that it is ordered by. */
export interface Best {
  readonly lap: BestLap;
  readonly time: number;
  readonly rank: string;
}

type Kept = readonly [string, number, string, string, string, readonly number[]];

/** The laps that are kept, fastest first. */
export function keptOf({ kept }: Pick<BestLaps, 'kept'>): BestLap[] {
  // Written by `textOf`.
  const laps = JSON.parse(kept) as readonly Kept[];
  return laps.map(([lapId, totalTime, createdAt, car, trackId, sectors]) => (
    { lapId, totalTime, sectors, car, trackId, createdAt }));
}

function textOf(laps: readonly BestLap[]): string {
  return JSON.stringify(laps.map(({ lapId, totalTime, createdAt, car, trackId, sectors }): Kept => (
    [lapId, totalTime, createdAt, car, trackId, sectors])));
}

function rankOf(time: number, { createdAt, lapId }: BestLap): string {
  return `${String(time).padStart(DIGITS, '0')} ${createdAt} ${lapId}`;
}

/** The best in total time and then in each sector. */
export function bestsOf(laps: readonly BestLap[]): readonly Best[] {
  const bests: Best[] = [];
  for (const lap of laps) improve(bests, lap);
  return bests;
}

/** Puts a lap into the bests where it is better. Equal times are in the order in which the laps were recorded. */
export function improve(bests: Best[], lap: BestLap): void {
  const { totalTime, sectors } = lap;
  for (let n = 0; n <= sectors.length; n += 1) {
    const time = n === 0 ? totalTime : sectors[n - 1] ?? 0;
    const before = bests[n];
    if (before !== undefined && before.time < time) continue;
    const rank = rankOf(time, lap);
    if (before === undefined || rank < before.rank) bests[n] = { lap, time, rank };
  }
}

/** Whether these bests of the laps that are kept are the best of all: nothing that was let go can be better. */
export function areSure(bests: readonly Best[], { counts, lost }: BestLaps): boolean {
  const { most } = sectorsOf(counts);
  return lost.slice(0, 1 + most).every((rank, n) => rank === '' || (bests[n]?.rank ?? LAST) < rank);
}

/** The smallest and the largest number of sectors of a lap; 0 where there is no lap. */
export function sectorsOf(counts: BestLaps['counts']): { readonly fewest: number; readonly most: number } {
  const all = Object.keys(counts).map(Number);
  return all.length === 0 ? { fewest: 0, most: 0 } : { fewest: Math.min(...all), most: Math.max(...all) };
}

/** The sum of the best sectors in ms; null when laps have none, or not all the same number of them. */
export function theoreticalBest(bestSectors: readonly number[], counts: BestLaps['counts']): number | null {
  const { fewest, most } = sectorsOf(counts);
  return most === 0 || fewest !== most ? null : bestSectors.reduce((sum, time) => sum + time, 0);
}

/** How many laps are in the set. */
export function sizeOf({ counts }: Pick<BestLaps, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The set with one more lap. */
export function withLap(laps: BestLaps, lap: BestLap, room: Room): BestLaps {
  const { lost } = laps;
  const sectors = String(lap.sectors.length);
  const counts = { ...laps.counts, [sectors]: (laps.counts[sectors] ?? 0) + 1 };
  // What is no better in anything than the best that was let go is let go as well.
  if (lost.length > 0 && ranksOf(lap).every((rank, n) => rank > (lost[n] || LAST))) {
    return { counts, kept: laps.kept, lost };
  }
  const all = [...keptOf(laps), lap].sort(byTime(0));
  const most = Math.min(KEPT_MOST, room.laps + room.perBest * (1 + sectorsOf(counts).most));
  const [gone] = all.length > most ? all.splice(leastNeeded(all), 1) : [];
  return { counts, kept: textOf(all), lost: gone === undefined ? lost : lostWith(lost, gone) };
}

/** The set without a lap that is in it. */
export function withoutLap(laps: BestLaps, { lapId, sectors }: BestLap): BestLaps {
  const { [sectors.length]: count = 0, ...others } = laps.counts;
  const counts = count > 1 ? { ...others, [sectors.length]: count - 1 } : others;
  const before = keptOf(laps);
  const after = before.filter((other) => other.lapId !== lapId);
  const kept = after.length < before.length ? textOf(after) : laps.kept;
  return { counts, kept, lost: sizeOf({ counts }) === after.length ? [] : laps.lost };
}

function ranksOf(lap: BestLap): readonly string[] {
  return [lap.totalTime, ...lap.sectors].map((time) => rankOf(time, lap));
}

/** Orders laps by their time in a sector, from 1, or in total. */
function byTime(sector: number) {
  const timeOf = (lap: BestLap): number => (sector === 0 ? lap.totalTime : lap.sectors[sector - 1] ?? Infinity);
  return (a: BestLap, b: BestLap): number =>
    timeOf(a) - timeOf(b) || compare(a.createdAt, b.createdAt) || compare(a.lapId, b.lapId);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Place of the lap whose best place, of all in total time and in each sector, is the worst; never the first. */
function leastNeeded(laps: readonly BestLap[]): number {
  const places = new Map(laps.map((lap, place) => [lap, place]));
  const most = Math.max(...laps.map(({ sectors }) => sectors.length));
  for (let sector = 1; sector <= most; sector += 1) {
    const having = laps.filter(({ sectors }) => sectors.length >= sector).sort(byTime(sector));
    for (const [place, lap] of having.entries()) places.set(lap, Math.min(places.get(lap) ?? place, place));
  }
  const all = [...places.values()];
  return all.lastIndexOf(Math.max(...all));
}

function lostWith(lost: BestLaps['lost'], lap: BestLap): readonly string[] {
  const ranks = ranksOf(lap);
  return Array.from({ length: Math.max(lost.length, ranks.length) }, (_, n) => {
    const [before = '', now = ''] = [lost[n], ranks[n]];
    return before === '' || (now !== '' && now < before) ? now : before;
  });
}
