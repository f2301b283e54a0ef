import type { SessionKind } from '../../results/plan.ts';
import { sessionKindOf } from '../../results/session-kinds.ts';
import {
  decodeAcServer,
  type AcServerDriver,
  type AcServerLap,
  type AcServerPacket,
  type AcServerSession,
} from '../decoders/ac-server.ts';
import type { Observation } from '../laps/observations.ts';
import { refusedReading, type GameReader, type Reading } from './game.ts';

const SESSION_KINDS: Readonly<Record<number, SessionKind>> = { 1: 'practice', 2: 'qualifying', 3: 'race' };

/** How long, in ms, a packet may come again. */
const REPEATED_MS = 5_000;

interface RecentLap {
  readonly text: string;
  readonly at: number;
}

/** A slot of the server, and whoever has it. */
interface Slot {
  /** Empty: not known yet. */
  readonly guid: string;
  /** The name of the entrant: the slot, and how many had it before. */
  readonly entrant: string;
}

/** Reads the plugin interface of the Assetto Corsa server: the laps of all cars. A lap with cuts is not valid. */
export class AcServerReader implements GameReader {
  #session: AcServerSession | null = null;
  #sessions = 0;
  #connections = 0;
  readonly #slots = new Map<number, Slot>();
  /** Whether the session has a lap. */
  #hasLap = false;
  /** The packets of laps that came last, and when: one that comes twice may come in the next session. */
  #recent: readonly RecentLap[] = [];

  readonly format = 'ac-server-plugin-udp';
  readonly rules = { isTimeWithCount: true, doesCountStayAtFlag: false, historyWaitMs: 0 };
  readonly hasSessionIds = false;

  read(payload: Uint8Array, at: number): Reading {
    const result = decodeAcServer(payload);
    if (result.outcome === 'refused') return refusedReading(result.reason);
    if (result.packet.kind === 'lap' && this.#isRepeated(payload, at)) return { observations: [], refused: null };
    return { observations: this.#observationsOf(result.packet), refused: null };
  }

  #observationsOf(packet: AcServerPacket): readonly Observation[] {
    switch (packet.kind) {
      case 'session':
        return this.#isKnown(packet) ? [] : this.#begin(packet);
      case 'driver':
        return this.#driverOf(packet);
      case 'closed':
        // Whoever takes the slot next is somebody else, even if the packet that says so is lost.
        this.#slots.set(packet.car, { guid: '', entrant: this.#nextEntrant(packet.car) });
        return [];
      case 'lap':
        return this.#lapOf(packet);
      default:
        return [];
    }
  }

  #isRepeated(payload: Uint8Array, at: number): boolean {
    const text = payload.join();
    this.#recent = this.#recent.filter((lap) => at - lap.at < REPEATED_MS);
    if (this.#recent.some((lap) => lap.text === text)) return true;
    this.#recent = [...this.#recent, { text, at }];
    return false;
  }

  /** Whether a packet is about the session that runs: an answer, or the same packet twice. */
  #isKnown(session: AcServerSession): boolean {
    const running = this.#session;
    if (running === null) return false;
    const isSame =
      running.index === session.index &&
      running.sessionType === session.sessionType &&
      running.name === session.name &&
      running.track === session.track &&
      running.layout === session.layout;
    // A session that starts again before its first lap is the same one.
    return isSame && (!session.isNew || !this.#hasLap);
  }

  #begin(packet: AcServerSession): readonly Observation[] {
    // Laps came before the answer that says which session this is.
    const isNamed = this.#session === null && this.#hasLap && !packet.isNew;
    this.#session = packet;
    if (!isNamed) {
      this.#hasLap = false;
      this.#sessions += 1;
    }
    const { name, sessionType, track, layout } = packet;
    const session = {
      id: String(this.#sessions),
      kind: SESSION_KINDS[sessionType] ?? sessionKindOf(name),
      name: textOf(name),
      track: textOf(track),
      layout: textOf(layout),
    };
    return [{ kind: isNamed ? 'session-details' : 'session', session }];
  }

  #driverOf({ car, isConnected, driver, guid, model }: AcServerDriver): readonly Observation[] {
    if (!isConnected || (driver === '' && guid === '')) return [];
    const known = this.#slots.get(car) ?? { guid: '', entrant: firstEntrant(car) };
    const isSomebodyElse = known.guid !== '' && known.guid !== guid;
    const slot = { guid, entrant: isSomebodyElse ? this.#nextEntrant(car) : known.entrant };
    this.#slots.set(car, slot);
    const entrant = { driver: textOf(driver), driverId: textOf(guid), model: textOf(model) };
    return [{ kind: 'entrant', key: slot.entrant, entrant }];
  }

  #nextEntrant(car: number): string {
    this.#connections += 1;
    return `${car}#${this.#connections}`;
  }

  #lapOf({ car, ms, cuts, laps }: AcServerLap): readonly Observation[] {
    const observations: Observation[] = [];
    if (this.#session === null && !this.#hasLap) {
      observations.push({
        kind: 'session',
        session: { id: '0', kind: 'unknown', name: null, track: null, layout: null },
      });
    }
    this.#hasLap = true;
    observations.push({
      kind: 'announced-lap',
      car: String(car),
      entrant: this.#slots.get(car)?.entrant ?? firstEntrant(car),
      lap: laps === 0 ? null : laps,
      ms,
      facts: { sectors: null, valid: cuts === 0, isOut: false },
    });
    return observations;
  }
}

function firstEntrant(car: number): string {
  return `${car}#0`;
}

function textOf(text: string): string | null {
  return text.trim() === '' ? null : text;
}
