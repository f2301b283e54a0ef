import { momentsIn, NO_LAPS, sectorsOf, withLap, withoutLap, type BestLap, type Bests } from './best-laps.ts';
import { gatheringLaps, stateOf, type Gathering } from './lap-changes.ts';
import { laps, type LapFacts } from './laps.ts';
import { fullName, participants } from './participants.ts';
import { lapEvents } from '../commands/laps.ts';
import { participantEvents } from '../commands/participants.ts';
import { projection, readModel, type Effect, type Find, type Look } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/**
 * A participant in a racing event (`<eventId>:<participantId>`): what their laps there come to. It is written with
 * every lap, and a page reads many of them: so it is small, and flat.
 */
export type LeaderboardDocument = DocumentMeta & {
  readonly eventId: string;
  readonly participantId: string;
  readonly participantName: string;
  /** Laps, and how many of them are valid. */
  readonly laps: number;
  readonly validLaps: number;
  /** The number of valid laps by their number of sectors. */
  readonly counts: Bests['counts'];
  /** The layout and the car of all laps, valid or not, that were ever here since there are any; '' for several. */
  readonly onlyTrackId: string;
  readonly onlyCar: string;
  /** `ranked`: on the board; `none`: no valid lap. */
  readonly standing: 'ranked' | 'none';
  /** Smallest number of sectors of a valid lap. */
  readonly fewest: number;
  /** The best total time and the best in each sector, in ms, of the valid laps. */
  readonly times: readonly number[];
  /** Of the best valid lap, whose moments are in `rank`; '' and none where there is no valid lap. */
  readonly lapId: string;
  readonly sectors: readonly number[];
  readonly car: string;
  readonly trackId: string;
  /** Order of the best times: in total, and in each of the first sectors; `LAST` where there is none. */
  readonly rank: string;
  readonly sector1: string;
  readonly sector2: string;
  readonly sector3: string;
  readonly sector4: string;
  readonly sector5: string;
  readonly sector6: string;
  /** The same of further sectors, and whether there are any. */
  readonly further: readonly string[];
  readonly hasFurther: boolean;
};

/** What the best in a sector is found by; in further ones, the documents tell that have them. */
export const SECTOR_FIELDS = ['sector1', 'sector2', 'sector3', 'sector4', 'sector5', 'sector6'] as const;

/** Sorts after every rank. */
export const LAST = '~';

export const leaderboards = readModel<LeaderboardDocument>('leaderboards', {
  category: 'leaderboard',
  indexes: [
    ['eventId', 'standing', 'rank'],
    ['eventId', 'standing', 'fewest'],
    ['eventId', 'standing', 'hasFurther'],
    ...SECTOR_FIELDS.map((field) => ['eventId', 'standing', field] as const),
    ['participantId'],
  ],
});

export const leaderboardsProjection = projection(
  leaderboards,
  { own: {}, others: { ...lapEvents, ...participantEvents } },
  {
    ...gatheringLaps({ idOf: ({ eventId, participantId }) => `${eventId}:${participantId}`, rewrite }),
    ParticipantRenamed: ({ data, id }) =>
      leaderboards.setWhere('participantId', id, { participantName: fullName(data) }),
  },
);

/**
 * Laps that are looked at, the fastest first, when a best lap has left: of somebody with more valid laps in the event, the
 * best sectors are then those of these.
 */
const LAPS_LOOKED_AT = 1_000;

async function rewrite({ id, left, joined }: Gathering, look: Look, find: Find): Promise<Effect> {
  const before = await look(leaderboards, id);
  const bests = before === null ? NO_LAPS : bestsOf(before);
  const after = await bestsAfter(bests, { left, joined }, find);
  const laps = (before?.laps ?? 0) + Number(joined !== null) - Number(left !== null);
  const { counts } = after;
  const driven = { laps, validLaps: sectorsOf(counts).size, counts, ...drivenAfter(before, joined) };
  // Most laps are slow ones: of these only the numbers are written.
  if (before !== null && isSlower(bests, after)) return leaderboards.set(id, driven);
  if (before !== null) return leaderboards.set(id, { ...driven, ...standingOf(after) });
  const { eventId = '', participantId = '' } = joined?.facts ?? {};
  const participantName = fullName(await look(participants, participantId));
  return leaderboards.insert(id, { eventId, participantId, participantName, ...driven, ...standingOf(after) });
}

async function bestsAfter(
  before: Bests,
  { left, joined }: Pick<Gathering, 'left' | 'joined'>,
  find: Find,
): Promise<Bests> {
  const without =
    left?.facts.valid === true ? await withoutLap(before, left.lap, () => fastestOf(left.facts, find)) : before;
  return joined?.facts.valid === true ? withLap(without, joined.lap) : without;
}

/**
 * The valid laps of a participant in an event, the lap that leaves included. Where they are ahead of the event, what they
 * tell is put right by the events that come: each of these laps joins or leaves by an event of its own.
 */
async function fastestOf({ eventId, participantId }: LapFacts, find: Find): Promise<readonly BestLap[]> {
  const where = { eventId, participantId, valid: true };
  const sort = { field: 'totalTime', direction: 'asc' } as const;
  const fastest = await find(laps, { where, sort, limit: LAPS_LOOKED_AT });
  return fastest.map((lap) => stateOf(lap.id, lap.createdAt, lap).lap);
}

/** Whether nothing has changed but numbers: the one lap more, if any, has as many sectors as some others. */
function isSlower(before: Bests, after: Bests): boolean {
  return (
    before.times === after.times &&
    before.lap === after.lap &&
    sectorsOf(before.counts).fewest === sectorsOf(after.counts).fewest
  );
}

function drivenAfter(before: LeaderboardDocument | null, joined: Gathering['joined']) {
  const { onlyTrackId = '', onlyCar = '' } = before ?? {};
  if (joined === null) return { onlyTrackId, onlyCar };
  const { trackId, car } = joined.facts;
  if (before === null || before.laps === 0) return { onlyTrackId: trackId, onlyCar: car };
  return { onlyTrackId: onlyTrackId === trackId ? trackId : '', onlyCar: onlyCar === car ? car : '' };
}

/** What valid laps come to, as it is stored. */
function standingOf({ counts, times, ranks, lap }: Bests) {
  const { lapId, sectors, car, trackId } = lap ?? { lapId: '', sectors: [], car: '', trackId: '' };
  const [rank = LAST, ...sectorRanks] = ranks;
  const further = sectorRanks.slice(SECTOR_FIELDS.length);
  const rankIn = (sector: number): string => sectorRanks[sector - 1] ?? LAST;
  return {
    standing: lap === null ? ('none' as const) : ('ranked' as const),
    fewest: sectorsOf(counts).fewest,
    times,
    lapId,
    sectors,
    car,
    trackId,
    rank,
    sector1: rankIn(1),
    sector2: rankIn(2),
    sector3: rankIn(3),
    sector4: rankIn(4),
    sector5: rankIn(5),
    sector6: rankIn(6),
    further,
    hasFurther: further.length > 0,
  };
}

/** What the valid laps of a participant come to. */
export function bestsOf(document: LeaderboardDocument): Bests {
  const { counts, standing, times, rank, further } = document;
  if (standing === 'none') return NO_LAPS;
  const { sector1, sector2, sector3, sector4, sector5, sector6 } = document;
  const all = [rank, sector1, sector2, sector3, sector4, sector5, sector6, ...further];
  return { counts, times, ranks: all.slice(0, times.length), lap: lapOf(document) };
}

/** The best valid lap, where there is one. */
export function lapOf({ lapId, times, sectors, car, trackId, rank }: LeaderboardDocument): BestLap {
  return { lapId, totalTime: times[0] ?? 0, sectors, car, trackId, ...momentsIn(rank) };
}
