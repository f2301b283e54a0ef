import {
  LAST,
  NO_LAPS,
  MOST_NUMBERED,
  NO_LAST,
  NO_SECTORS,
  isMeasured,
  lapOf,
  laterOf,
  markOfOrder,
  orderIn,
  orderOf,
  rankOf,
  sumOfMarks,
  wasBest,
  withLap,
} from './best-laps.ts';
import type { Bests, LastLap } from './best-laps.ts';
import { DRIVEN, gatheringLaps, bestLapOf, identityOf, type Gathering, type LapState } from './gathering-laps.ts';
import { laps } from '../laps.ts';
import { followingPublicNames, participants } from '../participants.ts';
import { lapEvents } from '../../commands/laps.ts';
import { licenseEvents } from '../../commands/licenses.ts';
import { participantEvents } from '../../commands/participants.ts';
import { projection, readModel } from '../../src/kernel/projection/projection.ts';
import type { Effect, Find, Lookup } from '../../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../../src/kernel/ports/read-store.ts';

/**
 * A participant on a layout of a racing event (`<eventId>:<trackId>:<participantId>`): the sums and bests of their laps
 * there. It is written with every lap, and a page reads many of them, so it is small and flat.
 */
export type LeaderboardDocument = DocumentMeta &
  Ranks & {
    readonly eventId: string;
    /** The layout. */
    readonly trackId: string;
    readonly participantId: string;
    /** The name by which everybody sees them. */
    readonly participantName: string;
    /** Laps, and how many of them are valid. */
    readonly laps: number;
    readonly validLaps: number;
    /** The car of all laps, valid or not, since the last time that there were none; '' if there were several cars. */
    readonly onlyCar: string;
    /** The lap that was driven last; `NO_LAST` where there is none. */
    readonly last: LastLap;
    /**
     * The number of the best lap among all laps in the order of driving, from 1; 0 if there is none. Null: there are more
     * than `MOST_NUMBERED`. `TO_BE_COUNTED`: the laps were ahead of this document, after a crash.
     */
    readonly lapNumber: number | null;
    /** The sum of the marks of the orders of all laps: it tells whether laps that are read are those of this document. */
    readonly orders: number;
    /** `ranked`: on the board; `none`: no valid lap. */
    readonly standing: 'ranked' | 'none';
    /**
     * Id of the best valid lap. This and the next three fields are '', 0 and empty if there is none. `rank` contains when
     * it was driven and recorded.
     */
    readonly lapId: string;
    readonly totalTime: number;
    readonly sectors: readonly number[];
    readonly car: string;
    /** Order of the best lap; `LAST` where there is none. */
    readonly rank: string;
    /** The number of sectors of the best lap. */
    readonly sectorCount: number;
    /** The best time in each of these sectors, in ms, of the valid laps with as many; null: none of them has one. */
    readonly times: readonly (number | null)[];
    /** Order of the times in the sectors after those of `Ranks`. */
    readonly further: readonly string[];
    /** The best sectors of the valid laps that have other numbers of sectors than the best lap. */
    readonly otherSectors: Bests['sectors'];
    /** Whether there are best sectors that have no index. */
    readonly hasMore: boolean;
  };

/** Fields whose indexes find the best time in a sector. For further sectors, the documents that have them are read. */
export const SECTOR_FIELDS = ['sector1', 'sector2', 'sector3', 'sector4', 'sector5', 'sector6'] as const;

/** Order of the times in each of the first sectors; `LAST` where there is none. */
type Ranks = { readonly [F in (typeof SECTOR_FIELDS)[number]]: string };

export const leaderboards = readModel<LeaderboardDocument>('leaderboards', {
  category: 'leaderboard',
  version: 8,
  indexes: [
    ['eventId', 'trackId', 'standing', 'rank'],
    ['eventId', 'trackId', 'hasMore'],
    ...SECTOR_FIELDS.map((field) => ['eventId', 'trackId', 'sectorCount', field] as const),
    ['participantId'],
  ],
});

/** Stands for the number of a best lap that is computed at the end of the batch, or after the next event. */
export const TO_BE_COUNTED = -1;

export const leaderboardsProjection = projection(
  leaderboards,
  { own: {}, others: { ...lapEvents, ...participantEvents, ...licenseEvents } },
  {
    ...gatheringLaps({
      idOf: ({ eventId, trackId, participantId }) => `${eventId}:${trackId}:${participantId}`,
      rewrite,
    }),
    ...followingPublicNames((participantId, participantName) =>
      leaderboards.setWhere('participantId', participantId, { participantName }),
    ),
  },
);

async function rewrite({ id, left, joined }: Gathering, lookup: Lookup): Promise<Effect> {
  const before = await lookup(leaderboards, id);
  if (before === null) {
    const { bests, last } = joined === null ? NO_HIGHLIGHTS : withNext(NO_HIGHLIGHTS, joined);
    const driver = await driverOf(joined, lookup);
    const driven = drivenAfter(null, left, joined, last);
    const lapNumber = bests.lap === null ? 0 : 1;
    return leaderboards.insert(id, { ...driver, ...driven, lapNumber, ...standingOf(bests) });
  }
  const lapsAfter = before.laps - Number(left !== null) + Number(joined !== null);
  const isNumbered = lapsAfter <= MOST_NUMBERED;
  const isKnown = before.lapNumber !== null && before.lapNumber !== TO_BE_COUNTED;
  if (isNumbered && !isKnown) return rewriteLater(before, left, joined);
  const bestOrder = orderIn(before.rank);
  const numberAfter = isNumbered
    ? (before.lapNumber ?? 0) + countsBefore(joined, bestOrder) - countsBefore(left, bestOrder)
    : null;
  // Most laps are slow: for these only the numbers are written.
  if (left === null && joined !== null && isSlow(before, joined)) {
    const last = laterOf(before.last, joined.lap, joined.facts.valid);
    return leaderboards.set(id, { ...drivenAfter(before, left, joined, last), lapNumber: numberAfter });
  }
  const bests = bestsOf(before);
  const highlights = { bests, last: before.last };
  if (left !== null && losesHighlight(highlights, left, joined)) return rewriteLater(before, left, joined);
  const after = joined === null ? highlights : withNext(highlights, joined);
  const driven = drivenAfter(before, left, joined, after.last);
  if (after.bests === bests) return leaderboards.set(id, { ...driven, lapNumber: numberAfter });
  const standing = standingOf(after.bests);
  if (after.bests.lap === bests.lap || !isNumbered)
    return leaderboards.set(id, { ...driven, lapNumber: numberAfter, ...standing });
  // The lap that has joined is the best now. Where it is the last, its number is that of all laps.
  const isLast = joined !== null && orderOf(joined.lap) === after.last.order;
  if (!isLast) return rewriteLater(before, left, joined);
  return leaderboards.set(id, { ...driven, lapNumber: driven.laps, ...standing });
}

/** 1 if the order of a lap is before that of the best lap, else 0; null is no lap. */
function countsBefore(state: LapState | null, bestOrder: string): number {
  return state !== null && orderOf(state.lap) < bestOrder ? 1 : 0;
}

/**
 * Changes a document of which all laps have to be read: once, at the end of the batch, however many of its events ask for
 * it. After a crash, laps may be ahead of the document: then those that are read are not those that it has, and they are
 * read again after each of its events until they are. The bests need no such care: later events correct them.
 */
function rewriteLater(before: LeaderboardDocument, left: LapState | null, joined: LapState | null): Effect {
  const fields = { ...drivenAfter(before, left, joined, before.last), lapNumber: TO_BE_COUNTED };
  return leaderboards.setLater(before.id, fields, async (find, { laps: count, orders }) => {
    const found = await highlightsOf(before, find);
    let lapNumber: number | null = found.marks === orders ? found.lapNumber : TO_BE_COUNTED;
    if (Number(count) > MOST_NUMBERED) lapNumber = null;
    return { ...standingOf(found.bests), last: found.last, lapNumber };
  });
}

/** Whether a lap cannot be the best in anything. */
function isSlow({ standing, totalTime, times }: LeaderboardDocument, { facts, lap }: LapState): boolean {
  if (!facts.valid) return true;
  if (standing === 'none' || lap.totalTime <= totalTime || lap.sectors.length !== times.length) return false;
  return lap.sectors.every((time, n) => !isMeasured(time) || time > (times[n] ?? Infinity));
}

/** The fields of a new document that say where the first lap was driven, and by whom. */
async function driverOf(joined: LapState | null, lookup: Lookup) {
  const { eventId = '', trackId = '', participantId = '' } = joined?.facts ?? {};
  const participantName = (await lookup(participants, participantId))?.publicName ?? '';
  return { eventId, trackId, participantId, participantName };
}

/** The bests and the last of some laps, which are kept so that the laps need not be read again. */
interface Highlights {
  /** The bests of the valid laps. */
  readonly bests: Bests;
  readonly last: LastLap;
}

const NO_HIGHLIGHTS: Highlights = { bests: NO_LAPS, last: NO_LAST };

/** Whether a lap that leaves, or changes, was the best in something or the last, and no longer is. */
function losesHighlight({ bests, last }: Highlights, left: LapState, joined: LapState | null): boolean {
  if (left.facts.valid && wasBest(bests, left.lap)) return true;
  const staysLast = joined !== null && orderOf(joined.lap) >= last.order;
  return orderOf(left.lap) === last.order && !staysLast;
}

/** What distinguishes a document. */
type Key = Pick<LeaderboardDocument, 'eventId' | 'trackId' | 'participantId'>;

/**
 * The highlights of all laps of a participant on a layout in an event, the number of the best of them, and the sum of the
 * marks of their orders. They are read in small steps (docs/decisions/0018-a-board-is-of-one-layout.md#consequences).
 * Documents may be ahead of the event.
 */
async function highlightsOf({ eventId, participantId, trackId }: Key, find: Find) {
  let found = NO_HIGHLIGHTS;
  let marks = 0;
  const orders: string[] = [];
  for await (const batch of find(laps, { eventId, participantId, trackId, ...DRIVEN })) {
    for (const document of batch) {
      const lap = bestLapOf(identityOf(document), document);
      found = withNext(found, { facts: document, lap });
      const order = orderOf(lap);
      orders.push(order);
      marks = sumOfMarks(marks, markOfOrder(order), 1);
    }
  }
  const { lap: best } = found.bests;
  const bestOrder = best === null ? '' : orderOf(best);
  const lapNumber = orders.filter((order) => order <= bestOrder).length;
  return { ...found, lapNumber, marks };
}

function withNext({ bests, last }: Highlights, { facts: { valid }, lap }: LapState): Highlights {
  return { bests: valid ? withLap(bests, lap) : bests, last: laterOf(last, lap, valid) };
}

/** The numbers and the orders of laps after a lap has left or joined, or both, and `last`. */
function drivenAfter(
  before: LeaderboardDocument | null,
  left: LapState | null,
  joined: LapState | null,
  last: LastLap,
) {
  const { laps, validLaps, onlyCar } = before ?? { laps: 0, validLaps: 0, onlyCar: '' };
  const car = joined?.facts.car ?? onlyCar;
  let orders = before?.orders ?? 0;
  if (left !== null) orders = sumOfMarks(orders, markOfOrder(orderOf(left.lap)), -1);
  if (joined !== null) orders = sumOfMarks(orders, markOfOrder(orderOf(joined.lap)), 1);
  return {
    laps: laps - Number(left !== null) + Number(joined !== null),
    validLaps: validLaps - Number(left?.facts.valid === true) + Number(joined?.facts.valid === true),
    onlyCar: laps === 0 || onlyCar === car ? car : '',
    orders,
    last,
  };
}

/** The bests of valid laps, as they are stored. */
function standingOf({ lap, sectors: bySectors }: Bests) {
  const { lapId, totalTime, sectors, car } = lap ?? { lapId: '', totalTime: 0, sectors: [], car: '' };
  const { [sectors.length]: ofLap = NO_SECTORS, ...otherSectors } = bySectors;
  const further = ofLap.ranks.slice(SECTOR_FIELDS.length);
  const rankIn = (sector: number): string => ofLap.ranks[sector - 1] ?? LAST;
  return {
    standing: lap === null ? ('none' as const) : ('ranked' as const),
    lapId,
    totalTime,
    sectors,
    car,
    rank: lap === null ? LAST : rankOf(lap),
    sectorCount: sectors.length,
    times: ofLap.times,
    sector1: rankIn(1),
    sector2: rankIn(2),
    sector3: rankIn(3),
    sector4: rankIn(4),
    sector5: rankIn(5),
    sector6: rankIn(6),
    further,
    otherSectors,
    hasMore: further.length > 0 || Object.keys(otherSectors).length > 0,
  };
}

/** The bests of the valid laps of a participant. */
export function bestsOf(document: LeaderboardDocument): Bests {
  const { standing, sectorCount, times, further, otherSectors } = document;
  if (standing === 'none') return NO_LAPS;
  const lap = lapOf(document);
  if (sectorCount === 0) return { lap, sectors: otherSectors };
  const { sector1, sector2, sector3, sector4, sector5, sector6 } = document;
  const ranks = [sector1, sector2, sector3, sector4, sector5, sector6, ...further].slice(0, sectorCount);
  return { lap, sectors: { ...otherSectors, [sectorCount]: { times, ranks } } };
}
