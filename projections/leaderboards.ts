import {
  areSure, bestsOf, keptOf, LAST, NO_LAPS, sectorsOf, sizeOf, theoreticalBest, withLap, withoutLap, type BestLap,
  type BestLaps,
} from './best-laps.ts';
import { gatheringLaps, type Gathering } from './lap-changes.ts';
import { fullName, participants } from './participants.ts';
import { lapEvents } from '../commands/laps.ts';
import { participantEvents } from '../commands/participants.ts';
import { projection, readModel, type Effect, type Look } from '../src/kernel/projection.ts';
import type { DocumentMeta } from '../src/kernel/read-store.ts';

/** A participant in a racing event (`<eventId>:<participantId>`): what their valid laps there come to. */
export type LeaderboardDocument = DocumentMeta & {
  readonly eventId: string;
  readonly participantId: string;
  readonly participantName: string;
  /** Laps, and how many of them are valid. */
  readonly laps: number;
  readonly validLaps: number;
  /** Of the valid laps; null when there is none. */
  readonly bestLap: BestLap | null;
  /** ms of each sector. */
  readonly bestSectors: readonly number[];
  /** Sum of the best sectors in ms; null when there is no valid lap, or not all have the same number of sectors. */
  readonly theoreticalBest: number | null;
  /** The valid laps. */
  readonly _valid: BestLaps;
  /** The layout and the car of all laps, valid or not, that were ever here since there are any; '' for several. */
  readonly _trackId: string;
  readonly _car: string;
  /** The event while there is a valid lap, otherwise null. */
  readonly _board: string | null;
  /** Order on the board; '', which comes first, when only the laps themselves can tell. */
  readonly _rank: string;
  /** Smallest number of sectors of a valid lap. */
  readonly _fewest: number;
  /** Order of the best in each sector; a sector that no lap has comes last. */
  readonly _sector1: string;
  readonly _sector2: string;
  readonly _sector3: string;
  readonly _sector4: string;
  readonly _sector5: string;
  readonly _sector6: string;
};

/** What the best in a sector is found by; of laps with more sectors, or as many, it is worked out from all laps. */
export const SECTOR_FIELDS = ['_sector1', '_sector2', '_sector3', '_sector4', '_sector5', '_sector6'] as const;

export const leaderboards = readModel<LeaderboardDocument>('leaderboards', {
  category: 'leaderboard',
  indexes: [
    ['_board', '_rank'], ['_board', '_fewest'], ...SECTOR_FIELDS.map((field) => ['_board', field] as const),
    ['eventId'], ['participantId'],
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
 * Enough for a participant to lose some best laps before the board has to look at all of them; more would make every
 * lap dearer to write, and every row to read.
 */
const ROOM = { laps: 2, perBest: 1 };

async function rewrite({ id, left, joined }: Gathering, look: Look): Promise<Effect> {
  const before = await look(leaderboards, id);
  const valid = validAfter(before?._valid ?? NO_LAPS, { left, joined });
  const laps = (before?.laps ?? 0) + Number(joined !== null) - Number(left !== null);
  const driven = { laps, ...drivenAfter(before, joined) };
  if (before !== null && isSlower(before._valid, valid)) {
    return leaderboards.set(id, { ...driven, validLaps: sizeOf(valid), _valid: valid });
  }
  if (before !== null) return leaderboards.set(id, { ...driven, ...standing(before.eventId, valid) });
  const { eventId = '', participantId = '' } = joined?.facts ?? {};
  const stands = { ...driven, ...standing(eventId, valid) };
  const participantName = fullName(await look(participants, participantId));
  return leaderboards.insert(id, { eventId, participantId, participantName, ...stands });
}

function drivenAfter(before: LeaderboardDocument | null, joined: Gathering['joined']) {
  const { _trackId = '', _car = '' } = before ?? {};
  if (joined === null) return { _trackId, _car };
  const { trackId, car } = joined.facts;
  if (before === null || before.laps === 0) return { _trackId: trackId, _car: car };
  return { _trackId: _trackId === trackId ? trackId : '', _car: _car === car ? car : '' };
}

function validAfter(before: BestLaps, { left, joined }: Pick<Gathering, 'left' | 'joined'>): BestLaps {
  const without = left?.facts.valid === true ? withoutLap(before, left.lap) : before;
  return joined?.facts.valid === true ? withLap(without, joined.lap, ROOM) : without;
}

/** Whether nothing has changed but that there is one more lap like others, too slow to be kept. */
function isSlower(before: BestLaps, after: BestLaps): boolean {
  return before.kept === after.kept && before.lost === after.lost
    && Object.keys(before.counts).join() === Object.keys(after.counts).join();
}

/** What valid laps come to. */
function standing(eventId: string, valid: BestLaps) {
  const bests = bestsOf(keptOf(valid));
  const [best, ...sectors] = bests;
  const { fewest } = sectorsOf(valid.counts);
  const bestSectors = sectors.map(({ time }) => time);
  const rankIn = (sector: number): string => sectors[sector]?.rank ?? LAST;
  return {
    validLaps: sizeOf(valid),
    bestLap: best?.lap ?? null,
    bestSectors,
    theoreticalBest: theoreticalBest(bestSectors, valid.counts),
    _valid: valid,
    _board: sizeOf(valid) === 0 ? null : eventId,
    _rank: areSure(bests, valid) ? best?.rank ?? LAST : '',
    _fewest: fewest,
    _sector1: rankIn(0),
    _sector2: rankIn(1),
    _sector3: rankIn(2),
    _sector4: rankIn(3),
    _sector5: rankIn(4),
    _sector6: rankIn(5),
  };
}
