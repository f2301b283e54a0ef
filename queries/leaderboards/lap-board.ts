import {
  MOST_NUMBERED,
  NO_LAPS,
  NO_LAST,
  laterOf,
  orderIn,
  orderOf,
  rankOf,
  wasBest,
  withLap,
} from '../../projections/leaderboards/best-laps.ts';
import type { Bests, Lap, LastLap } from '../../projections/leaderboards/best-laps.ts';
import { bestLapOf, isDriven } from '../../projections/leaderboards/gathering-laps.ts';
import type { LapFacts } from '../../projections/laps.ts';
import type { EventTimes } from '../event-state.ts';
import { bestSectorsOf, isBefore, sectorsIn } from './boards.ts';
import type { Board, Ranked, SectorBest, Standing } from './boards.ts';
import { isInTime, type CountingRules } from './filters.ts';
import { countLap, type LapsByLayout } from './layouts.ts';

/** Which laps a board shows; all conditions must hold. */
export interface LapFilter {
  readonly eventId: string;
  /** Null: on no layout. */
  readonly trackLayoutId: string | null;
  /** Whether only valid laps count for the best. */
  readonly validOnly: boolean;
  /** The cars whose laps it shows; null: all. */
  readonly cars: ReadonlySet<string> | null;
}

/** A board of laps at a moment. */
export interface LapBoardSnapshot extends Board {
  /** Number of laps of the event on each layout, valid or not. */
  readonly lapsByLayout: LapsByLayout;
}

/** A board of laps at a moment, and what its event was then. */
export interface EventBoard extends LapBoardSnapshot {
  readonly times: EventTimes;
}

/** A participant whose laps are on a board. */
interface Driver extends Standing {
  laps: number;
  validLaps: number;
  bests: Bests;
  /** The text that the best lap is ordered by; '' without one. */
  rank: string;
  /** Number of all laps that the board shows, also of those that are too short. */
  driven: number;
  /** The number of the best lap among them, in the order of driving, from 1; null: it has to be counted. */
  lapNumber: number | null;
  last: LastLap;
  /** The row, and the number of sectors that it was made for; null: it has changed. */
  row: { readonly sectorCount: number; readonly ranked: Ranked } | null;
}

const NO_ROW = { bests: NO_LAPS, rank: '', driven: 0, lapNumber: 0, last: NO_LAST, row: null };

/** A lap and its facts. */
export type FactsOfLap = readonly [lap: Lap, facts: LapFacts];

/** Returns all laps that a board shows of a participant now. */
export type LapsOf = (participantId: string) => Iterable<FactsOfLap>;

/**
 * A board made of laps that are added and removed one by one: filtered, as of a moment, or live. It keeps a few values
 * for each participant, but not their laps.
 */
export class LapBoard {
  /** Number of laps of the event on each layout, valid or not. */
  readonly lapsByLayout = new Map<string, number>();
  readonly #filter: LapFilter;
  readonly #rules: CountingRules;
  readonly #lapsOf: LapsOf;
  readonly #drivers = new Map<string, Driver>();
  /** Participants who have a best lap. */
  #ranked: Driver[] = [];
  #isSorted = true;
  /** The best sectors of laps with `count` sectors; null: they have to be found again. */
  #sectors: { readonly count: number; readonly best: readonly SectorBest[] } | null = null;

  constructor(filter: LapFilter, rules: CountingRules, lapsOf: LapsOf) {
    this.#filter = filter;
    this.#rules = rules;
    this.#lapsOf = lapsOf;
  }

  get sectors(): readonly SectorBest[] {
    const count = this.#sectorCount();
    if (this.#sectors?.count !== count) this.#sectors = { count, best: bestSectorsOf(this.#ranked, count) };
    return this.#sectors.best;
  }

  /** The rows, fastest first. */
  rows(): readonly Ranked[] {
    const sectorCount = this.#sectorCount();
    return this.#sorted()
      .map((driver) => this.#row(driver, sectorCount))
      .filter((row) => row !== null);
  }

  /** The board as it is, which later laps do not change. */
  snapshot(): LapBoardSnapshot {
    const rows = this.rows();
    return {
      total: rows.length,
      at: async (offset, limit) => rows.slice(offset, offset + limit),
      sectors: this.sectors,
      lapsByLayout: new Map(this.lapsByLayout),
    };
  }

  /** The row of a participant; null: they have no lap that counts. */
  row(participantId: string): Ranked | null {
    const driver = this.#drivers.get(participantId);
    return driver === undefined ? null : this.#row(driver, this.#sectorCount());
  }

  /** Adds a lap; one that the board does not show counts for its layout only. */
  add(lap: Lap, facts: LapFacts): void {
    this.#countForLayout(facts, 1);
    if (!this.shows(facts)) return;
    const driver = this.#driver(facts.participantId);
    this.#count(driver, facts, 1);
    const shown = bestLapOf(lap, facts);
    driver.last = laterOf(driver.last, shown, facts.valid);
    if (driver.lapNumber !== null && orderOf(shown) < orderIn(driver.rank)) driver.lapNumber += 1;
    if (!this.#counts(facts)) return;
    this.#setBests(driver, withLap(driver.bests, shown));
    // The number of the last lap is that of all laps.
    if (driver.bests.lap === shown) driver.lapNumber = driver.last.lapId === lap.lapId ? driver.driven : null;
    if (this.#sectors === null) return;
    const { count: sectorCount, best } = this.#sectors;
    this.#sectors = { count: sectorCount, best: bestSectorsOf([driver], sectorCount, best) };
  }

  /**
   * Changes a lap that was added. `others` returns the other laps that the board shows of the participant who had it
   * before.
   */
  change(lap: Lap, [before, after]: readonly [before: LapFacts, after: LapFacts], others: () => Iterable<FactsOfLap>) {
    this.#countForLayout(before, -1);
    if (this.shows(before)) {
      const driver = this.#driver(before.participantId);
      this.#count(driver, before, -1);
      const shown = bestLapOf(lap, before);
      if (driver.lapNumber !== null && orderOf(shown) < orderIn(driver.rank)) driver.lapNumber -= 1;
      const isBest = this.#counts(before) && wasBest(driver.bests, shown);
      // A last lap that stays the last one is replaced when it is added again.
      const isOnlyChanged = this.shows(after) && after.participantId === before.participantId;
      const isLast = driver.last.lapId === lap.lapId && !(isOnlyChanged && after.drivenAt >= before.drivenAt);
      if (isBest || isLast) this.#recompute(driver, others(), isBest);
      if (driver.last === NO_LAST) this.#drivers.delete(driver.participantId);
    }
    this.add(lap, after);
  }

  /** Finds the last lap of a driver again among their other laps, and the bests, too, if they may have changed. */
  #recompute(driver: Driver, others: Iterable<FactsOfLap>, mayChangeBests: boolean): void {
    let bests = NO_LAPS;
    driver.last = NO_LAST;
    for (const [lap, facts] of others) {
      const shown = bestLapOf(lap, facts);
      driver.last = laterOf(driver.last, shown, facts.valid);
      if (this.#counts(facts)) bests = withLap(bests, shown);
    }
    if (!mayChangeBests) return;
    this.#setBests(driver, bests);
    driver.lapNumber = null;
    this.#sectors = null;
  }

  shows(facts: LapFacts): boolean {
    const { eventId, trackLayoutId, cars } = this.#filter;
    if (facts.eventId !== eventId || facts.trackId !== trackLayoutId) return false;
    if (!isDriven(facts) || !isInTime(facts, this.#rules.finishedAt)) return false;
    return cars === null || cars.has(facts.car);
  }

  #countForLayout(facts: LapFacts, by: 1 | -1): void {
    const { eventId } = this.#filter;
    const { finishedAt } = this.#rules;
    countLap(this.lapsByLayout, facts, { eventId, finishedAt, by });
  }

  /** Whether a lap that the board shows counts for the best. */
  #counts({ valid, totalTime }: LapFacts): boolean {
    return totalTime >= this.#rules.minimum && (valid || !this.#filter.validOnly);
  }

  #count(driver: Driver, { valid, totalTime }: LapFacts, by: 1 | -1): void {
    driver.row = null;
    driver.driven += by;
    if (totalTime < this.#rules.minimum) return;
    driver.laps += by;
    if (valid) driver.validLaps += by;
  }

  #driver(participantId: string): Driver {
    const known = this.#drivers.get(participantId);
    if (known !== undefined) return known;
    const driver = { participantId, participantName: null, laps: 0, validLaps: 0, ...NO_ROW };
    this.#drivers.set(participantId, driver);
    return driver;
  }

  #row(driver: Driver, sectorCount: number): Ranked | null {
    const { participantId, participantName, laps, validLaps, bests, rank, last } = driver;
    if (bests.lap === null) return null;
    if (driver.row?.sectorCount !== sectorCount) {
      const isNumbered = driver.driven <= MOST_NUMBERED;
      if (isNumbered) driver.lapNumber ??= this.#numberOf(driver);
      const ranked = {
        participantId,
        participantName,
        laps,
        validLaps,
        lap: bests.lap,
        rank,
        lapNumber: isNumbered ? driver.lapNumber : null,
        last,
        bestSectors: sectorsIn(bests, sectorCount).times,
      };
      driver.row = { sectorCount, ranked };
    }
    return driver.row.ranked;
  }

  /** Counts the laps of a driver up to the best one. */
  #numberOf({ participantId, rank }: Driver): number {
    const bestOrder = orderIn(rank);
    let number = 0;
    for (const [lap, facts] of this.#lapsOf(participantId)) {
      if (orderOf(bestLapOf(lap, facts)) <= bestOrder) number += 1;
    }
    return number;
  }

  #setBests(driver: Driver, bests: Bests): void {
    if (bests.lap !== driver.bests.lap) {
      if (bests.lap === null) this.#ranked = this.#ranked.filter((other) => other !== driver);
      else if (driver.bests.lap === null) this.#ranked.push(driver);
      driver.rank = bests.lap === null ? '' : rankOf(bests.lap);
      this.#isSorted = false;
    }
    driver.bests = bests;
  }

  #sorted(): readonly Driver[] {
    if (!this.#isSorted) this.#ranked.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    this.#isSorted = true;
    return this.#ranked;
  }

  #sectorCount(): number {
    return this.#sorted()[0]?.bests.lap?.sectors.length ?? 0;
  }
}
