import { msOf } from '../../results/times.ts';
import { decoded, PacketReader, refused, type Decoded } from './packet.ts';

/** The answer to a registration. */
export interface AccRegistration {
  readonly kind: 'registration';
  readonly connectionId: number;
  readonly isAccepted: boolean;
  readonly error: string;
}

/** The state of the session. */
export interface AccUpdate {
  readonly kind: 'update';
  readonly eventIndex: number;
  readonly sessionIndex: number;
  readonly sessionType: number;
  /** 1 starting to 5 session, 6 over, 7 after it, 8 results. */
  readonly phase: number;
  readonly sessionTimeMs: number;
  /** Whether a replay is shown: the cars are those of the replay then. */
  readonly isReplay: boolean;
}

/** A lap of a car. Times are in ms, null where there is none. */
export interface AccLap {
  readonly ms: number | null;
  readonly driver: number;
  readonly splits: readonly (number | null)[];
  readonly isInvalid: boolean;
  readonly isValidForBest: boolean;
  readonly isOut: boolean;
  readonly isIn: boolean;
}

/** The state of a car. */
export interface AccCar {
  readonly kind: 'car';
  readonly car: number;
  /** Which of its drivers drives. */
  readonly driver: number;
  /** Laps that are completed. */
  readonly laps: number;
  readonly best: AccLap;
  readonly last: AccLap;
  readonly current: AccLap;
}

/** The cars of the session. */
export interface AccEntryList {
  readonly kind: 'entry-list';
  readonly cars: readonly number[];
}

/** A car of the session, with the names of its drivers. */
export interface AccEntry {
  readonly kind: 'entry';
  readonly car: number;
  readonly model: number;
  readonly drivers: readonly string[];
}

/** The track. */
export interface AccTrack {
  readonly kind: 'track';
  readonly name: string;
}

/** A broadcasting event. 5: a lap was completed. */
export interface AccEvent {
  readonly kind: 'event';
  readonly type: number;
  readonly car: number;
}

/** A message of the game. */
export type AccPacket = AccRegistration | AccUpdate | AccCar | AccEntryList | AccEntry | AccTrack | AccEvent;

const REGISTRATION = 1;
const UPDATE = 2;
const CAR = 3;
const ENTRY_LIST = 4;
const TRACK = 5;
const ENTRY = 6;
const EVENT = 7;

/** Messages to the game. */
const REGISTER = 1;
const UNREGISTER = 9;
const REQUEST_ENTRY_LIST = 10;
const REQUEST_TRACK = 11;

const PROTOCOL_VERSION = 4;
/** More than the game ever has; a higher count is nonsense. */
const MAX_CARS = 512;

/** What a registration says. */
export interface AccRegistrationRequest {
  readonly name: string;
  readonly password: string;
  readonly intervalMs: number;
}

/** Registers with the game, which then sends updates. The command password stays empty: nothing is commanded. */
export function encodeAccRegistration({ name, password, intervalMs }: AccRegistrationRequest): Uint8Array {
  const interval = new Uint8Array(4);
  new DataView(interval.buffer).setInt32(0, intervalMs, true);
  return Uint8Array.of(REGISTER, PROTOCOL_VERSION, ...text(name), ...text(password), ...interval, ...text(''));
}

/** Ends a registration, or asks for the entries or the track. */
export function encodeAccRequest(what: 'unregister' | 'entry-list' | 'track', connectionId: number): Uint8Array {
  const ids = { unregister: UNREGISTER, 'entry-list': REQUEST_ENTRY_LIST, track: REQUEST_TRACK };
  const request = new DataView(new ArrayBuffer(5));
  request.setUint8(0, ids[what]);
  request.setInt32(1, connectionId, true);
  return new Uint8Array(request.buffer);
}

function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  return Uint8Array.of(bytes.length & 0xff, bytes.length >> 8, ...bytes);
}

/** Decodes a message of the broadcasting interface of Assetto Corsa Competizione, version 4. */
export function decodeAcc(bytes: Uint8Array): Decoded<AccPacket> {
  const reader = new PacketReader(bytes, 0);
  if (reader.remaining === 0) return refused('it is empty');
  const type = reader.u8();
  switch (type) {
    case REGISTRATION:
      return registrationOf(reader);
    case UPDATE:
      return updateOf(reader);
    case CAR:
      return carOf(reader);
    case ENTRY_LIST:
      return entryListOf(reader);
    case TRACK:
      return trackOf(reader);
    case ENTRY:
      return entryOf(reader);
    case EVENT:
      return eventOf(reader);
    default:
      return refused(`there is no message ${type}`);
  }
}

/** The message, if all of its bytes were read and none beyond. */
function whole(reader: PacketReader, packet: AccPacket): Decoded<AccPacket> {
  if (reader.hasOverrun) return refused('it ends too early');
  if (!reader.isAtEnd) return refused(`${reader.remaining} bytes follow its end`);
  return decoded(packet);
}

function registrationOf(reader: PacketReader): Decoded<AccPacket> {
  const connectionId = reader.i32();
  const isAccepted = reader.u8() !== 0;
  reader.skip(1); // whether it may only read
  const error = reader.utf8AfterU16();
  return whole(reader, { kind: 'registration', connectionId, isAccepted, error });
}

function updateOf(reader: PacketReader): Decoded<AccPacket> {
  const eventIndex = reader.u16();
  const sessionIndex = reader.u16();
  const sessionType = reader.u8();
  const phase = reader.u8();
  const sessionTimeMs = reader.f32();
  reader.skip(4 + 4); // the end of the session, the focused car
  reader.utf8AfterU16(); // camera set
  reader.utf8AfterU16(); // camera
  reader.utf8AfterU16(); // page of the display
  const isReplay = reader.u8() !== 0;
  if (isReplay) reader.skip(4 + 4); // time of the replay, and what remains
  reader.skip(4 + 1 + 1 + 1 + 1 + 1); // time of day, temperatures, clouds, rain, wetness
  lapOf(reader); // the best of the session
  if (!Number.isFinite(sessionTimeMs)) return refused('the session time is no number');
  return whole(reader, { kind: 'update', eventIndex, sessionIndex, sessionType, phase, sessionTimeMs, isReplay });
}

function carOf(reader: PacketReader): Decoded<AccPacket> {
  const car = reader.u16();
  const driver = reader.u16();
  // Count of drivers, gear, position and heading, location, speed, three positions in the race, position on the track.
  reader.skip(1 + 1 + 12 + 1 + 2 + 2 + 2 + 2 + 4);
  const laps = reader.u16();
  reader.skip(4); // difference to the best lap
  const best = lapOf(reader);
  const last = lapOf(reader);
  const current = lapOf(reader);
  return whole(reader, { kind: 'car', car, driver, laps, best, last, current });
}

function lapOf(reader: PacketReader): AccLap {
  const ms = msOf(reader.i32());
  reader.skip(2); // the car
  const driver = reader.u16();
  const count = reader.u8();
  const splits: (number | null)[] = [];
  for (let split = 0; split < count; split += 1) splits.push(msOf(reader.i32()));
  const isInvalid = reader.u8() !== 0;
  const isValidForBest = reader.u8() !== 0;
  const isOut = reader.u8() !== 0;
  const isIn = reader.u8() !== 0;
  return { ms, driver, splits, isInvalid, isValidForBest, isOut, isIn };
}

function entryListOf(reader: PacketReader): Decoded<AccPacket> {
  reader.skip(4); // the connection
  const count = reader.u16();
  if (count > MAX_CARS) return refused(`${count} cars, of at most ${MAX_CARS}`);
  const cars: number[] = [];
  for (let index = 0; index < count; index += 1) cars.push(reader.u16());
  return whole(reader, { kind: 'entry-list', cars });
}

function entryOf(reader: PacketReader): Decoded<AccPacket> {
  const car = reader.u16();
  const model = reader.u8();
  reader.utf8AfterU16(); // the team
  reader.skip(4 + 1 + 1 + 2); // number, cup category, current driver, nationality
  const count = reader.u8();
  const drivers: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const firstName = reader.utf8AfterU16();
    const lastName = reader.utf8AfterU16();
    reader.utf8AfterU16(); // the short name
    reader.skip(1 + 2); // category, nationality
    drivers.push([firstName, lastName].filter((name) => name.trim() !== '').join(' '));
  }
  return whole(reader, { kind: 'entry', car, model, drivers });
}

function trackOf(reader: PacketReader): Decoded<AccPacket> {
  reader.skip(4); // the connection
  const name = reader.utf8AfterU16();
  reader.skip(4 + 4); // id, length
  const cameraSets = reader.u8();
  for (let set = 0; set < cameraSets; set += 1) {
    reader.utf8AfterU16();
    const cameras = reader.u8();
    for (let camera = 0; camera < cameras; camera += 1) reader.utf8AfterU16();
  }
  const pages = reader.u8();
  for (let page = 0; page < pages; page += 1) reader.utf8AfterU16();
  return whole(reader, { kind: 'track', name });
}

function eventOf(reader: PacketReader): Decoded<AccPacket> {
  const type = reader.u8();
  reader.utf8AfterU16(); // the message
  reader.skip(4); // the moment
  const car = reader.i32();
  return whole(reader, { kind: 'event', type, car });
}
