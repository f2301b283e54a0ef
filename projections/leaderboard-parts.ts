import { NO_LAPS, sizeOf, withLap, withoutLap, type BestLap, type BestLaps } from './best-laps.ts';
import { gatheringLaps, type Gathering } from './lap-changes.ts';
import { lapEvents } from '../commands/laps.ts';
import { projection, readModel, type Effect, type Look } from '../src/kernel/projection.ts';
import type { DocumentMeta } from '../src/kernel/read-store.ts';

/**
 * The laps of a participant in a racing event with one car on one layout, the valid ones or the others
 * (`<eventId>:<participantId>:<trackId>:<car>:<valid>`): what filtered leaderboards are put together from.
 */
export type LeaderboardPartDocument = DocumentMeta & {
  readonly eventId: string;
  readonly participantId: string;
  /** Of the track layout, as in a lap. */
  readonly trackId: string;
  readonly car: string;
  readonly valid: boolean;
  readonly laps: number;
  /** Without car and layout, which all have in common. */
  readonly best: BestLaps;
};

export const leaderboardParts = readModel<LeaderboardPartDocument>('leaderboardParts', {
  category: 'leaderboardPart',
  indexes: [['eventId', 'trackId', 'car'], ['eventId', 'car']],
});

export const leaderboardPartsProjection = projection(
  leaderboardParts,
  { own: {}, others: lapEvents },
  gatheringLaps({
    idOf: ({ eventId, participantId, trackId, car, valid }) =>
      [eventId, participantId, trackId, car, String(valid)].join(':'),
    rewrite,
  }),
);

/** Few: when the best are lost, it is the laps of one participant that are gone through. */
const ROOM = { laps: 2, perBest: 1 };

async function rewrite({ id, left, joined }: Gathering, look: Look): Promise<Effect> {
  const before = await look(leaderboardParts, id);
  const without = left === null ? before?.best ?? NO_LAPS : withoutLap(before?.best ?? NO_LAPS, left.lap);
  const best = joined === null ? without : withLap(without, bare(joined.lap), ROOM);
  const laps = sizeOf(best);
  if (before !== null || joined === null) return leaderboardParts.set(id, { laps, best });
  const { eventId, participantId, trackId, car, valid } = joined.facts;
  return leaderboardParts.insert(id, { eventId, participantId, trackId, car, valid, laps, best });
}

function bare(lap: BestLap): BestLap {
  return { ...lap, car: '', trackId: '' };
}
