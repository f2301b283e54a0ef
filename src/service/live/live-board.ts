import {
  NO_LAPS,
  rankOf,
  wasBest,
  withLap,
  type Bests,
  type Lap,
} from '../../../projections/leaderboards/best-laps.ts';
import { isDriven, stateOf } from '../../../projections/leaderboards/gathering-laps.ts';
import type { LapFacts } from '../../../projections/laps.ts';
import type { RacingEventDocument } from '../../../projections/racing-events.ts';
import {
  bestSectorsOf,
  isBefore,
  sectorsIn,
  theoreticalBest,
  type SectorBest,
  type Standing,
} from '../../../queries/leaderboards/boards.ts';
import { layoutIdsOf } from '../../../queries/leaderboards/layouts.ts';
import type { Names } from '../../../queries/leaderboards/names.ts';
import { placeOf, type Place } from '../../../queries/leaderboards/places.ts';
import { headOf, shownRow, type LeaderboardRow } from '../../../queries/leaderboards/leaderboards.ts';
import { sameJson, type JsonObject } from '../kernel/json.ts';
import type { LapChange } from './changes.ts';

/** Which laps of an event a live board is about. */
export interface BoardFilter {
  /** Left out: the first of the event. */
  readonly trackLayoutId?: string | undefined;
  readonly carId?: string | undefined;
  /** The class of the car by now. */
  readonly carClassId?: string | undefined;
  /** Whether only valid laps count for the best. */
  readonly validOnly: boolean;
}

/** What a board is of. */
export interface BoardOptions {
  readonly event: RacingEventDocument;
  readonly trackLayoutId: string | null;
  readonly validOnly: boolean;
  /** Whether laps with a car are on it. */
  readonly fits: (car: string) => boolean | null;
}

/** What is other than before in a row; null as its position: it is no longer on the board. */
export type RowChange = Partial<Omit<LeaderboardRow, 'position'>> & {
  readonly participantId: string;
  readonly position?: number | null;
};

/** What a change of a lap does to a board. */
export interface BoardDifference {
  /** Whether the lap is no longer on it. */
  readonly left: boolean;
  /** In the order of the board; those that have left it come last. */
  readonly rows: readonly RowChange[];
  /** Whether others hold the best sectors, or with other times. */
  readonly hasOtherSectors: boolean;
}

/** Somebody with laps on the board. */
class Driver implements Standing {
  readonly participantId: string;
  readonly participantName = null;
  laps = 0;
  validLaps = 0;
  bests: Bests = NO_LAPS;
  /** Those that count for the best. */
  readonly counted = new Map<Lap, LapFacts>();
  /** The text that the best lap is ordered by; '' without one. */
  rank = '';
  /** Null: not on the board. */
  place: Place | null = null;

  constructor(participantId: string) {
    this.participantId = participantId;
  }

  join(lap: Lap, facts: LapFacts, counts: boolean): void {
    this.#count(facts, 1);
    if (!counts) return;
    this.counted.set(lap, facts);
    this.#setBests(withLap(this.bests, stateOf(lap, facts).lap));
  }

  leave(lap: Lap, facts: LapFacts): void {
    this.#count(facts, -1);
    if (!this.counted.delete(lap) || !wasBest(this.bests, stateOf(lap, facts).lap)) return;
    let bests = NO_LAPS;
    for (const [other, its] of this.counted) bests = withLap(bests, stateOf(other, its).lap);
    this.#setBests(bests);
  }

  #count({ valid }: LapFacts, by: number): void {
    this.laps += by;
    if (valid) this.validLaps += by;
  }

  #setBests(bests: Bests): void {
    if (bests.lap !== this.bests.lap) this.rank = bests.lap === null ? '' : rankOf(bests.lap);
    this.bests = bests;
  }
}

/** A row as it was before a change, of those whose laps the change is about. */
interface Touched {
  readonly driver: Driver;
  readonly row: LeaderboardRow | null;
  readonly rank: string;
  readonly bests: Bests;
}

/**
 * A board that follows the changes of an event, one by one: the same rows as `GET …/leaderboard` has. `fold` takes a
 * change over; once `arrange` was called, `apply` does, and tells what it changes.
 */
export class LiveBoard {
  readonly trackLayoutId: string | null;
  readonly #options: BoardOptions;
  readonly #drivers = new Map<string, Driver>();
  readonly #lapsByLayout = new Map<string, number>();
  #order: Driver[] = [];
  #sectors: readonly SectorBest[] = [];
  /** When the newest change that it shows happened, epoch ms; null: it shows none. */
  changedAt: number | null = null;

  constructor(options: BoardOptions) {
    this.#options = options;
    this.trackLayoutId = options.trackLayoutId;
  }

  /** Takes a change over. */
  fold(change: LapChange): void {
    const { before, after } = change;
    countLayouts(this.#lapsByLayout, this.#options.event.id, change);
    const [was, is] = [this.#isOn(before), this.#isOn(after)];
    if (was || is) this.#move(change, { was, is });
  }

  /** Puts the rows in order. */
  arrange(): void {
    this.#order = [...this.#drivers.values()].filter(({ rank }) => rank !== '').sort(inOrder);
    this.#placeAll();
    this.#sectors = bestSectorsOf(this.#order, this.#sectorCount());
  }

  /** Takes a change over, and tells what it changes; null: nothing. */
  apply(change: LapChange, names: Names): BoardDifference | null {
    const { before, after } = change;
    countLayouts(this.#lapsByLayout, this.#options.event.id, change);
    const [was, is] = [this.#isOn(before), this.#isOn(after)];
    if (!was && !is) return null;
    const ids = new Set([
      ...(was && before !== null ? [before.participantId] : []),
      ...(is ? [after.participantId] : []),
    ]);
    const touched = [...ids].map((id): Touched => {
      const driver = this.#driver(id);
      return { driver, row: this.#row(driver, names), rank: driver.rank, bests: driver.bests };
    });
    const sectorCount = this.#sectorCount();
    this.#move(change, { was, is });
    const rows = this.#reorder(touched, sectorCount, names);
    return { left: !is, rows, hasOtherSectors: this.#findSectors(touched, sectorCount) };
  }

  /** What a rename changes: the row of who is on the board; and whether they hold a best sector. */
  rename(participantId: string, names: Names): Omit<BoardDifference, 'left'> {
    const isOn = (this.#drivers.get(participantId)?.rank ?? '') !== '';
    const rows = isOn ? [{ participantId, participantName: names(participantId) }] : [];
    return { rows, hasOtherSectors: this.#sectors.some((best) => best.participantId === participantId) };
  }

  /** All rows, in order. */
  rows(names: Names): readonly LeaderboardRow[] {
    return this.#order.map((driver) => this.#row(driver, names)).filter((row) => row !== null);
  }

  head(names: Names) {
    const { event, trackLayoutId } = this.#options;
    const layouts = layoutIdsOf(event, this.#lapsByLayout).map((id) => ({
      trackLayoutId: id,
      laps: this.#lapsByLayout.get(id) ?? 0,
    }));
    return headOf({ event, board: { sectors: this.#sectors }, trackLayoutId, layouts }, { asOf: null, names });
  }

  /** Who is on it, and the cars and layouts that it names. */
  *shown(): Iterable<{ readonly kind: 'participant' | 'car' | 'trackLayout'; readonly id: string }> {
    for (const { participantId, bests } of this.#order) {
      yield { kind: 'participant', id: participantId };
      if (bests.lap !== null) yield { kind: 'car', id: bests.lap.car };
    }
    for (const id of layoutIdsOf(this.#options.event, this.#lapsByLayout)) yield { kind: 'trackLayout', id };
    if (this.trackLayoutId !== null) yield { kind: 'trackLayout', id: this.trackLayoutId };
  }

  /** The first layout of the event after one more change. */
  firstLayoutAfter({ before, after }: LapChange): string | null {
    const laps = new Map(this.#lapsByLayout);
    countLayouts(laps, this.#options.event.id, { before, after });
    return layoutIdsOf(this.#options.event, laps)[0] ?? null;
  }

  #isOn(facts: LapFacts | null): boolean {
    const { event, trackLayoutId, fits } = this.#options;
    if (facts === null || facts.eventId !== event.id || facts.trackId !== trackLayoutId) return false;
    return isDriven(facts) && fits(facts.car) === true;
  }

  #driver(participantId: string): Driver {
    const known = this.#drivers.get(participantId);
    if (known !== undefined) return known;
    const driver = new Driver(participantId);
    this.#drivers.set(participantId, driver);
    return driver;
  }

  #move({ lap, before, after, at }: LapChange, { was, is }: { readonly was: boolean; readonly is: boolean }): void {
    this.changedAt = at;
    if (was && before !== null) this.#driver(before.participantId).leave(lap, before);
    if (is) this.#driver(after.participantId).join(lap, after, after.valid || !this.#options.validOnly);
  }

  #sectorCount(): number {
    return this.#order[0]?.bests.lap?.sectors.length ?? 0;
  }

  #row(driver: Driver, names: Names): LeaderboardRow | null {
    const { place, bests, participantId, laps, validLaps, rank } = driver;
    if (place === null || bests.lap === null) return null;
    const bestSectors = sectorsIn(bests, this.#sectorCount()).times;
    const standing = { participantId, participantName: null, laps, validLaps, lap: bests.lap, rank, bestSectors };
    return shownRow({ standing, ...place }, names);
  }

  /** Puts those whose best lap is another one where they belong, and tells which rows are others now. */
  #reorder(touched: readonly Touched[], sectorCount: number, names: Names): readonly RowChange[] {
    const changes = new Map<Driver, RowChange>();
    if (this.#sortIn(touched)) {
      this.#placeAll((driver, place) => changes.set(driver, { participantId: driver.participantId, ...place }));
    }
    const counted = this.#sectorCount();
    if (counted !== sectorCount) this.#changeSectors(changes, { from: sectorCount, to: counted });
    const left: RowChange[] = [];
    for (const { driver, row } of touched) {
      const now = this.#row(driver, names);
      if (now !== null) changes.set(driver, row === null ? now : changesOf(row, now));
      else if (row !== null) left.push({ participantId: row.participantId, position: null });
      if (driver.laps === 0) this.#drivers.delete(driver.participantId);
    }
    return [...this.#inBoardOrder(changes), ...left];
  }

  /** Whether any of them has another place now, which they are put at. */
  #sortIn(touched: readonly Touched[]): boolean {
    const moved = touched.filter(({ driver, rank }) => driver.rank !== rank);
    // All are taken out first: a search relies on the order of those that are left.
    for (const { driver, rank } of moved) if (rank !== '') this.#order.splice(this.#order.indexOf(driver), 1);
    for (const { driver } of moved) {
      if (driver.rank === '') driver.place = null;
      else this.#order.splice(this.#indexFor(driver), 0, driver);
    }
    return moved.length > 0;
  }

  /** Few rows change, mostly: they are sorted, instead of all being gone through. */
  #inBoardOrder(changes: ReadonlyMap<Driver, RowChange>): readonly RowChange[] {
    const drivers = [...changes.keys()].filter((driver) => Object.keys(changes.get(driver) ?? {}).length > 1);
    return drivers.sort(inOrder).flatMap((driver) => changes.get(driver) ?? []);
  }

  /** The index at which a driver belongs. */
  #indexFor(driver: Driver): number {
    let [from, to] = [0, this.#order.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#order[middle];
      if (other !== undefined && isBefore(other, driver)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #placeAll(changed: (driver: Driver, place: Partial<Place>) => void = () => undefined): void {
    const leader = this.#order[0]?.bests.lap?.totalTime ?? 0;
    let before: { readonly totalTime: number; readonly position: number } | null = null;
    for (const [index, driver] of this.#order.entries()) {
      const totalTime = driver.bests.lap?.totalTime ?? 0;
      const place = placeOf(totalTime, { index, leader, before });
      const was = driver.place;
      if (was === null || !isSamePlace(was, place)) {
        driver.place = place;
        changed(driver, was === null ? place : differences({ ...was }, { ...place }));
      }
      before = { totalTime, position: place.position };
    }
  }

  /** Best sectors are of laps with as many sectors as the leader's. */
  #changeSectors(changes: Map<Driver, RowChange>, { from, to }: { readonly from: number; readonly to: number }): void {
    for (const driver of this.#order) {
      const [before, after] = [sectorsIn(driver.bests, from).times, sectorsIn(driver.bests, to).times];
      if (sameJson(before, after)) continue;
      const { participantId } = driver;
      const bests = { bestSectors: after, theoreticalBest: theoreticalBest(after) };
      changes.set(driver, { participantId, ...changes.get(driver), ...bests });
    }
  }

  #findSectors(touched: readonly Touched[], sectorCount: number): boolean {
    const counted = this.#sectorCount();
    if (counted === sectorCount && touched.every(({ driver, bests }) => driver.bests === bests)) return false;
    const before = this.#sectors;
    this.#sectors = bestSectorsOf(this.#order, counted);
    return !sameSectors(before, this.#sectors);
  }
}

/** Counts the laps of an event by their layouts. */
export function countLayouts(
  laps: Map<string, number>,
  eventId: string,
  { before, after }: Pick<LapChange, 'before' | 'after'>,
): void {
  const count = (facts: LapFacts | null, by: number): void => {
    if (facts === null || facts.eventId !== eventId || !isDriven(facts)) return;
    laps.set(facts.trackId, (laps.get(facts.trackId) ?? 0) + by);
  };
  count(before, -1);
  count(after, 1);
}

function inOrder(a: Driver, b: Driver): number {
  return isBefore(a, b) ? -1 : 1;
}

function isSamePlace(a: Place, b: Place): boolean {
  return a.position === b.position && a.gapToLeader === b.gapToLeader && a.gapToNext === b.gapToNext;
}

function sameSectors(some: readonly SectorBest[], others: readonly SectorBest[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ time, participantId }, n) => others[n]?.time === time && others[n].participantId === participantId)
  );
}

/** The fields that are others now. */
function differences<T extends JsonObject>(before: T, after: T): Partial<T> {
  const changed = Object.entries(after).filter(([field, value]) => !sameJson(before[field], value));
  // Fields of `after`, with their values.
  return Object.fromEntries(changed) as Partial<T>;
}

function changesOf(before: LeaderboardRow, after: LeaderboardRow): RowChange {
  return { participantId: after.participantId, ...differences<LeaderboardRow>(before, after) };
}
