import { isFaster, NO_LAST, rankOf } from '../../projections/leaderboards/best-laps.ts';
import type { Bests, BestLap, LastLap } from '../../projections/leaderboards/best-laps.ts';
import { bestSectorsOf, sectorsIn } from './boards.ts';
import type { Board, Ranked, Standing } from './boards.ts';

/** Sums and bests of some laps of a driver: those of a stint, or some of them. */
export interface Portion {
  readonly laps: number;
  readonly validLaps: number;
  /** The bests of the valid ones, and those of the others. */
  readonly valid: Bests;
  readonly invalid: Bests;
  /** The lap that was driven last; `NO_LAST` where there is none. */
  readonly last: LastLap;
}

/** A driver who has a lap that counts. */
interface RankedDriver extends Standing {
  readonly best: BestLap;
  readonly last: LastLap;
  /** Their row as it was last made, with the number of sectors that it was made for. */
  made: { readonly sectorCount: number; readonly row: Ranked } | null;
}

/** The drivers on a board of a layout, fastest first. A change of a driver makes their row anew, and moves it. */
export class LayoutStandings {
  readonly #validOnly: boolean;
  /** Never changed: pages are read from it while a newer one is made. */
  #ranked: readonly RankedDriver[] = [];
  #board: Board | null = null;

  constructor(validOnly: boolean) {
    this.#validOnly = validOnly;
  }

  get size(): number {
    return this.#ranked.length;
  }

  /** Replaces what is known of some drivers. One without a lap that counts leaves the board. */
  update(portionsByDriver: ReadonlyMap<string, readonly Portion[]>): void {
    const changed: RankedDriver[] = [];
    for (const [participantId, portions] of portionsByDriver) {
      const driver = rankedDriver(participantId, portions, this.#validOnly);
      if (driver !== null) changed.push(driver);
    }
    changed.sort((a, b) => (isFaster(a.best, b.best) ? -1 : 1));
    const others = this.#ranked.filter(({ participantId }) => !portionsByDriver.has(participantId));
    this.#ranked = merged(others, changed);
    this.#board = null;
  }

  /** The board as it is now. It stays as it is. */
  board(): Board {
    this.#board ??= boardOf(this.#ranked);
    return this.#board;
  }
}

/** Both lists of drivers, each of which is sorted, in one. */
function merged(some: readonly RankedDriver[], others: readonly RankedDriver[]): readonly RankedDriver[] {
  if (others.length === 0) return some;
  if (some.length === 0) return others;
  const all: RankedDriver[] = [];
  let next = 0;
  for (const other of others) {
    let driver = some[next];
    while (driver !== undefined && isFaster(driver.best, other.best)) {
      all.push(driver);
      next += 1;
      driver = some[next];
    }
    all.push(other);
  }
  for (const driver of some.slice(next)) all.push(driver);
  return all;
}

function boardOf(ranked: readonly RankedDriver[]): Board {
  const sectorCount = ranked[0]?.best.sectors.length ?? 0;
  return {
    total: ranked.length,
    at: async (offset, limit) => ranked.slice(offset, offset + limit).map((driver) => rowOf(driver, sectorCount)),
    sectors: bestSectorsOf(ranked, sectorCount),
  };
}

function rowOf(driver: RankedDriver, sectorCount: number): Ranked {
  if (driver.made?.sectorCount === sectorCount) return driver.made.row;
  const { participantId, participantName, laps, validLaps, best, last, bests } = driver;
  const row: Ranked = {
    participantId,
    participantName,
    laps,
    validLaps,
    lap: best,
    rank: rankOf(best),
    // A board over all events does not number laps, of which events have their own numbers.
    lapNumber: null,
    last,
    bestSectors: sectorsIn(bests, sectorCount).times,
  };
  driver.made = { sectorCount, row };
  return row;
}

/** A driver with all of these laps; null if none of them counts. */
function rankedDriver(
  participantId: string,
  portions: readonly Portion[],
  validOnly: boolean,
): RankedDriver | null {
  let laps = 0;
  let validLaps = 0;
  let best: BestLap | null = null;
  let last = NO_LAST;
  const parts: Bests[] = [];
  for (const portion of portions) {
    laps += portion.laps;
    validLaps += portion.validLaps;
    if (portion.last.order > last.order) last = portion.last;
    parts.push(portion.valid);
    if (!validOnly) parts.push(portion.invalid);
  }
  for (const { lap } of parts) {
    if (lap !== null && (best === null || isFaster(lap, best))) best = lap;
  }
  if (best === null) return null;
  const bests = { lap: best, sectors: mergedSectors(parts) };
  return { participantId, participantName: null, laps, validLaps, best, last, bests, made: null };
}

/** The best sectors of some laps and of others, by the number of sectors. */
function mergedSectors(parts: readonly Bests[]): Bests['sectors'] {
  const merging: Record<string, { readonly times: (number | null)[]; readonly ranks: string[] }> = {};
  for (const { sectors } of parts) {
    for (const [count, { times, ranks }] of Object.entries(sectors)) {
      const known = merging[count];
      if (known === undefined) {
        merging[count] = { times: [...times], ranks: [...ranks] };
        continue;
      }
      for (const [n, time] of times.entries()) {
        if (time === null) continue;
        const before = known.times[n] ?? Infinity;
        const rank = ranks[n] ?? '';
        if (time > before || (time === before && rank >= (known.ranks[n] ?? ''))) continue;
        known.times[n] = time;
        known.ranks[n] = rank;
      }
    }
  }
  return merging;
}
