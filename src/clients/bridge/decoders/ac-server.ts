import { msOf } from '../../results/times.ts';
import { decoded, PacketReader, refused, type Decoded } from './packet.ts';

/** A session that begins (`isNew`), or the one that runs. */
export interface AcServerSession {
  readonly kind: 'session';
  readonly isNew: boolean;
  readonly index: number;
  readonly track: string;
  readonly layout: string;
  readonly name: string;
  /** 1 practice, 2 qualifying, 3 race. */
  readonly sessionType: number;
  /** Time since the start, in ms; negative before it. */
  readonly elapsedMs: number;
}

/** A driver who takes a slot, or the driver of a slot. */
export interface AcServerDriver {
  readonly kind: 'driver';
  /** Whether the driver connects now; else the server was asked. */
  readonly isNew: boolean;
  readonly car: number;
  readonly isConnected: boolean;
  readonly model: string;
  readonly driver: string;
  readonly guid: string;
}

/** A slot that is free again. */
export interface AcServerClosed {
  readonly kind: 'closed';
  readonly car: number;
}

/** A driver who has loaded the session. */
export interface AcServerLoaded {
  readonly kind: 'loaded';
  readonly car: number;
}

/** A lap that was completed. */
export interface AcServerLap {
  readonly kind: 'lap';
  readonly car: number;
  readonly ms: number | null;
  readonly cuts: number;
  /** Laps of the car with this one, from the board; null where the board has no row for it. */
  readonly laps: number | null;
}

/** A packet that has nothing about laps. */
export interface AcServerOther {
  readonly kind: 'other';
}

/** A packet of the plugin interface of the Assetto Corsa server (ACSP). */
export type AcServerPacket =
  AcServerSession | AcServerDriver | AcServerClosed | AcServerLoaded | AcServerLap | AcServerOther;

const NEW_SESSION = 50;
const NEW_CONNECTION = 51;
const CONNECTION_CLOSED = 52;
const CAR_UPDATE = 53;
const CAR_INFO = 54;
const END_SESSION = 55;
const VERSION = 56;
const CHAT = 57;
const CLIENT_LOADED = 58;
const SESSION_INFO = 59;
const ERROR = 60;
const LAP_COMPLETED = 73;
const CLIENT_EVENT = 130;

/** Asks the server about a car. */
export function encodeAcServerCarRequest(car: number): Uint8Array {
  return Uint8Array.of(201, car);
}

/** Asks the server about the session that runs (255: whichever it is). */
export function encodeAcServerSessionRequest(): Uint8Array {
  return Uint8Array.of(204, 0xff, 0xff);
}

/** Decodes a packet of the plugin interface of the Assetto Corsa server. */
export function decodeAcServer(bytes: Uint8Array): Decoded<AcServerPacket> {
  const reader = new PacketReader(bytes, 0);
  if (reader.remaining === 0) return refused('it is empty');
  const id = reader.u8();
  switch (id) {
    case NEW_SESSION:
    case SESSION_INFO:
      return sessionOf(reader, id === NEW_SESSION);
    case NEW_CONNECTION:
    case CONNECTION_CLOSED:
      return connectionOf(reader, id === NEW_CONNECTION);
    case CAR_INFO:
      return carOf(reader);
    case CLIENT_LOADED:
      return whole(reader, { kind: 'loaded', car: reader.u8() });
    case LAP_COMPLETED:
      return lapOf(reader);
    case CAR_UPDATE:
    case END_SESSION:
    case VERSION:
    case CHAT:
    case ERROR:
    case CLIENT_EVENT:
      return decoded({ kind: 'other' });
    default:
      return refused(`there is no packet ${id}`);
  }
}

/** The packet, if all of its bytes were read and none beyond. */
function whole(reader: PacketReader, packet: AcServerPacket): Decoded<AcServerPacket> {
  if (reader.hasOverrun) return refused('it ends too early');
  if (!reader.isAtEnd) return refused(`${reader.remaining} bytes follow its end`);
  return decoded(packet);
}

function sessionOf(reader: PacketReader, isNew: boolean): Decoded<AcServerPacket> {
  reader.skip(1); // the version of the protocol
  const index = reader.u8();
  reader.skip(2); // the index of the running session, the count of sessions
  reader.utf32AfterU8(); // the name of the server
  const track = reader.utf8AfterU8();
  const layout = reader.utf8AfterU8();
  const name = reader.utf8AfterU8();
  const sessionType = reader.u8();
  reader.skip(2 + 2 + 2 + 1 + 1); // minutes, laps, wait, temperatures of air and road
  skipWeather(reader);
  const elapsedMs = reader.i32();
  return whole(reader, { kind: 'session', isNew, index, track, layout, name, sessionType, elapsedMs });
}

/** Skips the text of the weather, which some servers write in UTF-32: the four bytes after it are the last ones. */
function skipWeather(reader: PacketReader): void {
  const count = reader.u8();
  const isWide = count > 0 && reader.remaining === count * 4 + 4;
  reader.skip(isWide ? count * 4 : count);
}

function connectionOf(reader: PacketReader, isNew: boolean): Decoded<AcServerPacket> {
  const driver = reader.utf32AfterU8();
  const guid = reader.utf32AfterU8();
  const car = reader.u8();
  const model = reader.utf8AfterU8();
  reader.utf8AfterU8(); // the skin
  if (!isNew) return whole(reader, { kind: 'closed', car });
  return whole(reader, { kind: 'driver', isNew, car, isConnected: true, model, driver, guid });
}

function carOf(reader: PacketReader): Decoded<AcServerPacket> {
  const car = reader.u8();
  const isConnected = reader.u8() !== 0;
  const model = reader.utf32AfterU8();
  reader.utf32AfterU8(); // the skin
  const driver = reader.utf32AfterU8();
  reader.utf32AfterU8(); // the team
  const guid = reader.utf32AfterU8();
  return whole(reader, { kind: 'driver', isNew: false, car, isConnected, model, driver, guid });
}

function lapOf(reader: PacketReader): Decoded<AcServerPacket> {
  const car = reader.u8();
  const ms = msOf(reader.u32());
  const cuts = reader.u8();
  const rows = reader.u8();
  let laps: number | null = null;
  for (let row = 0; row < rows; row += 1) {
    const rowCar = reader.u8();
    reader.skip(4); // the best lap, in a race the total time
    const rowLaps = reader.u16();
    reader.skip(1); // whether the car has finished
    if (rowCar === car) laps = rowLaps;
  }
  reader.skip(4); // the grip of the track
  return whole(reader, { kind: 'lap', car, ms, cuts, laps });
}
