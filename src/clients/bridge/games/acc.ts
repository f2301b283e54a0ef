import type { SessionKind } from '../../results/plan.ts';
import { knownSectors } from '../../results/sectors.ts';
import { decodeAcc, type AccCar, type AccEntry, type AccLap, type AccPacket, type AccUpdate } from '../decoders/acc.ts';
import type { LapFacts, Observation, Session } from '../laps/observations.ts';
import { CountGuard, refusedReading, type GameReader, type Reading } from './game.ts';

interface SessionType {
  readonly kind: SessionKind;
  readonly name: string;
}

const REPLAY = 14;

const SESSION_TYPES: Readonly<Record<number, SessionType>> = {
  0: { kind: 'practice', name: 'Practice' },
  4: { kind: 'qualifying', name: 'Qualifying' },
  9: { kind: 'qualifying', name: 'Superpole' },
  10: { kind: 'race', name: 'Race' },
  11: { kind: 'hotlap', name: 'Hotlap' },
  12: { kind: 'hotlap', name: 'Hotstint' },
  13: { kind: 'qualifying', name: 'Hotlap Superpole' },
};

const UNKNOWN_TYPE = { kind: 'unknown', name: null } as const;

/** A session whose time falls by more than this, in ms, has been started again. */
const RESTART_MS = 5_000;
/** Phases until the flag. Later, the time of a session has another meaning. */
const LAST_PHASE_OF_SESSION = 5;
/** How long, in ms, messages of a session that has ended may still come. */
const ENDED_SESSION_MS = 2_000;

interface OpenSession {
  readonly key: string;
  readonly session: Session;
  timeMs: number;
}

/** Which laps of a car were seen from their start. */
interface SeenCar {
  readonly guard: CountGuard;
  last: AccCar | null;
  /** The lap that was driven when the car was first seen; null: the car was seen from its first lap. */
  readonly joinedInLap: number | null;
}

/** Reads the broadcasting interface of Assetto Corsa Competizione: the laps of all cars. */
export class AccReader implements GameReader {
  #open: OpenSession | null = null;
  #sessions = 0;
  #endedKey: string | null = null;
  #endedAt = 0;
  #track: string | null = null;
  #isReplay = false;
  #cars = new Map<number, SeenCar>();
  /** The cars of the session before. */
  #carsBefore: ReadonlyMap<number, SeenCar> = new Map();
  #changedAt = 0;

  readonly format = 'acc-broadcasting-v4';
  readonly rules = { isTimeWithCount: false, doesCountStayAtFlag: false, historyWaitMs: 0 };
  readonly hasSessionIds = false;

  read(payload: Uint8Array, at: number): Reading {
    const result = decodeAcc(payload);
    if (result.outcome === 'refused') return refusedReading(result.reason);
    return { observations: this.#observationsOf(result.packet, at), refused: null };
  }

  #observationsOf(packet: AccPacket, at: number): readonly Observation[] {
    switch (packet.kind) {
      case 'update':
        return this.#sessionOf(packet, at);
      case 'car':
        return this.#isReplay || this.#open === null ? [] : this.#carOf(packet, at);
      case 'entry':
        return entrantsOf(packet);
      case 'track':
        return this.#trackOf(packet.name);
      default:
        return [];
    }
  }

  #sessionOf(update: AccUpdate, at: number): readonly Observation[] {
    this.#isReplay = update.isReplay || update.sessionType === REPLAY;
    if (this.#isReplay) return [];
    const key = `${update.eventIndex}/${update.sessionIndex}/${update.sessionType}`;
    const open = this.#open;
    if (open?.key === key && !isRestart(open, update)) {
      open.timeMs = update.sessionTimeMs;
      return [];
    }
    if (key === this.#endedKey && at - this.#endedAt < ENDED_SESSION_MS) return [];
    if (open !== null) {
      this.#endedKey = open.key === key ? null : open.key;
      this.#endedAt = at;
    }
    this.#sessions += 1;
    this.#carsBefore = this.#cars;
    this.#changedAt = at;
    this.#cars = new Map();
    const { kind, name } = SESSION_TYPES[update.sessionType] ?? UNKNOWN_TYPE;
    const session = { id: `${this.#sessions}/${key}`, kind, name, track: this.#track, layout: null };
    this.#open = { key, session, timeMs: update.sessionTimeMs };
    return [{ kind: 'session', session }];
  }

  #trackOf(name: string): readonly Observation[] {
    this.#track = name;
    if (this.#open === null) return [];
    const session = { ...this.#open.session, track: name };
    this.#open = { ...this.#open, session };
    return [{ kind: 'session-details', session }];
  }

  #carOf(packet: AccCar, at: number): readonly Observation[] {
    if (this.#isOfSessionBefore(packet, at)) return [];
    const seen = this.#cars.get(packet.car) ?? {
      guard: new CountGuard(),
      last: null,
      joinedInLap: packet.laps === 0 ? null : packet.laps + 1,
    };
    this.#cars.set(packet.car, seen);
    const check = seen.guard.check(packet.laps, at);
    if (check === 'unclear') return [];
    seen.last = packet;
    const car = String(packet.car);
    const observations: Observation[] = [];
    if (check === 'begins-again') observations.push({ kind: 'car-reset', car });
    observations.push({
      kind: 'car',
      car,
      entrant: `${car}/${packet.driver}`,
      lastEntrant: `${car}/${packet.last.driver}`,
      lapsDone: packet.laps,
      lastLapMs: packet.last.ms,
      running: factsOf(packet.current),
      last: this.#factsOfLast(packet, seen),
      lapStartMs: null,
    });
    return observations;
  }

  /** Whether a message is a late one of the session before: it has the laps that the car had there. */
  #isOfSessionBefore({ car, laps, last }: AccCar, at: number): boolean {
    const before = this.#carsBefore.get(car)?.last ?? null;
    if (before === null || laps === 0 || at - this.#changedAt > ENDED_SESSION_MS) return false;
    return before.laps === laps && before.last.ms === last.ms;
  }

  /** Of the lap that was driven when the car was first seen, the game may not say that it is invalid: its best does. */
  #factsOfLast({ laps, last, best }: AccCar, { joinedInLap }: SeenCar): LapFacts {
    const facts = factsOf(last);
    const isSlowerBest = last.ms !== null && (best.ms === null || best.ms > last.ms);
    const isDoubtful = laps === joinedInLap && facts.valid === true && isSlowerBest;
    return isDoubtful ? { ...facts, valid: null } : facts;
  }
}

function isRestart({ timeMs }: OpenSession, { sessionTimeMs, phase }: AccUpdate): boolean {
  return phase <= LAST_PHASE_OF_SESSION && timeMs - sessionTimeMs > RESTART_MS;
}

function entrantsOf({ car, model, drivers }: AccEntry): readonly Observation[] {
  return drivers.map((name, index) => ({
    kind: 'entrant',
    key: `${car}/${index}`,
    entrant: { driver: name === '' ? null : name, driverId: null, model: String(model) },
  }));
}

function factsOf({ splits, isInvalid, isValidForBest, isOut }: AccLap): LapFacts {
  return { sectors: knownSectors(splits), valid: isValidForBest && !isInvalid, isOut };
}
