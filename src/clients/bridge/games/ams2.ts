import type { SessionKind } from '../../results/plan.ts';
import { decodeAms2, type Ams2Car, type Ams2GameState, type Ams2Packet, type Ams2Timings } from '../decoders/ams2.ts';
import type { Observation, Session } from '../laps/observations.ts';
import { CountGuard, refusedReading, type GameReader, type Reading } from './game.ts';

interface SessionType {
  readonly kind: SessionKind;
  readonly name: string | null;
}

const SESSION_TYPES: Readonly<Record<number, SessionType>> = {
  1: { kind: 'practice', name: 'Practice' },
  2: { kind: 'practice', name: 'Test' },
  3: { kind: 'qualifying', name: 'Qualifying' },
  4: { kind: 'race', name: 'Formation Lap' },
  5: { kind: 'race', name: 'Race' },
  6: { kind: 'time-trial', name: 'Time Attack' },
};

const UNKNOWN_TYPE: SessionType = { kind: 'unknown', name: null };

const PLAYING = 2;
const PAUSED = 3;
const MENU = 4;
/** States of the game in which the own car is driven, or may be in a moment. */
const DRIVING: ReadonlySet<number> = new Set([PLAYING, PAUSED, MENU]);

const FINISHED = 3;
const RACING = 2;

/** A late packet has a number that is at most this much lower. */
const LATE_PACKETS = 1_000;

const FORMATION = 4;
const RACE = 5;

/** Reads version 2 of the UDP of Project CARS 2 and Automobilista 2: the laps of the own car. */
export class Ams2Reader implements GameReader {
  #session: Session | null = null;
  #sessions = 0;
  #sessionType: number | null = null;
  #isDriving = true;
  #track: string | null = null;
  #layout: string | null = null;
  readonly #names = new Map<number, string>();
  readonly #vehicles = new Map<number, string>();
  /** Last laps by the index of the car; null before the first packet. */
  #lastLaps: readonly (number | null)[] | null = null;
  #guard = new CountGuard();
  readonly #numbers = new Map<number, number>();

  readonly format = 'ams2-udp-v2';
  readonly rules = { isTimeWithCount: false, doesCountStayAtFlag: true, historyWaitMs: 0 };
  readonly hasSessionIds = false;

  read(payload: Uint8Array, at: number): Reading {
    const result = decodeAms2(payload);
    if (result.outcome === 'refused') return refusedReading(result.reason);
    const { packet } = result;
    return { observations: this.#isLate(packet) ? [] : this.#observationsOf(packet, at), refused: null };
  }

  /** Whether a packet of its type is older than one that came before it. Packets without numbers are not. */
  #isLate({ type, number }: Ams2Packet): boolean {
    const behind = (this.#numbers.get(type) ?? 0) - number;
    if (behind > 0 && behind < LATE_PACKETS) return true;
    this.#numbers.set(type, number);
    return false;
  }

  #observationsOf(packet: Ams2Packet, at: number): readonly Observation[] {
    switch (packet.kind) {
      case 'race':
        this.#track = textOf(packet.track);
        this.#layout = textOf(packet.layout);
        return this.#details();
      case 'names':
        for (const [id, name] of packet.names) this.#names.set(id, name);
        return [];
      case 'vehicles':
        for (const [index, name] of packet.names) this.#vehicles.set(index, name);
        return [];
      case 'game-state':
        return this.#stateOf(packet);
      case 'stats':
        this.#lastLaps = packet.lastLaps;
        return [];
      case 'timings':
        return this.#isDriving ? this.#timingsOf(packet, at) : [];
      default:
        return [];
    }
  }

  #stateOf({ gameState, sessionType }: Ams2GameState): readonly Observation[] {
    const wasDriving = this.#isDriving;
    this.#isDriving = DRIVING.has(gameState);
    if (!this.#isDriving) return [];
    // A formation lap and its race are one session.
    const type = sessionType === FORMATION ? RACE : sessionType;
    if (wasDriving && type === this.#sessionType) return [];
    this.#sessionType = type;
    return this.#begin();
  }

  #begin(): readonly Observation[] {
    this.#sessions += 1;
    this.#guard = new CountGuard();
    const { kind, name } = SESSION_TYPES[this.#sessionType ?? 0] ?? UNKNOWN_TYPE;
    this.#session = { id: String(this.#sessions), kind, name, track: this.#track, layout: this.#layout };
    return [{ kind: 'session', session: this.#session }];
  }

  #details(): readonly Observation[] {
    if (this.#session === null) return [];
    this.#session = { ...this.#session, track: this.#track, layout: this.#layout };
    return [{ kind: 'session-details', session: this.#session }];
  }

  #timingsOf({ ownCar, cars }: Ams2Timings, at: number): readonly Observation[] {
    const car = ownCar === null ? undefined : cars[ownCar];
    // The last lap comes in another packet: without it, one that was there already would look new.
    if (ownCar === null || car === undefined || this.#lastLaps === null) return [];
    const isOnTrack = car.raceState === RACING || car.raceState === FINISHED;
    if (!car.isActive || car.currentLap === 0 || !isOnTrack) return [];
    const observations: Observation[] = [];
    if (this.#session === null) observations.push(...this.#begin());
    const check = this.#guard.check(car.currentLap, at);
    if (check === 'unclear') return observations;
    if (check === 'begins-again') {
      observations.push(...this.#begin());
      this.#guard.check(car.currentLap, at);
    }
    const key = String(car.id);
    observations.push(this.#entrantOf(key, car), {
      kind: 'car',
      car: key,
      entrant: key,
      lastEntrant: null,
      lapsDone: car.currentLap - 1,
      lastLapMs: this.#lastLaps[ownCar] ?? null,
      running: { sectors: null, valid: !car.isInvalid, isOut: false },
      last: null,
      lapStartMs: null,
    });
    return observations;
  }

  #entrantOf(key: string, { id, vehicle }: Ams2Car): Observation {
    const driver = this.#names.get(id) ?? null;
    const model = this.#vehicles.get(vehicle) ?? null;
    return { kind: 'entrant', key, entrant: { driver, driverId: null, model } };
  }
}

function textOf(text: string): string | null {
  return text.trim() === '' ? null : text;
}
