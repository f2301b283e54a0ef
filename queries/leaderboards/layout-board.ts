import { LRUCache } from 'lru-cache';
import { z } from 'zod';
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
import type { Board } from './boards.ts';
import { carsOf, minimumIn } from './filters.ts';
import { encodedRowsOf, LeaderboardHeadView, namedSectors, shownSectors } from './leaderboards.ts';
import { LayoutStandings } from './layout-standings.ts';
import { NO_PORTION, withOneLap, type Portion } from './portions.ts';
import { positionedRows, type PageRequest } from './positions.ts';
import type { Sources } from './sources.ts';
import { withStintsOf, type LayoutStints, type StintGroup } from './stints-of-layout.ts';

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

/** The time of a request: laps are of the first moment, and of none from the second on. */
interface Time {
  readonly from: string;
  readonly to: string;
}

/** A board that is kept, and what it was made with. */
interface KeptBoard {
  readonly standings: LayoutStandings;
  /** The stints that it is made of (`LayoutStints`), and how many of their changes it has followed. */
  readonly identity: symbol;
  changed: number;
  /** The version of what decides which laps are on it. */
  readonly rules: string;
  readonly selection: Selection;
  contested: ReadonlyMap<string, LapDocument>;
}

/** The collections that say which laps are on a board, and which of them count. */
const RULES = [racingEvents, trackLayouts, cars, rigs].map(({ collection }) => collection);

/** Most rows of all boards that are kept; each takes about 500 bytes. */
const MOST_ROWS = 100_000;

const boardsBy = new WeakMap<ReadModels, LRUCache<string, KeptBoard>>();

/** The boards that are kept. */
function boardsOf(models: ReadModels): LRUCache<string, KeptBoard> {
  const known = boardsBy.get(models);
  if (known !== undefined) return known;
  const boards = new LRUCache<string, KeptBoard>({
    maxSize: MOST_ROWS,
    sizeCalculation: ({ standings }) => standings.size + 1,
  });
  boardsBy.set(models, boards);
  return boards;
}

/**
 * The board of the laps of a layout. Most laps are those of whole stints; of a few stints, laps are read. It is kept for
 * further pages, and follows changes of stints: every change of a lap changes its stint, too.
 */
async function layoutBoard(layout: TrackLayoutDocument, request: LayoutBoardRequest, sources: Sources): Promise<Board> {
  const { models, allowance } = sources;
  const { from = '', to = END_OF_TIME, validOnly, carId, carClassId, simulatorId, licenseId } = request;
  const days = {
    from: request.from === undefined ? null : dayOf(from),
    to: request.to === undefined ? null : dayOf(to),
  };
  const time = { from, to };
  const key = JSON.stringify([layout.id, from, to, validOnly, carId, carClassId, simulatorId, licenseId]);
  return withStintsOf(models, layout.id, days, allowance.bounds(), async (stints) => {
    const { changed } = stints;
    const rules = await models.version(RULES);
    const contested = await contestedLaps(layout.id, sources);
    const boards = boardsOf(models);
    const known = boards.get(key);
    const isCurrent = known?.identity === stints.identity && known.rules === rules;
    const drivers = isCurrent ? stints.changedSince(known.changed) : null;
    if (known === undefined || drivers === null) {
      // Not older than the version of the rules.
      const present = (await readOne(models, trackLayouts, layout.id)) ?? layout;
      const selection = await selectionFor(present, request, models);
      const standings = new LayoutStandings(validOnly);
      const all = { stints, time, selection, contested };
      standings.update(await portionsOf(stints.participantIds, all, sources));
      if (stints.isKept)
        boards.set(key, { standings, identity: stints.identity, changed, rules, selection, contested });
      return standings.board();
    }
    for (const { id, participantId } of [...known.contested.values(), ...contested.values()])
      if (known.contested.has(id) !== contested.has(id)) drivers.add(participantId);
    if (drivers.size > 0) {
      const { selection } = known;
      known.standings.update(await portionsOf(drivers, { stints, time, selection, contested }, sources));
      // It is weighed only when it is new in the cache.
      boards.delete(key);
      boards.set(key, known);
    }
    known.changed = changed;
    known.contested = contested;
    return known.standings.board();
  });
}

/** What the portions of drivers are made with. */
interface PortionOptions {
  readonly stints: LayoutStints;
  readonly time: Time;
  readonly selection: Selection;
  readonly contested: ReadonlyMap<string, LapDocument>;
}

/** The laps of some drivers that are on a board: a portion for each stint, or for some of its laps. */
async function portionsOf(
  participantIds: Iterable<string>,
  options: PortionOptions,
  sources: Sources,
): Promise<ReadonlyMap<string, readonly Portion[]>> {
  const { stints, time, selection, contested } = options;
  const { models, allowance } = sources;
  await selection.learn(stints);
  const portions = new Map<string, Portion[]>();
  const { edges, partial } = await sortStints(participantIds, options, portions, sources);
  const read = new Map<string, Portion>();
  const addLap = (lap: LapDocument): void => {
    if (!isDriven(lap) || !isInTime(lap.drivenAt, time) || !selection.includes(lap)) return;
    const isValid = lap.valid && !contested.has(lap.id);
    const isLong = lap.totalTime >= selection.minimumOf(lap.eventId);
    const before = read.get(lap.participantId) ?? NO_PORTION;
    read.set(lap.participantId, withOneLap(before, bestLapOf(identityOf(lap), lap), isValid, isLong));
  };
  const { trackId } = selection;
  for (const { eventId, participantId, ids } of partial) {
    for await (const batch of allowance.all(models, laps, { eventId, participantId, trackId })) {
      for (const lap of batch) if (ids.has(stintIdOf(lap))) addLap(lap);
    }
  }
  for (const edge of edges.size === 0 ? [] : edgesOf(time)) {
    for await (const batch of allowance.all(models, laps, { trackId, drivenAt: edge })) {
      for (const lap of batch) if (edges.has(stintIdOf(lap))) addLap(lap);
    }
  }
  for (const [participantId, portion] of read) portions.get(participantId)?.push(portion);
  return portions;
}

function isInTime(moment: string, { from, to }: Time): boolean {
  return moment >= from && moment < to;
}

/** Stints of a driver in an event whose laps are read, by their ids. */
interface PartialStints {
  readonly eventId: string;
  readonly participantId: string;
  readonly ids: Set<string>;
}

/** Stints of which laps have to be read. */
interface PartialAndEdges {
  /** Ids of those of which only some laps are in time, where they are many: of the first and of the last day. */
  readonly edges: ReadonlySet<string>;
  /** Others. */
  readonly partial: Iterable<PartialStints>;
}

/** Drivers with stints at the edges of a time, from which on all laps of these days are read at once. */
const MANY = 20;

/** Adds whole stints to the portions of their drivers, and finds those of which laps have to be read. */
async function sortStints(
  participantIds: Iterable<string>,
  { stints, time, selection, contested }: PortionOptions,
  portions: Map<string, Portion[]>,
  { allowance }: Sources,
): Promise<PartialAndEdges> {
  const contestedStints = new Set<string>();
  const contestedDrivers = new Set<string>();
  for (const lap of contested.values()) {
    contestedStints.add(stintIdOf(lap));
    contestedDrivers.add(lap.participantId);
  }
  const edges: StintDocument[] = [];
  const partial = new Map<string, PartialStints>();
  const readLaps = ({ id, eventId, participantId }: StintDocument): void => {
    const key = `${eventId}:${participantId}`;
    const group = partial.get(key) ?? { eventId, participantId, ids: new Set<string>() };
    group.ids.add(id);
    partial.set(key, group);
  };
  const step = createYielder(allowance.bounds().signal);
  for (const participantId of participantIds) {
    const pause = step();
    if (pause !== null) await pause;
    const own = stints.of(participantId);
    const whole: Portion[] = [];
    portions.set(participantId, whole);
    const isWhole = (group: StintGroup): boolean =>
      isInTime(group.drivenFrom, time) &&
      isInTime(group.drivenTo, time) &&
      !contestedDrivers.has(participantId) &&
      selection.hasAllOf(group);
    if (selection.hasAllCars && isWhole(own.all)) {
      whole.push(own.all);
      continue;
    }
    for (const [car, group] of own.byCar) {
      if (!selection.hasCar(car)) continue;
      if (isWhole(group)) {
        whole.push(group);
        continue;
      }
      for (const stint of group.stints) {
        const { id, drivenFrom, drivenTo } = stint;
        if (drivenTo < time.from || drivenFrom >= time.to) continue;
        const share = selection.shareOf(stint);
        if (share === 'none') continue;
        if (share === 'some' || contestedStints.has(id)) readLaps(stint);
        else if (isInTime(drivenFrom, time) && isInTime(drivenTo, time)) whole.push(stint);
        else edges.push(stint);
      }
    }
  }
  if (edges.length >= MANY) return { edges: new Set(edges.map(({ id }) => id)), partial: partial.values() };
  for (const stint of edges) readLaps(stint);
  return { edges: new Set(), partial: partial.values() };
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
  readonly trackId: string;
  /** Looks up the events and rigs of stints that are not known yet. */
  readonly learn: (stints: LayoutStints) => Promise<void>;
  /** Whether it is about all cars; otherwise those of `hasCar`. */
  readonly hasAllCars: boolean;
  readonly hasCar: (car: string) => boolean;
  /** Whether all laps of a group are shown and long enough, apart from their cars. */
  readonly hasAllOf: (group: StintGroup) => boolean;
  /** How many laps of a stint are shown and long enough. */
  readonly shareOf: (stint: StintDocument) => 'all' | 'some' | 'none';
  readonly includes: (lap: LapDocument) => boolean;
  /** The time, in ms, of the shortest lap of an event that counts. */
  readonly minimumOf: (eventId: string) => number;
}

/** The selection of a request, for stints whose events and rigs it has learned. */
async function selectionFor(
  layout: TrackLayoutDocument,
  request: LayoutBoardRequest,
  models: ReadModels,
): Promise<Selection> {
  const { simulatorId, licenseId } = request;
  const ownCars = await carsOf(request, models);
  const minimums = new Map<string, number>();
  const ownEvents = new Set<string>();
  const knownRigs = new Set<string>();
  const ownRigs = new Set<string>();
  const minimumOf = (eventId: string): number => minimums.get(eventId) ?? minimumIn(null, layout);
  const isOwn = (car: string, eventId: string): boolean =>
    (ownCars === null || ownCars.has(car)) && ownEvents.has(eventId);
  return {
    trackId: layout.id,
    async learn({ eventIds, rigIds }) {
      if (minimums.size < eventIds.size) {
        for (const id of eventIds) {
          if (minimums.has(id)) continue;
          const event = await readOne(models, racingEvents, id);
          minimums.set(id, minimumIn(event, layout));
          if (simulatorId === undefined || event?.simulatorId === simulatorId) ownEvents.add(id);
        }
      }
      if (licenseId === undefined || knownRigs.size === rigIds.size) return;
      for (const id of rigIds) {
        if (knownRigs.has(id)) continue;
        const rig = await readOne(models, rigs, id);
        knownRigs.add(id);
        if (rig?.licenseId === licenseId) ownRigs.add(id);
      }
    },
    hasAllCars: ownCars === null,
    hasCar: (car) => ownCars === null || ownCars.has(car),
    hasAllOf: ({ eventIds, least, rigs: driven }) =>
      eventIds.every((id) => ownEvents.has(id) && least >= minimumOf(id)) &&
      (licenseId === undefined || driven.every((id) => ownRigs.has(id))),
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
