import { msOf } from '../../results/times.ts';
import { decoded, PacketView, refused, type Decoded } from './packet.ts';

/** The answer to a handshake: what is driven, and where. */
export interface AcHandshake {
  readonly kind: 'handshake';
  readonly car: string;
  readonly driver: string;
  readonly track: string;
  readonly layout: string;
}

/** The state of the own car. Times are in ms. */
export interface AcCarInfo {
  readonly kind: 'car';
  readonly isInPit: boolean;
  readonly lapTimeMs: number;
  readonly lastLapMs: number | null;
  /** Laps that are completed. */
  readonly lapCount: number;
}

/** A lap that any car has completed. */
export interface AcSpot {
  readonly kind: 'spot';
  readonly carId: number;
  readonly lap: number;
  readonly driver: string;
  readonly car: string;
  readonly ms: number | null;
}

/** A packet of the remote telemetry of Assetto Corsa. */
export type AcTelemetryPacket = AcHandshake | AcCarInfo | AcSpot;

const HANDSHAKE_BYTES = 408;
const CAR_BYTES = 328;
const SPOT_BYTES = 212;
const TEXT_BYTES = 100;
/** `a`, the first byte of a car's state. */
const CAR_MARK = 0x61;

/** Operations of the client. */
export type AcOperation = 'handshake' | 'updates' | 'dismiss';

const OPERATIONS: Readonly<Record<AcOperation, number>> = { handshake: 0, updates: 1, dismiss: 3 };

/** A request to the game. */
export function encodeAcRequest(operation: AcOperation): Uint8Array {
  const request = new DataView(new ArrayBuffer(12));
  request.setInt32(0, 1, true);
  request.setInt32(4, 1, true);
  request.setInt32(8, OPERATIONS[operation], true);
  return new Uint8Array(request.buffer);
}

/** Decodes a packet of the remote telemetry of Assetto Corsa. Packets are told apart by their size. */
export function decodeAcTelemetry(bytes: Uint8Array): Decoded<AcTelemetryPacket> {
  const view = new PacketView(bytes);
  switch (view.length) {
    case HANDSHAKE_BYTES:
      return decoded({
        kind: 'handshake',
        car: view.utf16(0, TEXT_BYTES),
        driver: view.utf16(100, TEXT_BYTES),
        track: view.utf16(208, TEXT_BYTES),
        layout: view.utf16(308, TEXT_BYTES),
      });
    case CAR_BYTES:
      return carOf(view);
    case SPOT_BYTES:
      return decoded({
        kind: 'spot',
        carId: view.i32(0),
        lap: view.i32(4),
        driver: view.utf16(8, TEXT_BYTES),
        car: view.utf16(108, TEXT_BYTES),
        ms: msOf(view.i32(208)),
      });
    default:
      return refused(`no packet has ${view.length} bytes`);
  }
}

function carOf(view: PacketView): Decoded<AcTelemetryPacket> {
  if (view.u8(0) !== CAR_MARK) return refused(`a packet of ${CAR_BYTES} bytes begins with ${view.u8(0)}`);
  if (view.i32(4) !== CAR_BYTES) return refused(`a packet of ${CAR_BYTES} bytes says that it has ${view.i32(4)}`);
  const lapCount = view.i32(52);
  if (lapCount < 0) return refused(`${lapCount} laps are completed`);
  return decoded({
    kind: 'car',
    isInPit: view.u8(24) !== 0,
    lapTimeMs: view.i32(40),
    lastLapMs: msOf(view.i32(44)),
    lapCount,
  });
}
