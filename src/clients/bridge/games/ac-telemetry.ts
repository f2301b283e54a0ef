import { decodeAcTelemetry, type AcCarInfo, type AcHandshake } from '../decoders/ac-telemetry.ts';
import type { Observation, Session } from '../laps/observations.ts';
import { CountGuard, refusedReading, type GameReader, type Reading } from './game.ts';

const OWN_CAR = 'own';

/**
 * Reads the remote telemetry of Assetto Corsa: the laps of the own car. It has neither sessions nor validity: a count
 * of laps that begins again is a new session.
 */
export class AcTelemetryReader implements GameReader {
  #session: Session | null = null;
  #sessions = 0;
  #handshake: AcHandshake | null = null;
  #guard = new CountGuard();
  #lapCount = 0;
  /** Whether the car was in the pits during the lap that is driven. */
  #wasInPit = false;

  readonly format = 'ac-remote-telemetry';
  readonly rules = { isTimeWithCount: true, doesCountStayAtFlag: false, historyWaitMs: 0 };
  readonly hasSessionIds = false;

  read(payload: Uint8Array, at: number): Reading {
    const result = decodeAcTelemetry(payload);
    if (result.outcome === 'refused') return refusedReading(result.reason);
    const { packet } = result;
    switch (packet.kind) {
      case 'handshake':
        return { observations: this.#handshakeOf(packet), refused: null };
      case 'car':
        return { observations: this.#carOf(packet, at), refused: null };
      case 'spot':
        return { observations: [], refused: null };
    }
  }

  #handshakeOf(handshake: AcHandshake): readonly Observation[] {
    const before = this.#handshake;
    this.#handshake = handshake;
    const isChanged =
      before !== null &&
      (before.track !== handshake.track || before.layout !== handshake.layout || before.car !== handshake.car);
    if (this.#session === null || isChanged) return this.#begin();
    const session = { ...this.#session, ...this.#placeOf() };
    this.#session = session;
    return [{ kind: 'session-details', session }, ...this.#entrant()];
  }

  #begin(): readonly Observation[] {
    this.#sessions += 1;
    this.#guard = new CountGuard();
    this.#lapCount = 0;
    this.#wasInPit = false;
    this.#session = { id: String(this.#sessions), kind: 'unknown', name: null, ...this.#placeOf() };
    return [{ kind: 'session', session: this.#session }, ...this.#entrant()];
  }

  #placeOf() {
    return { track: textOf(this.#handshake?.track), layout: textOf(this.#handshake?.layout) };
  }

  #entrant(): readonly Observation[] {
    if (this.#handshake === null) return [];
    const { driver, car } = this.#handshake;
    const entrant = { driver: textOf(driver), driverId: null, model: textOf(car) };
    return [{ kind: 'entrant', key: OWN_CAR, entrant }];
  }

  #carOf(car: AcCarInfo, at: number): readonly Observation[] {
    const observations: Observation[] = [];
    if (this.#session === null) observations.push(...this.#begin());
    const check = this.#guard.check(car.lapCount, at);
    if (check === 'unclear') return observations;
    if (check === 'begins-again') {
      observations.push(...this.#begin());
      this.#guard.check(car.lapCount, at);
    }
    if (car.lapCount !== this.#lapCount) this.#wasInPit = false;
    this.#lapCount = car.lapCount;
    this.#wasInPit ||= car.isInPit;
    observations.push({
      kind: 'car',
      car: OWN_CAR,
      entrant: OWN_CAR,
      lastEntrant: null,
      lapsDone: car.lapCount,
      lastLapMs: car.lastLapMs,
      // The timer runs in the pits too: a lap that left them is an out lap.
      running: { sectors: null, valid: null, isOut: this.#wasInPit && !car.isInPit },
      last: null,
      lapStartMs: null,
    });
    return observations;
  }
}

function textOf(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text;
}
