import { isFaster, laterOf, NO_LAPS, NO_LAST, withLap } from '../../projections/leaderboards/best-laps.ts';
import type { BestLap, Bests, LastLap, SectorBests } from '../../projections/leaderboards/best-laps.ts';

/** Sums and bests of some laps of a driver: those of stints, or some of them. */
export interface Portion {
  readonly laps: number;
  readonly validLaps: number;
  /** The bests of the valid ones, and those of the others. */
  readonly valid: Bests;
  readonly invalid: Bests;
  /** The lap that was driven last; `NO_LAST` where there is none. */
  readonly last: LastLap;
}

/** The portion of no laps. */
export const NO_PORTION: Portion = { laps: 0, validLaps: 0, valid: NO_LAPS, invalid: NO_LAPS, last: NO_LAST };

/** A portion with one lap more. One that is too short may be the last, and is nothing else. */
export function withOneLap(before: Portion, lap: BestLap, isValid: boolean, isLong: boolean): Portion {
  const last = laterOf(before.last, lap, isValid);
  if (!isLong) return { ...before, last };
  return {
    laps: before.laps + 1,
    validLaps: before.validLaps + Number(isValid),
    valid: isValid ? withLap(before.valid, lap) : before.valid,
    invalid: isValid ? before.invalid : withLap(before.invalid, lap),
    last,
  };
}

/** All laps of some portions. */
export function sumOf(portions: readonly Portion[]): Portion {
  const [only] = portions;
  if (only !== undefined && portions.length === 1) return only;
  let laps = 0;
  let validLaps = 0;
  let last = NO_LAST;
  for (const portion of portions) {
    laps += portion.laps;
    validLaps += portion.validLaps;
    if (portion.last.order > last.order) last = portion.last;
  }
  return {
    laps,
    validLaps,
    valid: bestsOfAll(portions.map(({ valid }) => valid)),
    invalid: bestsOfAll(portions.map(({ invalid }) => invalid)),
    last,
  };
}

/** The bests of several sets of laps together. */
export function bestsOfAll(some: readonly Bests[]): Bests {
  const sets = some.filter(({ lap }) => lap !== null);
  const [first = NO_LAPS] = sets;
  if (sets.length <= 1) return first;
  let { lap: best } = first;
  const sectors: Record<string, { readonly times: (number | null)[]; readonly ranks: string[] }> = {};
  for (const { lap, sectors: own } of sets) {
    if (lap !== null && (best === null || isFaster(lap, best))) best = lap;
    for (const [count, { times, ranks }] of Object.entries(own)) {
      const known = sectors[count];
      if (known === undefined) sectors[count] = { times: [...times], ranks: [...ranks] };
      else addSectors(known, { times, ranks });
    }
  }
  return { lap: best, sectors };
}

/** Puts the faster ones of some times into others; equal times are in the order of their ranks. */
function addSectors(
  known: { readonly times: (number | null)[]; readonly ranks: string[] },
  { times, ranks }: SectorBests,
): void {
  for (let n = 0; n < times.length; n += 1) {
    const time = times[n] ?? null;
    if (time === null) continue;
    const before = known.times[n] ?? Infinity;
    const rank = ranks[n] ?? '';
    if (time > before || (time === before && rank >= (known.ranks[n] ?? ''))) continue;
    known.times[n] = time;
    known.ranks[n] = rank;
  }
}
