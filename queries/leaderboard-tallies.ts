import { NO_LAPS, withLap, type BestLap } from '../projections/best-laps.ts';
import { boardOf, type Board, type Standing } from './leaderboard-boards.ts';

/** A leaderboard that is put together from laps: in memory, a few values per participant. */
export interface Tallies {
  readonly add: (participantId: string, lap: BestLap, is: LapKind) => void;
  readonly standings: () => readonly Standing[];
  readonly board: () => Board;
}

/** Whether a lap is valid, and whether it counts for the best. */
export interface LapKind {
  readonly valid: boolean;
  readonly counts: boolean;
}

/** Starts with some participants, whose laps are counted already. */
export function createTallies(known: readonly Standing[] = []): Tallies {
  const tallies = new Map(known.map((standing) => [standing.participantId, standing]));
  const standings = (): readonly Standing[] => [...tallies.values()];
  return {
    add(participantId, lap, { valid, counts }) {
      const { laps, validLaps, bests, participantName } = tallies.get(participantId) ?? NOTHING;
      tallies.set(participantId, {
        participantId,
        participantName,
        laps: laps + 1,
        validLaps: validLaps + Number(valid),
        bests: counts ? withLap(bests, lap) : bests,
      });
    },
    standings,
    board: () => boardOf(standings()),
  };
}

const NOTHING = { participantName: null, laps: 0, validLaps: 0, bests: NO_LAPS };
