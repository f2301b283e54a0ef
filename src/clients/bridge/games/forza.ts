import { decodeForza, type ForzaPacket, type ForzaRace } from '../decoders/forza.ts';
import type { Observation } from '../laps/observations.ts';
import { refusedReading, type GameReader, type Reading } from './game.ts';

const OWN_CAR = 'own';

/** Late packets are at most this much older, in ms; a clock that falls further has begun again. */
const LATE_MS = 2_000;
/** The time of a race that falls by less, in ms, is measured inexactly. */
const INEXACT_MS = 500;
/** The most, in ms, that rewinding goes back: what falls further is another race. */
const MOST_REWOUND_MS = 60_000;

/** The last state that was seen while a race was on. */
interface Seen {
  readonly race: ForzaRace;
  readonly timestamp: number;
}

/**
 * Reads Forza's Data Out: the laps of the own car. It has no sessions: one begins when the time of the race begins again
 * after a menu. A pause sends zeros, which say nothing.
 */
export class ForzaReader implements GameReader {
  #sessions = 0;
  #seen: Seen | null = null;
  /** Whether there was a menu or a pause since. */
  #wasOff = false;

  readonly format = 'forza-data-out';
  readonly rules = { isTimeWithCount: true, doesCountStayAtFlag: false, historyWaitMs: 0 };
  readonly hasSessionIds = false;

  read(payload: Uint8Array): Reading {
    const result = decodeForza(payload);
    if (result.outcome === 'refused') return refusedReading(result.reason);
    return { observations: this.#observationsOf(result.packet), refused: null };
  }

  #observationsOf({ isRaceOn, timestamp, car, track, race }: ForzaPacket): readonly Observation[] {
    if (race === null) return [];
    if (!isRaceOn) {
      this.#wasOff = true;
      return [];
    }
    const seen = this.#seen;
    const behind = seen === null ? 0 : seen.timestamp - timestamp;
    if (behind > 0 && behind < LATE_MS) return [];
    const observations: Observation[] = [];
    const step = seen === null ? 'another-race' : stepOf(seen.race, race, this.#wasOff);
    if (step === 'another-race') {
      this.#sessions += 1;
      const place = { track: track === null ? null : String(track), layout: null };
      const session = { id: String(this.#sessions), kind: 'unknown', name: null, ...place } as const;
      observations.push({ kind: 'session', session });
      observations.push({
        kind: 'entrant',
        key: OWN_CAR,
        entrant: { driver: null, driverId: null, model: String(car) },
      });
    }
    if (step === 'rewound') observations.push({ kind: 'flashback', toMs: race.raceTimeMs });
    observations.push({
      kind: 'car',
      car: OWN_CAR,
      entrant: OWN_CAR,
      lastEntrant: null,
      lapsDone: race.lapNumber,
      lastLapMs: race.lastLapMs,
      running: { sectors: null, valid: null, isOut: false },
      last: null,
      lapStartMs: race.raceTimeMs,
    });
    this.#seen = { race, timestamp };
    this.#wasOff = false;
    return observations;
  }
}

/** What has happened between two states of the own car. */
function stepOf(before: ForzaRace, now: ForzaRace, wasOff: boolean): 'goes-on' | 'rewound' | 'another-race' {
  const fallenMs = before.raceTimeMs - now.raceTimeMs;
  const hasLapFallen = now.lapNumber < before.lapNumber;
  if (fallenMs < INEXACT_MS && !hasLapFallen) return 'goes-on';
  return wasOff || fallenMs > MOST_REWOUND_MS ? 'another-race' : 'rewound';
}
