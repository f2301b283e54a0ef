import {
  LAST,
  NO_LAPS,
  NO_LAST,
  NO_SECTORS,
  isMeasured,
  lapOf,
  laterOf,
  orderOf,
  rankOf,
  wasBest,
  withLap,
} from './best-laps.ts';
import type { Bests, LastLap } from './best-laps.ts';
import { DRIVEN, gatheringLaps, bestLapOf, identityOf, type Gathering, type LapState } from './gathering-laps.ts';
import { fullName, laps } from '../laps.ts';
import { participants } from '../participants.ts';
import { lapEvents } from '../../commands/laps.ts';
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
    readonly participantName: string;
    /** Laps, and how many of them are valid. */
    readonly laps: number;
    readonly validLaps: number;
    /** The car of all laps, valid or not, since the last time that there were none; '' if there were several cars. */
    readonly onlyCar: string;
    /** The lap that was driven last; `NO_LAST` where there is none. */
    readonly last: LastLap;
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
  version: 6,
  indexes: [
    ['eventId', 'trackId', 'standing', 'rank'],
    ['eventId', 'trackId', 'hasMore'],
    ...SECTOR_FIELDS.map((field) => ['eventId', 'trackId', 'sectorCount', field] as const),
    ['participantId'],
  ],
});

export const leaderboardsProjection = projection(
  leaderboards,
  { own: {}, others: { ...lapEvents, ...participantEvents } },
  {
    ...gatheringLaps({
      idOf: ({ eventId, trackId, participantId }) => `${eventId}:${trackId}:${participantId}`,
      rewrite,
    }),
    ParticipantRenamed: ({ data, id }) =>
      leaderboards.setWhere('participantId', id, { participantName: fullName(data) }),
  },
);

async function rewrite({ id, left, joined }: Gathering, lookup: Lookup): Promise<Effect> {
  const before = await lookup(leaderboards, id);
  if (before === null) {
    const { bests, last } = joined === null ? NO_HIGHLIGHTS : withNext(NO_HIGHLIGHTS, joined);
    const driver = await driverOf(joined, lookup);
    return leaderboards.insert(id, { ...driver, ...drivenAfter(null, left, joined, last), ...standingOf(bests) });
  }
  const isNew = left === null && joined !== null;
  // Most laps are slow: for these only the numbers are written.
  if (isNew && isSlow(before, joined)) {
    const last = laterOf(before.last, joined.lap, joined.facts.valid);
    return leaderboards.set(id, drivenAfter(before, left, joined, last));
  }
  const known = { bests: bestsOf(before), last: before.last };
  // All laps have to be read: once, at the end of the batch, however many of its events remove a best lap.
  if (left !== null && losesHighlight(known, left, joined)) {
    const driven = drivenAfter(before, left, joined, before.last);
    return leaderboards.setLater(id, driven, async (find) => {
      const { bests, last } = await highlightsOf(left, find);
      return { ...standingOf(bests), last };
    });
  }
  const after = joined === null ? known : withNext(known, joined);
  const driven = drivenAfter(before, left, joined, after.last);
  if (after.bests === known.bests) return leaderboards.set(id, driven);
  return leaderboards.set(id, { ...driven, ...standingOf(after.bests) });
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
  return { eventId, trackId, participantId, participantName: fullName(await lookup(participants, participantId)) };
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

/**
 * The highlights of all laps of a participant on a layout in an event, which are those that this one was among. They are
 * read in small steps (docs/decisions/0018-a-board-is-of-one-layout.md#consequences). Documents may be ahead of the
 * event; later events correct that, because each lap joins or leaves by an event of its own.
 */
async function highlightsOf({ facts: { eventId, participantId, trackId } }: LapState, find: Find) {
  let found = NO_HIGHLIGHTS;
  for await (const batch of find(laps, { eventId, participantId, trackId, ...DRIVEN }))
    for (const lap of batch) found = withNext(found, { facts: lap, lap: bestLapOf(identityOf(lap), lap) });
  return found;
}

function withNext({ bests, last }: Highlights, { facts: { valid }, lap }: LapState): Highlights {
  return { bests: valid ? withLap(bests, lap) : bests, last: laterOf(last, lap, valid) };
}

/** The numbers of laps after a lap has left or joined, or both, and `last`. */
function drivenAfter(
  before: LeaderboardDocument | null,
  left: LapState | null,
  joined: LapState | null,
  last: LastLap,
) {
  const { laps, validLaps, onlyCar } = before ?? { laps: 0, validLaps: 0, onlyCar: '' };
  const car = joined?.facts.car ?? onlyCar;
  return {
    laps: laps - Number(left !== null) + Number(joined !== null),
    validLaps: validLaps - Number(left?.facts.valid === true) + Number(joined?.facts.valid === true),
    onlyCar: laps === 0 || onlyCar === car ? car : '',
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
