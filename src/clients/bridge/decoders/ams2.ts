import { msOf } from '../../results/times.ts';
import { decoded, PacketView, refused, type Decoded } from './packet.ts';

/** The track. */
export interface Ams2Race {
  readonly kind: 'race';
  readonly track: string;
  readonly layout: string;
}

/** Names of 16 drivers, by the ids that `Ams2Timings` has for them. */
export interface Ams2Names {
  readonly kind: 'names';
  readonly names: ReadonlyMap<number, string>;
}

/** A car in the timings. */
export interface Ams2Car {
  readonly id: number;
  readonly isActive: boolean;
  /** The index of the vehicle. */
  readonly vehicle: number;
  /** 0 invalid, 1 not started, 2 racing, 3 finished, 4 disqualified, 5 retired, 6 did not finish. */
  readonly raceState: number;
  /** Whether the lap that is driven is invalid. */
  readonly isInvalid: boolean;
  /** The lap that is driven, from 1. */
  readonly currentLap: number;
}

/** Which lap each car drives. */
export interface Ams2Timings {
  readonly kind: 'timings';
  /** The index of the own car; null where there is none. */
  readonly ownCar: number | null;
  readonly cars: readonly Ams2Car[];
}

/** What session runs. */
export interface Ams2GameState {
  readonly kind: 'game-state';
  /** 1 front end, 2 playing, 3 paused, 4 and more: menus and replays. */
  readonly gameState: number;
  /** 1 practice, 2 test, 3 qualifying, 4 formation lap, 5 race, 6 time attack. */
  readonly sessionType: number;
}

/** The last laps, by the index of the car. */
export interface Ams2Stats {
  readonly kind: 'stats';
  readonly lastLaps: readonly (number | null)[];
}

/** Names of vehicles by index. */
export interface Ams2Vehicles {
  readonly kind: 'vehicles';
  readonly names: ReadonlyMap<number, string>;
}

/** A packet that has nothing about laps. */
export interface Ams2Other {
  readonly kind: 'other';
}

/** A packet of version 2 of the UDP of Project CARS 2 and Automobilista 2. `number` counts packets of its type. */
export type Ams2Packet = { readonly number: number; readonly type: number } & (
  Ams2Race | Ams2Names | Ams2Timings | Ams2GameState | Ams2Stats | Ams2Vehicles | Ams2Other
);

const HEADER_BYTES = 12;
const NUMBER_IN_CATEGORY = 4;
const TYPE = 10;

/** Sizes of packets in bytes, by type: newer and older revisions of the protocol. */
const SIZES: Readonly<Record<number, readonly number[]>> = {
  0: [559, 538],
  1: [308],
  2: [1136, 1040],
  3: [1063, 993],
  4: [24],
  7: [1040, 784],
  8: [1164, 1452],
};

const RACE = 1;
const NAMES = 2;
const TIMINGS = 3;
const GAME_STATE = 4;
const STATS = 7;
const VEHICLES = 8;

const CARS = 32;

/** Decodes a packet of version 2 of the UDP of Project CARS 2. The type and the size have to fit together. */
export function decodeAms2(bytes: Uint8Array): Decoded<Ams2Packet> {
  const view = new PacketView(bytes);
  if (view.length < HEADER_BYTES) return refused(`it has ${view.length} bytes, fewer than the header`);
  const type = view.u8(TYPE);
  const sizes = SIZES[type];
  if (sizes === undefined) return refused(`there is no packet ${type}`);
  if (!sizes.includes(view.length)) {
    return refused(`packet ${type} has ${sizes.join(' or ')} bytes, this one ${view.length}`);
  }
  const number = view.u32(NUMBER_IN_CATEGORY);
  switch (type) {
    case RACE: {
      const track = view.utf8(48, 64);
      const layout = view.utf8(112, 64);
      return decoded({ number, type, kind: 'race', track, layout });
    }
    case NAMES:
      return decoded({ number, type, ...namesOf(view) });
    case TIMINGS:
      return decoded({ number, type, ...timingsOf(view) });
    case GAME_STATE: {
      const state = view.u8(14);
      return decoded({ number, type, kind: 'game-state', gameState: state & 7, sessionType: (state >> 3) & 7 });
    }
    case STATS:
      return decoded({ number, type, ...statsOf(view) });
    case VEHICLES:
      return decoded({ number, type, ...vehiclesOf(view) });
    default:
      return decoded({ number, type, kind: 'other' });
  }
}

/** The older revision of this packet has no ids: its names belong to nobody. */
function namesOf(view: PacketView): Ams2Names | Ams2Other {
  if (view.length !== 1136) return { kind: 'other' };
  const names = new Map<number, string>();
  for (let index = 0; index < 16; index += 1) {
    const name = view.utf8(16 + index * 64, 64);
    if (name !== '') names.set(view.u16(1104 + index * 2), name);
  }
  return { kind: 'names', names };
}

function timingsOf(view: PacketView): Ams2Timings {
  const hasIds = view.length === 1063;
  const entryBytes = hasIds ? 32 : 30;
  const cars: Ams2Car[] = [];
  for (let index = 0; index < CARS; index += 1) {
    const at = 33 + index * entryBytes;
    const raceState = view.u8(at + 20);
    cars.push({
      id: hasIds ? view.u16(at + 30) : index,
      isActive: (view.u8(at + 14) & 0x80) !== 0,
      vehicle: view.u16(at + 18) & 0x7f_ff,
      raceState: raceState & 7,
      isInvalid: (raceState & 8) !== 0,
      currentLap: view.u8(at + 21),
    });
  }
  const own = view.u16(33 + CARS * entryBytes);
  return { kind: 'timings', ownCar: own < CARS ? own : null, cars };
}

function statsOf(view: PacketView): Ams2Stats {
  const entryBytes = view.length === 1040 ? 32 : 24;
  const lastLaps: (number | null)[] = [];
  for (let index = 0; index < CARS; index += 1) {
    lastLaps.push(msOf(view.f32(16 + index * entryBytes + 4) * 1_000));
  }
  return { kind: 'stats', lastLaps };
}

/** Names of classes of vehicles come in larger packets of the same type. */
function vehiclesOf(view: PacketView): Ams2Vehicles | Ams2Other {
  if (view.length !== 1164) return { kind: 'other' };
  const names = new Map<number, string>();
  for (let index = 0; index < 16; index += 1) {
    const at = HEADER_BYTES + index * 72;
    const name = view.utf8(at + 8, 64);
    if (name !== '') names.set(view.u16(at), name);
  }
  return { kind: 'vehicles', names };
}
