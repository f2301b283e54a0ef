import {
  decodeAcServer,
  encodeAcServerCarRequest,
  encodeAcServerSessionRequest,
  type AcServerPacket,
} from '../decoders/ac-server.ts';
import { decodeAcTelemetry, encodeAcRequest } from '../decoders/ac-telemetry.ts';
import { decodeAcc, encodeAccRegistration, encodeAccRequest, type AccPacket } from '../decoders/acc.ts';
import { decodeLfs, encodeLfsOpening, encodeLfsRequest, LfsFrames } from '../decoders/lfs.ts';
import type { GameName } from './games.ts';

/** What one game is asked, so that it says what laps need. */
export interface GameRequests {
  /** What opens the conversation; null: the game begins by itself. */
  readonly opening: Uint8Array | null;
  /** What ends it; null: nothing does, or it was not opened. */
  closing(): Uint8Array | null;
  /** What is sent after something came from the game; `at`: when it came, in ms. */
  answersTo(payload: Uint8Array, at: number): readonly Uint8Array[];
}

/** What a game asks for before it says anything. */
export interface Access {
  /** The password of ACC's broadcasting. */
  readonly password: string;
}

/** The requests to a game. */
export function requestsTo(game: GameName, access: Access): GameRequests {
  switch (game) {
    case 'acc':
      return new AccRequests(access.password);
    case 'ac':
      return new AcRequests();
    case 'ac-server':
      return new AcServerRequests();
    case 'lfs':
      return new LfsRequests();
    case 'f1':
    case 'ams2':
    case 'forza':
      return SILENT;
  }
}

const SILENT: GameRequests = { opening: null, closing: () => null, answersTo: () => [] };

/** How often ACC sends updates, in ms. */
const ACC_INTERVAL_MS = 100;
/** Entries are asked for at most this often, in ms: asked more often, the game answers without end. */
const ENTRIES_EVERY_MS = 5_000;

class AccRequests implements GameRequests {
  readonly opening: Uint8Array;
  #connectionId: number | null = null;
  #askedAt = -Infinity;
  /** Cars that lack an entry are asked for when the time has come. */
  #isEntryMissing = false;
  readonly #known = new Set<number>();
  #sessionIndex: number | null = null;

  constructor(password: string) {
    this.opening = encodeAccRegistration({ name: 'Timing bridge', password, intervalMs: ACC_INTERVAL_MS });
  }

  closing(): Uint8Array | null {
    return this.#connectionId === null ? null : encodeAccRequest('unregister', this.#connectionId);
  }

  answersTo(payload: Uint8Array, at: number): readonly Uint8Array[] {
    const result = decodeAcc(payload);
    if (result.outcome === 'refused') return [];
    const requests: Uint8Array[] = [];
    this.#learn(result.packet);
    if (this.#connectionId === null) return [];
    if (result.packet.kind === 'registration') requests.push(encodeAccRequest('track', this.#connectionId));
    if (this.#isEntryMissing && at - this.#askedAt >= ENTRIES_EVERY_MS) {
      this.#askedAt = at;
      this.#isEntryMissing = false;
      requests.push(encodeAccRequest('entry-list', this.#connectionId));
    }
    return requests;
  }

  #learn(packet: AccPacket): void {
    switch (packet.kind) {
      case 'registration':
        this.#connectionId = packet.isAccepted ? packet.connectionId : null;
        this.#isEntryMissing = true;
        break;
      case 'update':
        // Ids of cars may belong to others in the next session.
        if (this.#sessionIndex !== null && this.#sessionIndex !== packet.sessionIndex) this.#isEntryMissing = true;
        this.#sessionIndex = packet.sessionIndex;
        break;
      case 'car':
        if (!this.#known.has(packet.car)) this.#isEntryMissing = true;
        break;
      case 'entry':
        this.#known.add(packet.car);
        break;
      default:
    }
  }
}

class AcRequests implements GameRequests {
  readonly opening = encodeAcRequest('handshake');

  closing(): Uint8Array {
    return encodeAcRequest('dismiss');
  }

  answersTo(payload: Uint8Array): readonly Uint8Array[] {
    const result = decodeAcTelemetry(payload);
    const isHandshake = result.outcome === 'decoded' && result.packet.kind === 'handshake';
    return isHandshake ? [encodeAcRequest('updates')] : [];
  }
}

class AcServerRequests implements GameRequests {
  readonly opening = null;
  #isSessionKnown = false;
  #isSessionAsked = false;
  readonly #drivers = new Set<number>();
  readonly #asked = new Set<number>();

  closing(): null {
    return null;
  }

  answersTo(payload: Uint8Array): readonly Uint8Array[] {
    const result = decodeAcServer(payload);
    if (result.outcome === 'refused') return [];
    const requests = this.#carsToAsk(result.packet).map(encodeAcServerCarRequest);
    if (!this.#isSessionKnown && !this.#isSessionAsked) {
      this.#isSessionAsked = true;
      requests.push(encodeAcServerSessionRequest());
    }
    return requests;
  }

  /** Drivers of slots change at the start of a session, and when somebody comes. */
  #carsToAsk(packet: AcServerPacket): readonly number[] {
    switch (packet.kind) {
      case 'session':
        this.#isSessionKnown = true;
        return packet.isNew ? [...this.#drivers] : [];
      case 'driver':
        this.#drivers.add(packet.car);
        return [];
      case 'closed':
        this.#drivers.delete(packet.car);
        this.#asked.delete(packet.car);
        return [];
      case 'loaded':
        return [packet.car];
      case 'lap': {
        const isUnknown = !this.#drivers.has(packet.car) && !this.#asked.has(packet.car);
        this.#asked.add(packet.car);
        return isUnknown ? [packet.car] : [];
      }
      default:
        return [];
    }
  }
}

class LfsRequests implements GameRequests {
  readonly opening = encodeLfsOpening();
  #frames = new LfsFrames();

  closing(): null {
    return null;
  }

  answersTo(segment: Uint8Array): readonly Uint8Array[] {
    const packets = this.#frames.push(segment);
    if (packets === null) {
      this.#frames = new LfsFrames();
      return [];
    }
    const requests: Uint8Array[] = [];
    for (const bytes of packets) {
      const result = decodeLfs(bytes);
      if (result.outcome === 'refused') continue;
      if (result.packet.kind === 'keep-alive') requests.push(encodeLfsRequest('keep-alive'));
      if (result.packet.kind === 'version') {
        requests.push(encodeLfsRequest('connections'), encodeLfsRequest('players'));
        requests.push(encodeLfsRequest('state'), encodeLfsRequest('race-start'));
      }
    }
    return requests;
  }
}
