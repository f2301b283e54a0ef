import { isFaster, rankOf, type BestLap, type LastLap } from '../../projections/leaderboards/best-laps.ts';
import { bestSectorsOf, sectorsIn } from './boards.ts';
import type { Board, Ranked, Standing } from './boards.ts';
import { bestsOfAll, sumOf, type Portion } from './portions.ts';

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
function rankedDriver(participantId: string, portions: readonly Portion[], validOnly: boolean): RankedDriver | null {
  const { laps, validLaps, valid, invalid, last } = sumOf(portions);
  const bests = validOnly ? valid : bestsOfAll([valid, invalid]);
  if (bests.lap === null) return null;
  return { participantId, participantName: null, laps, validLaps, best: bests.lap, last, bests, made: null };
}
