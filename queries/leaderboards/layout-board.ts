import { z } from 'zod';
import { NO_LAPS, NO_LAST, isFaster, laterOf, rankOf, withLap } from '../../projections/leaderboards/best-laps.ts';
import type { Bests, BestLap, LastLap } from '../../projections/leaderboards/best-laps.ts';
import { bestLapOf, identityOf, isDriven } from '../../projections/leaderboards/gathering-laps.ts';
import { dayOf, stintIdOf, stints, type StintDocument } from '../../projections/leaderboards/stints.ts';
import { cars } from '../../projections/cars.ts';
import { laps, strikeOf, type LapDocument } from '../../projections/laps.ts';
import { licenses } from '../../projections/licenses.ts';
import { participants } from '../../projections/participants.ts';
import { racingEvents } from '../../projections/racing-events.ts';
import { rigs } from '../../projections/rigs.ts';
import { trackLayouts, type TrackLayoutDocument } from '../../projections/track-layouts.ts';
import { lookingUpOnce, readOne } from '../../src/domain/documents.ts';
import { described, instant } from '../../src/domain/fields.ts';
import { reference, referredName } from '../../src/domain/references.ts';
import { createYielder } from '../../src/runtime/give-way.ts';
import type { ReadModels } from '../../src/kernel/ports/read-store.ts';
import { VenueView } from '../racing-events.ts';
import { namesFor } from './board-names.ts';
import { bestSectorsOf, isBefore, sectorsIn } from './boards.ts';
import type { Board, Ranked, Standing } from './boards.ts';
import { carsOf, minimumIn } from './filters.ts';
import { encodedRowsOf, LeaderboardHeadView, namedSectors, shownSectors } from './leaderboards.ts';

import { positionedRows, type PageRequest } from './positions.ts';
import type { Sources } from './sources.ts';
import { stintsOf } from './stints-of-layout.ts';

const trackLayoutId = reference('trackLayout', 'The layout of the board.');

export const LayoutLeaderboardHeadView = z
  .object({
    trackLayoutId,
    trackDisplayName: referredName('trackLayoutId', trackLayoutId),
    from: described(instant.nullable(), 'No lap was driven before this moment; null: no limit.', null),
    to: described(instant.nullable(), 'Every lap was driven before this moment; null: no limit.', null),
    venue: described(VenueView.nullable(), 'The licence that was asked for; null: none was, or there is none.'),
    bestSectors: LeaderboardHeadView.shape.bestSectors,
    theoreticalBest: LeaderboardHeadView.shape.theoreticalBest,
  })
  .meta({ id: 'LayoutLeaderboardHead', description: 'What applies to a whole leaderboard of a layout.' });

/** Which laps of a layout a board shows, whatever event they are of; all conditions must hold. */
export interface LayoutBoardRequest {
  readonly trackLayoutId: string;
  /** ISO 8601; laps are of the first moment, and not of the second. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly carId?: string | undefined;
  /** The class that the car has now. */
  readonly carClassId?: string | undefined;
  /** The simulator that the event has now. */
  readonly simulatorId?: string | undefined;
  /** The licence that the rig has now. */
  readonly licenseId?: string | undefined;
  /** Whether only valid laps count for the best. */
  readonly validOnly: boolean;
}

/** The collections that boards of layouts are made from. */
export const layoutBoardCollections: readonly string[] = [
  stints,
  laps,
  racingEvents,
  trackLayouts,
  participants,
  cars,
  rigs,
  licenses,
].map(({ collection }) => collection);

/** A page of the board of a layout, with present names; null when there is no such layout. @throws {OverBudget} */
export async function layoutLeaderboardPage(request: LayoutBoardRequest & PageRequest, sources: Sources) {
  const { models } = sources;
  const layout = await readOne(models, trackLayouts, request.trackLayoutId);
  if (layout === null) return null;
  const board = await layoutBoard(layout, request, sources);
  const positioned = await positionedRows(board, request);
  const names = await namesFor(models, positioned, { board, trackLayoutId: layout.id, layouts: [] });
  const head = {
    trackLayoutId: layout.id,
    trackDisplayName: layout.displayName,
    from: request.from ?? null,
    to: request.to ?? null,
    venue: request.licenseId === undefined ? null : await venueOfLicense(request.licenseId, models),
    ...shownSectors(board.sectors, names),
  };
  const bestSectors = await namedSectors(head.bestSectors, sources);
  const rows = await encodedRowsOf(positioned, names, sources);
  return { rows, total: board.total, head: { ...head, bestSectors } };
}

async function venueOfLicense(id: string, models: ReadModels): Promise<z.output<typeof VenueView> | null> {
  const license = await readOne(models, licenses, id);
  if (license === null) return null;
  const { displayName, logo, accentColor, timeZone } = license;
  return { id, displayName, logo, accentColor, timeZone };
}

/** What is known of a driver on a board. */
interface Driver {
  readonly participantId: string;
  laps: number;
  validLaps: number;
  best: BestLap | null;
  last: LastLap;
  /** The bests of parts of the laps: best sectors are found among them. */
  readonly parts: Bests[];
}

/** The time of a request: laps are of the first moment, and of none from the second on. */
interface Time {
  readonly from: string;
  readonly to: string;
}

/** The board of the laps of a layout. Most are those of whole stints; of a few stints, laps are read. */
async function layoutBoard(layout: TrackLayoutDocument, request: LayoutBoardRequest, sources: Sources): Promise<Board> {
  const { models, allowance } = sources;
  const { from = '', to = END_OF_TIME, validOnly } = request;
  const time = { from, to };
  const found = await stintsInTime(layout.id, request, time, sources);
  const selection = await selectionFor(found, layout, request, models);
  const contested = await contestedLaps(layout.id, sources);
  const { whole, edges, partial } = await sorted(found, time, selection, contested, sources);
  const drivers = new Drivers(validOnly);
  for (const stint of whole) drivers.addStint(stint);
  const addLap = (lap: LapDocument): void => {
    if (!isDriven(lap) || !isInTime(lap.drivenAt, time) || !selection.includes(lap)) return;
    const isLong = lap.totalTime >= selection.minimumOf(lap.eventId);
    drivers.addLap(lap, lap.valid && !contested.has(lap.id), isLong);
  };
  for (const { eventId, participantId, ids } of partial) {
    for await (const batch of allowance.all(models, laps, { eventId, participantId, trackId: layout.id })) {
      for (const lap of batch) if (ids.has(stintIdOf(lap))) addLap(lap);
    }
  }
  for (const edge of edges.size === 0 ? [] : edgesOf(time)) {
    for await (const batch of allowance.all(models, laps, { trackId: layout.id, drivenAt: edge })) {
      for (const lap of batch) if (edges.has(stintIdOf(lap))) addLap(lap);
    }
  }
  return drivers.board();
}

function isInTime(moment: string, { from, to }: Time): boolean {
  return moment >= from && moment < to;
}

/** The stints of a layout that may have laps in a time. */
async function stintsInTime(
  trackId: string,
  request: LayoutBoardRequest,
  { from, to }: Time,
  { models, allowance }: Sources,
): Promise<readonly StintDocument[]> {
  const days = {
    from: request.from === undefined ? null : dayOf(from),
    to: request.to === undefined ? null : dayOf(to),
  };
  const found: StintDocument[] = [];
  for await (const batch of stintsOf(models, trackId, days, allowance.bounds())) {
    for (const stint of batch) if (stint.laps > 0 && stint.drivenTo >= from && stint.drivenFrom < to) found.push(stint);
  }
  return found;
}

/** Stints of a driver in an event whose laps are read, by their ids. */
interface PartialStints {
  readonly eventId: string;
  readonly participantId: string;
  readonly ids: Set<string>;
}

/** Stints by what has to be read of them. */
interface SortedStints {
  /** Nothing more: all of their laps are shown. */
  readonly whole: readonly StintDocument[];
  /** Ids of those of which only some laps are in time: of the first and of the last day. */
  readonly edges: ReadonlySet<string>;
  /** Others whose laps are read. */
  readonly partial: Iterable<PartialStints>;
}

async function sorted(
  found: readonly StintDocument[],
  time: Time,
  selection: Selection,
  contested: ReadonlyMap<string, LapDocument>,
  { allowance }: Sources,
): Promise<SortedStints> {
  const contestedStints = new Set([...contested.values()].map(stintIdOf));
  const whole: StintDocument[] = [];
  const edges = new Set<string>();
  const partial = new Map<string, PartialStints>();
  const step = createYielder(allowance.bounds().signal);
  for (const stint of found) {
    const pause = step();
    if (pause !== null) await pause;
    const share = selection.shareOf(stint);
    if (share === 'none') continue;
    const { id, eventId, participantId } = stint;
    if (share === 'some' || contestedStints.has(id)) {
      const key = `${eventId}:${participantId}`;
      const group = partial.get(key) ?? { eventId, participantId, ids: new Set<string>() };
      group.ids.add(id);
      partial.set(key, group);
    } else if (isInTime(stint.drivenFrom, time) && isInTime(stint.drivenTo, time)) {
      whole.push(stint);
    } else {
      edges.add(id);
    }
  }
  return { whole, edges, partial: partial.values() };
}

/** A text after all moments. */
const END_OF_TIME = '~';

/** The parts of the first and of the last day that lie within a time. */
function edgesOf({ from, to }: Time): readonly Time[] {
  const endOfFirst = `${dayOf(from)}${END_OF_TIME}`;
  if (from !== '' && to !== END_OF_TIME && dayOf(from) === dayOf(to)) return [{ from, to }];
  const edges: Time[] = [];
  if (from !== '') edges.push({ from, to: endOfFirst });
  if (to !== END_OF_TIME) edges.push({ from: dayOf(to), to });
  return edges;
}

/** Tells which laps a request is about, apart from when they were driven. */
interface Selection {
  /** How many laps of a stint are shown and long enough. */
  readonly shareOf: (stint: StintDocument) => 'all' | 'some' | 'none';
  readonly includes: (lap: LapDocument) => boolean;
  /** The time, in ms, of the shortest lap of an event that counts. */
  readonly minimumOf: (eventId: string) => number;
}

/** The selection of a request among some stints, whose events and rigs are looked up once each. */
async function selectionFor(
  found: readonly StintDocument[],
  layout: TrackLayoutDocument,
  request: LayoutBoardRequest,
  models: ReadModels,
): Promise<Selection> {
  const { simulatorId, licenseId } = request;
  const ownCars = await carsOf(request, models);
  const minimums = new Map<string, number>();
  const ownEvents = new Set<string>();
  for (const id of new Set(found.map(({ eventId }) => eventId))) {
    const event = await readOne(models, racingEvents, id);
    minimums.set(id, minimumIn(event, layout));
    if (simulatorId === undefined || event?.simulatorId === simulatorId) ownEvents.add(id);
  }
  const ownRigs = new Set<string>();
  if (licenseId !== undefined) {
    for (const id of new Set(found.flatMap(({ rigs: driven }) => driven))) {
      if ((await readOne(models, rigs, id))?.licenseId === licenseId) ownRigs.add(id);
    }
  }
  const minimumOf = (eventId: string): number => minimums.get(eventId) ?? minimumIn(null, layout);
  const isOwn = (car: string, eventId: string): boolean =>
    (ownCars === null || ownCars.has(car)) && ownEvents.has(eventId);
  return {
    minimumOf,
    shareOf({ car, eventId, least, rigs: driven }) {
      if (!isOwn(car, eventId)) return 'none';
      const isLong = least >= minimumOf(eventId);
      const own = licenseId === undefined ? driven.length : driven.filter((id) => ownRigs.has(id)).length;
      if (own === 0) return 'none';
      return isLong && own === driven.length ? 'all' : 'some';
    },
    includes: ({ car, eventId, rigId }) => isOwn(car, eventId) && (licenseId === undefined || ownRigs.has(rigId)),
  };
}

/** The valid laps of a layout that an owner of their driver has struck, by their ids: public bests leave them out. */
async function contestedLaps(trackId: string, { models, allowance }: Sources) {
  const found = new Map<string, LapDocument>();
  const driverOf = lookingUpOnce(models, participants);
  for await (const batch of allowance.all(models, laps, { '_contested[]': trackId })) {
    for (const lap of batch) {
      const { participantId, _strikes: strikes = [] } = lap;
      const owners = (await driverOf(participantId))?._owners ?? [];
      const isStruck = owners.some((licenseId) => strikes.includes(strikeOf(participantId, licenseId)));
      if (lap.valid && isStruck) found.set(lap.id, lap);
    }
  }
  return found;
}

/** The drivers whose laps are on a board. */
class Drivers {
  readonly #validOnly: boolean;
  readonly #byId = new Map<string, Driver>();

  constructor(validOnly: boolean) {
    this.#validOnly = validOnly;
  }

  /** Adds all laps of a stint. */
  addStint({ participantId, laps: count, validLaps, valid, invalid, last }: StintDocument): void {
    const driver = this.#driver(participantId);
    driver.laps += count;
    driver.validLaps += validLaps;
    if (last.order > driver.last.order) driver.last = last;
    this.#addPart(driver, valid);
    if (!this.#validOnly) this.#addPart(driver, invalid);
  }

  /** Adds one lap. */
  addLap(lap: LapDocument, isValid: boolean, isLong: boolean): void {
    const driver = this.#driver(lap.participantId);
    const shown = bestLapOf(identityOf(lap), lap);
    driver.last = laterOf(driver.last, shown, isValid);
    if (!isLong) return;
    driver.laps += 1;
    if (isValid) driver.validLaps += 1;
    if (isValid || !this.#validOnly) this.#addPart(driver, withLap(NO_LAPS, shown));
  }

  #addPart(driver: Driver, bests: Bests): void {
    if (bests.lap === null) return;
    if (driver.best === null || isFaster(bests.lap, driver.best)) driver.best = bests.lap;
    driver.parts.push(bests);
  }

  #driver(participantId: string): Driver {
    const known = this.#byId.get(participantId);
    if (known !== undefined) return known;
    const driver = { participantId, laps: 0, validLaps: 0, best: null, last: NO_LAST, parts: [] };
    this.#byId.set(participantId, driver);
    return driver;
  }

  board(): Board {
    const ranked: { readonly driver: Driver; readonly lap: BestLap; readonly rank: string }[] = [];
    for (const driver of this.#byId.values()) {
      const { best } = driver;
      if (best !== null) ranked.push({ driver, lap: best, rank: rankOf(best) });
    }
    ranked.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    const sectorCount = ranked[0]?.lap.sectors.length ?? 0;
    return {
      total: ranked.length,
      at: async (offset, limit) =>
        ranked.slice(offset, offset + limit).map(({ driver, lap, rank }): Ranked => {
          const { participantId, laps: count, validLaps, last } = driver;
          return {
            participantId,
            participantName: null,
            laps: count,
            validLaps,
            lap,
            rank,
            // A board over all events does not number laps, of which events have their own numbers.
            lapNumber: null,
            last,
            bestSectors: bestTimesOf(driver, sectorCount),
          };
        }),
      sectors: bestSectorsOf(
        ranked.flatMap(({ driver }) => driver.parts.map((bests) => standingOf(driver, bests))),
        sectorCount,
      ),
    };
  }
}

/** A part of the laps of a driver as a standing of its own. */
function standingOf({ participantId, laps: count, validLaps }: Driver, bests: Bests): Standing {
  return { participantId, participantName: null, laps: count, validLaps, bests };
}

/** The best times of a driver in each sector, of laps with so many; empty if there are none. */
function bestTimesOf({ parts }: Driver, sectorCount: number): Ranked['bestSectors'] {
  let best: (number | null)[] = [];
  for (const part of parts) {
    const { times } = sectorsIn(part, sectorCount);
    if (best.length === 0) best = [...times];
    else {
      for (const [n, time] of times.entries()) {
        const known = best[n] ?? null;
        if (time !== null && (known === null || time < known)) best[n] = time;
      }
    }
  }
  return best;
}
