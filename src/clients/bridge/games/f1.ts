import type { SessionKind } from '../../results/plan.ts';
import { knownSectors } from '../../results/sectors.ts';
import {
  decodeF1,
  type F1CarLap,
  type F1Format,
  type F1Header,
  type F1History,
  type F1LapData,
  type F1Packet,
  type F1Participants,
  type F1Session,
} from '../decoders/f1.ts';
import type { LapFacts, Observation, RememberedLap, Session } from '../laps/observations.ts';
import { refusedReading, type GameReader, type Reading } from './game.ts';

interface SessionType {
  readonly kind: SessionKind;
  readonly name: string;
}

/** Types of sessions that all formats share. */
const SHARED_TYPES: Readonly<Record<number, SessionType>> = {
  1: { kind: 'practice', name: 'Practice 1' },
  2: { kind: 'practice', name: 'Practice 2' },
  3: { kind: 'practice', name: 'Practice 3' },
  4: { kind: 'practice', name: 'Short Practice' },
  5: { kind: 'qualifying', name: 'Qualifying 1' },
  6: { kind: 'qualifying', name: 'Qualifying 2' },
  7: { kind: 'qualifying', name: 'Qualifying 3' },
  8: { kind: 'qualifying', name: 'Short Qualifying' },
  9: { kind: 'qualifying', name: 'One-Shot Qualifying' },
};

/** Types of sessions until 2023. */
const TYPES_UNTIL_2023: Readonly<Record<number, SessionType>> = {
  ...SHARED_TYPES,
  10: { kind: 'race', name: 'Race' },
  11: { kind: 'race', name: 'Race 2' },
  12: { kind: 'race', name: 'Race 3' },
  13: { kind: 'time-trial', name: 'Time Trial' },
};

/** Types of sessions since 2024, when the sprint shootouts moved the numbers of races. */
const TYPES_SINCE_2024: Readonly<Record<number, SessionType>> = {
  ...SHARED_TYPES,
  10: { kind: 'qualifying', name: 'Sprint Shootout 1' },
  11: { kind: 'qualifying', name: 'Sprint Shootout 2' },
  12: { kind: 'qualifying', name: 'Sprint Shootout 3' },
  13: { kind: 'qualifying', name: 'Short Sprint Shootout' },
  14: { kind: 'qualifying', name: 'One-Shot Sprint Shootout' },
  15: { kind: 'race', name: 'Race' },
  16: { kind: 'race', name: 'Race 2' },
  17: { kind: 'race', name: 'Race 3' },
  18: { kind: 'time-trial', name: 'Time Trial' },
};

const UNKNOWN_TYPE = { kind: 'unknown', name: null } as const;

/** The session id of menus, and of the histories after the end of a session. */
const NO_SESSION = '0';

/** Late packets are at most this many frames old; a count of frames that falls further has begun again. */
const LATE_FRAMES = 120;
/** The same before 2023, where frames fall at a flashback too. */
const LATE_FRAMES_BEFORE_2023 = 30;
/** How long, in ms, packets of a session that has ended may still come. */
const ENDED_SESSION_MS = 10_000;

/** A session whose time falls below this, in s, without a flashback has been started again. */
const RESTART_S = 3;
/** How far its time has to fall for that, in s. */
const RESTART_FALL_S = 10;
/** No lap is shorter than this, in ms: a count that rises by several within it was not driven. */
const SHORTEST_LAP_MS = 10_000;

const OUT_LAP = 3;
const ACTIVE = 2;

/** How long, in ms, a lap waits for the history, which shows each car about once a second, and may correct it later. */
const HISTORY_WAIT_MS = 500;

/** A sector in two bytes begins at 0 again after this many ms. */
const NARROW_SECTOR_MS = 65_536;
/** A sector that has overflowed is shorter than the lap timer says, by at least this many ms. */
const OVERFLOW_MS = 60_000;
/** How far, in ms, a lap may be from the sum of its sectors. */
const ROUNDING_MS = 10;

/** What is known of the sectors of the lap that a car drives, in formats whose sectors overflow. */
interface NarrowSectors {
  readonly lap: number;
  /** Undefined: not seen yet. */
  readonly first: number | null | undefined;
  readonly second: number | null | undefined;
}

interface OpenSession {
  readonly uid: string;
  /** How often it was started again under the same id. */
  restarts: number;
  /** What its session packet says; null: none has come yet. */
  details: F1Session | null;
  highestFrame: number;
  /** Of the last lap data, in s. */
  sessionTime: number;
  /** Cars whose lap data came since the session packet: from then on, a history is complete. */
  readonly followed: Set<number>;
  /** Laps that cars drive, and when that was seen, in ms since the start. */
  readonly driving: Map<number, { readonly lapNumber: number; readonly at: number }>;
}

/**
 * Reads the UDP telemetry of F1 2018 to 2026: the laps of the players at this machine. A session opens with its session
 * packet or lap data: sessions that are skipped have events only.
 */
export class F1Reader implements GameReader {
  #format: F1Format | null = null;
  #session: OpenSession | null = null;
  readonly #ended = new Map<string, number>();
  /** The last packet of participants, which may come before the session. */
  #participants: { readonly uid: string; readonly packet: F1Participants } | null = null;
  readonly #narrowSectors = new Map<number, NarrowSectors>();

  readonly rules = { isTimeWithCount: true, doesCountStayAtFlag: true, historyWaitMs: HISTORY_WAIT_MS };
  readonly hasSessionIds = true;

  get format(): string {
    return this.#format === null ? 'f1-udp' : `f1-udp-${this.#format}`;
  }

  read(payload: Uint8Array, at: number): Reading {
    const result = decodeF1(payload);
    if (result.outcome === 'refused') return refusedReading(result.reason);
    this.#format ??= result.packet.header.format;
    return { observations: this.#observationsOf(result.packet, at), refused: null };
  }

  #observationsOf(packet: F1Packet, at: number): readonly Observation[] {
    const { header } = packet;
    if (packet.kind === 'participants') this.#participants = { uid: header.sessionUid, packet };
    if (header.sessionUid === NO_SESSION) return packet.kind === 'history' ? this.#historyOf(packet, header) : [];
    if (packet.kind === 'session') return this.#sessionOf(packet, header, at);
    if (packet.kind === 'lap-data') return this.#lapDataOf(packet, header, at);
    const session = this.#session;
    if (session?.uid !== header.sessionUid) return [];
    switch (packet.kind) {
      case 'participants':
        return this.#entrants();
      case 'history':
        return header.frame !== 0 && isLate(header, session) ? [] : this.#historyOf(packet, header);
      case 'event':
        if (packet.flashbackTo === null || session.details?.isNetworkGame === true) return [];
        session.highestFrame = 0;
        session.sessionTime = packet.flashbackTo;
        return [{ kind: 'flashback', toMs: packet.flashbackTo * 1_000 }];
      default:
        return [];
    }
  }

  #sessionOf(packet: F1Session, header: F1Header, at: number): readonly Observation[] {
    if (this.#session?.uid !== header.sessionUid) return this.#open(header, packet, at);
    const isFirst = this.#session.details === null;
    this.#session.details = packet;
    return isFirst ? [{ kind: 'session-details', session: sessionFacts(this.#session, header.format) }] : [];
  }

  #open(header: F1Header, details: F1Session | null, at: number): readonly Observation[] {
    const endedAt = this.#ended.get(header.sessionUid);
    if (endedAt !== undefined && at - endedAt < ENDED_SESSION_MS) return [];
    if (this.#session !== null) this.#ended.set(this.#session.uid, at);
    return this.#begin(header, details, 0);
  }

  #begin(header: F1Header, details: F1Session | null, restarts: number): readonly Observation[] {
    const session: OpenSession = {
      uid: header.sessionUid,
      restarts,
      details,
      highestFrame: 0,
      sessionTime: 0,
      followed: new Set(),
      driving: new Map(),
    };
    this.#session = session;
    this.#narrowSectors.clear();
    return [{ kind: 'session', session: sessionFacts(session, header.format) }, ...this.#entrants()];
  }

  #entrants(): readonly Observation[] {
    const known = this.#participants;
    if (this.#session === null || known?.uid !== this.#session.uid) return [];
    const { uid } = this.#session;
    return known.packet.participants.map(({ name, team }, index) => ({
      kind: 'entrant',
      key: `${uid}/${index}`,
      entrant: { driver: name.trim() === '' ? null : name, driverId: null, model: String(team) },
    }));
  }

  #lapDataOf(packet: F1LapData, header: F1Header, at: number): readonly Observation[] {
    const observations: Observation[] = [];
    if (this.#session?.uid !== header.sessionUid) observations.push(...this.#open(header, null, at));
    const session = this.#session;
    if (session?.uid !== header.sessionUid || isLate(header, session)) return observations;
    const fallen = session.sessionTime - header.sessionTime;
    if (header.sessionTime < RESTART_S && fallen > RESTART_FALL_S) {
      observations.push(...this.#begin(header, session.details, session.restarts + 1));
    }
    if (this.#session !== null) observations.push(...this.#carsOf(packet, header, this.#session, at));
    return observations;
  }

  #carsOf({ cars }: F1LapData, header: F1Header, session: OpenSession, at: number): readonly Observation[] {
    session.sessionTime = header.sessionTime;
    if (session.details?.isSpectating === true) return [];
    const observations: Observation[] = [];
    for (const index of header.playerCars) {
      const car = cars[index];
      if (car === undefined || car.resultStatus < ACTIVE || car.lapNumber === 0) continue;
      if (car.resultStatus === ACTIVE && this.#isAi(index)) continue;
      if (session.details !== null) session.followed.add(index);
      // While a saved game is loaded, its first packets may show another lap.
      const before = session.driving.get(index);
      const hasJumped = before !== undefined && car.lapNumber > before.lapNumber + 1;
      if (hasJumped && at - before.at < SHORTEST_LAP_MS) {
        observations.push({ kind: 'car-reset', car: String(index) });
      }
      session.driving.set(index, { lapNumber: car.lapNumber, at });
      observations.push({
        kind: 'car',
        car: String(index),
        entrant: `${session.uid}/${index}`,
        lastEntrant: null,
        lapsDone: car.lapNumber - 1,
        lastLapMs: car.lastLapMs,
        running: this.#factsOf(index, car, header),
        last: null,
        lapStartMs: header.sessionTime * 1_000 - (car.currentLapMs ?? 0),
      });
    }
    return observations;
  }

  #isAi(index: number): boolean {
    return this.#participants?.packet.participants[index]?.isAi === true;
  }

  #factsOf(index: number, car: F1CarLap, { format }: F1Header): LapFacts {
    const isNarrow = format >= 2020 && format <= 2022;
    const [first, second] = isNarrow ? this.#checkedSectors(index, car) : [car.sector1Ms, car.sector2Ms];
    const sectors = [car.sector >= 1 ? first : null, car.sector >= 2 ? second : null, null];
    return { sectors: knownSectors(sectors), valid: !car.isInvalid, isOut: car.driverStatus === OUT_LAP };
  }

  /** Sectors in two bytes overflow after 65.5 s: the timer of the lap shows whether one has done so. */
  #checkedSectors(index: number, car: F1CarLap): readonly [number | null, number | null] {
    const known = this.#narrowSectors.get(index);
    let first = known?.lap === car.lapNumber ? known.first : undefined;
    let second = known?.lap === car.lapNumber ? known.second : undefined;
    const timer = car.currentLapMs ?? 0;
    if (car.sector >= 1 && first === undefined) {
      const rest = timer - (car.sector1Ms ?? 0) - (car.sector >= 2 ? (car.sector2Ms ?? 0) : 0);
      first = rest < OVERFLOW_MS ? car.sector1Ms : null;
    }
    if (car.sector >= 2 && second === undefined) {
      const firstMs = first ?? (car.sector1Ms ?? 0) + NARROW_SECTOR_MS;
      second = timer - firstMs - (car.sector2Ms ?? 0) < OVERFLOW_MS ? car.sector2Ms : null;
    }
    this.#narrowSectors.set(index, { lap: car.lapNumber, first, second });
    return [first ?? null, second ?? null];
  }

  #historyOf({ car, laps }: F1History, { format, playerCars }: F1Header): readonly Observation[] {
    const session = this.#session;
    if (session === null || !playerCars.includes(car) || session.details?.isSpectating === true) return [];
    const remembered: RememberedLap[] = [];
    for (const { lap, ms, sectors, isValid } of laps) {
      if (ms === null) continue;
      const hasOverflow = format <= 2022 && !doesSumFit(ms, sectors);
      remembered.push({ lap, ms, sectors: hasOverflow ? null : knownSectors(sectors), valid: isValid });
    }
    return [{ kind: 'history', car: String(car), isComplete: session.followed.has(car), laps: remembered }];
  }
}

function sessionFacts({ uid, restarts, details }: OpenSession, format: F1Format): Session {
  const types = format <= 2023 ? TYPES_UNTIL_2023 : TYPES_SINCE_2024;
  const { kind, name } = (details === null ? undefined : types[details.sessionType]) ?? UNKNOWN_TYPE;
  const track = details === null || details.trackId < 0 ? null : String(details.trackId);
  return { id: restarts === 0 ? uid : `${uid}+${restarts}`, kind, name, track, layout: null };
}

/** Whether a packet is older than one that came before it. */
function isLate({ overallFrame, frame }: F1Header, session: OpenSession): boolean {
  const number = overallFrame ?? frame;
  const lateFrames = overallFrame === null ? LATE_FRAMES_BEFORE_2023 : LATE_FRAMES;
  const behind = session.highestFrame - number;
  if (behind > 0 && behind <= lateFrames) return true;
  session.highestFrame = number;
  return false;
}

/** Whether sectors fit to their lap, as far as they are known. */
function doesSumFit(ms: number, sectors: readonly (number | null)[]): boolean {
  let sum = 0;
  for (const sector of sectors) {
    if (sector === null) return true;
    sum += sector;
  }
  return Math.abs(ms - sum) <= ROUNDING_MS;
}
