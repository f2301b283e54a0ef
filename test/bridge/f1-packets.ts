import type { F1Format } from '../../src/clients/bridge/decoders/f1.ts';
import { packet, type Field } from './bytes.ts';

/** Packets of F1, made for these tests after the layouts of the formats. */

/** Where the used fields are in each format; what is left out is as in the format before. */
interface Offsets {
  readonly header: number;
  readonly packetId: number;
  readonly uid: number;
  readonly time: number;
  readonly frame: number;
  readonly player: number;
  readonly cars: number;
  readonly sizes: Readonly<Partial<Record<PacketName, number>>>;
  readonly lap: number;
  readonly lapFields: { readonly number: number; readonly sector: number; readonly invalid: number };
  readonly status: number;
  readonly participant: number;
  readonly team: number;
  readonly name: number;
}

type PacketName = 'session' | 'lapData' | 'event' | 'participants' | 'classification' | 'history';

const IDS: Readonly<Record<PacketName, number>> = {
  session: 1,
  lapData: 2,
  event: 3,
  participants: 4,
  classification: 8,
  history: 11,
};

const OFFSETS: Readonly<Record<F1Format, Offsets>> = {
  2018: {
    header: 21,
    packetId: 3,
    uid: 4,
    time: 12,
    frame: 16,
    player: 20,
    cars: 20,
    sizes: { session: 147, lapData: 841, event: 25, participants: 1082 },
    lap: 41,
    lapFields: { number: 33, sector: 35, invalid: 36 },
    status: 39,
    participant: 53,
    team: 2,
    name: 5,
  },
  2019: {
    header: 23,
    packetId: 5,
    uid: 6,
    time: 14,
    frame: 18,
    player: 22,
    cars: 20,
    sizes: { session: 149, lapData: 843, event: 32, participants: 1104 },
    lap: 41,
    lapFields: { number: 33, sector: 35, invalid: 36 },
    status: 39,
    participant: 54,
    team: 2,
    name: 5,
  },
  2020: {
    header: 24,
    packetId: 5,
    uid: 6,
    time: 14,
    frame: 18,
    player: 22,
    cars: 22,
    sizes: { session: 251, lapData: 1190, event: 35, participants: 1213, classification: 839 },
    lap: 53,
    lapFields: { number: 45, sector: 47, invalid: 48 },
    status: 51,
    participant: 54,
    team: 2,
    name: 5,
  },
  2021: {
    header: 24,
    packetId: 5,
    uid: 6,
    time: 14,
    frame: 18,
    player: 22,
    cars: 22,
    sizes: { session: 625, lapData: 970, event: 36, participants: 1257, classification: 839, history: 1155 },
    lap: 43,
    lapFields: { number: 25, sector: 28, invalid: 29 },
    status: 35,
    participant: 56,
    team: 3,
    name: 7,
  },
  2022: {
    header: 24,
    packetId: 5,
    uid: 6,
    time: 14,
    frame: 18,
    player: 22,
    cars: 22,
    sizes: { session: 632, lapData: 972, event: 40, participants: 1257, classification: 1015, history: 1155 },
    lap: 43,
    lapFields: { number: 25, sector: 28, invalid: 29 },
    status: 35,
    participant: 56,
    team: 3,
    name: 7,
  },
  2023: {
    header: 29,
    packetId: 6,
    uid: 7,
    time: 15,
    frame: 19,
    player: 27,
    cars: 22,
    sizes: { session: 644, lapData: 1131, event: 45, participants: 1306, classification: 1020, history: 1460 },
    lap: 50,
    lapFields: { number: 31, sector: 34, invalid: 35 },
    status: 42,
    participant: 58,
    team: 3,
    name: 7,
  },
  2024: {
    header: 29,
    packetId: 6,
    uid: 7,
    time: 15,
    frame: 19,
    player: 27,
    cars: 22,
    sizes: { session: 753, lapData: 1285, event: 45, participants: 1350, classification: 1020, history: 1460 },
    lap: 57,
    lapFields: { number: 33, sector: 36, invalid: 37 },
    status: 44,
    participant: 60,
    team: 3,
    name: 7,
  },
  2025: {
    header: 29,
    packetId: 6,
    uid: 7,
    time: 15,
    frame: 19,
    player: 27,
    cars: 22,
    sizes: { session: 753, lapData: 1285, event: 45, participants: 1284, classification: 1042, history: 1460 },
    lap: 57,
    lapFields: { number: 33, sector: 36, invalid: 37 },
    status: 44,
    participant: 57,
    team: 3,
    name: 7,
  },
  2026: {
    header: 29,
    packetId: 6,
    uid: 7,
    time: 15,
    frame: 19,
    player: 27,
    cars: 24,
    sizes: { session: 926, lapData: 1399, event: 45, participants: 1470, classification: 1134, history: 1460 },
    lap: 57,
    lapFields: { number: 33, sector: 36, invalid: 37 },
    status: 44,
    participant: 60,
    team: 5,
    name: 10,
  },
};

/** All formats. */
export const F1_FORMATS: readonly F1Format[] = [2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026];

/** Sessions of formats since 2021 have histories. */
export const F1_FORMATS_WITH_HISTORY: readonly F1Format[] = [2021, 2022, 2023, 2024, 2025, 2026];

/** What a packet begins with. */
export interface F1Head {
  readonly format: F1Format;
  readonly uid: bigint;
  /** Seconds. */
  readonly time: number;
  readonly frame: number;
  /** The same as the frame, if left out. */
  readonly overallFrame?: number;
  readonly player: number;
  /** The second player of a split screen; 255, if left out. */
  readonly secondPlayer?: number;
}

type Placed = readonly [offset: number, field: Field];

function packetOf(head: F1Head, name: PacketName, fields: readonly Placed[]): Uint8Array {
  const offsets = OFFSETS[head.format];
  const size = offsets.sizes[name];
  if (size === undefined) throw new Error(`format ${head.format} has no ${name}`);
  const header: Placed[] = [
    [0, ['u16', head.format]],
    [offsets.packetId, ['u8', IDS[name]]],
    [offsets.uid, ['u64', head.uid]],
    [offsets.time, ['f32', head.time]],
    [offsets.frame, ['u32', head.frame]],
    [offsets.player, ['u8', head.player]],
  ];
  if (head.format >= 2020) header.push([offsets.player + 1, ['u8', head.secondPlayer ?? 255]]);
  if (head.format >= 2023) header.push([offsets.frame + 4, ['u32', head.overallFrame ?? head.frame]]);
  return packet(size, [...header, ...fields]);
}

/** A session packet. */
export function f1Session(
  head: F1Head,
  session: {
    readonly type: number;
    readonly track: number;
    readonly isSpectating?: boolean;
    readonly isNetworkGame?: boolean;
  },
): Uint8Array {
  const at = OFFSETS[head.format].header;
  return packetOf(head, 'session', [
    [at + 6, ['u8', session.type]],
    [at + 7, ['i8', session.track]],
    [at + 15, ['u8', session.isSpectating === true ? 1 : 0]],
    [at + 125, ['u8', session.isNetworkGame === true ? 1 : 0]],
  ]);
}

/** A car in lap data. Times are in ms. */
export interface F1TestCar {
  readonly lastLap: number;
  readonly currentLap: number;
  readonly sector1: number;
  readonly sector2: number;
  readonly lap: number;
  readonly sector: number;
  readonly isInvalid: boolean;
  readonly driverStatus: number;
  readonly resultStatus: number;
}

/** Lap data of some cars, by their index. */
export function f1LapData(head: F1Head, cars: Readonly<Record<number, F1TestCar>>): Uint8Array {
  const { header, lap, lapFields, status } = OFFSETS[head.format];
  const fields: Placed[] = [];
  for (const [index, car] of Object.entries(cars)) {
    const at = header + Number(index) * lap;
    const isInSeconds = head.format <= 2020;
    fields.push([at, isInSeconds ? ['f32', car.lastLap / 1_000] : ['u32', car.lastLap]]);
    fields.push([at + 4, isInSeconds ? ['f32', car.currentLap / 1_000] : ['u32', car.currentLap]]);
    if (head.format <= 2019) {
      fields.push([at + 12, ['f32', car.sector1 / 1_000]], [at + 16, ['f32', car.sector2 / 1_000]]);
    } else if (head.format <= 2022) {
      fields.push([at + 8, ['u16', car.sector1 % 65_536]], [at + 10, ['u16', car.sector2 % 65_536]]);
    } else {
      fields.push(...wideSector(at + 8, car.sector1), ...wideSector(at + 11, car.sector2));
    }
    fields.push([at + lapFields.number, ['u8', car.lap]]);
    fields.push([at + lapFields.sector, ['u8', car.sector]]);
    fields.push([at + lapFields.invalid, ['u8', car.isInvalid ? 1 : 0]]);
    fields.push([at + status, ['u8', car.driverStatus]]);
    fields.push([at + status + 1, ['u8', car.resultStatus]]);
  }
  return packetOf(head, 'lapData', fields);
}

function wideSector(at: number, ms: number): readonly Placed[] {
  return [
    [at, ['u16', ms % 60_000]],
    [at + 2, ['u8', Math.floor(ms / 60_000)]],
  ];
}

/** A lap in a history. `flags`: 1 the lap is valid, 2, 4 and 8 its sectors. */
export interface F1TestLap {
  readonly ms: number;
  readonly sectors: readonly [number, number, number];
  readonly flags: number;
}

/** The history of a car. */
export function f1History(head: F1Head, car: number, laps: readonly F1TestLap[]): Uint8Array {
  const at = OFFSETS[head.format].header;
  const fields: Placed[] = [
    [at, ['u8', car]],
    [at + 1, ['u8', laps.length]],
  ];
  const isNarrow = head.format <= 2022;
  const size = isNarrow ? 11 : 14;
  for (const [index, lap] of laps.entries()) {
    const record = at + 7 + index * size;
    fields.push([record, ['u32', lap.ms]], [record + size - 1, ['u8', lap.flags]]);
    for (const [sector, ms] of lap.sectors.entries()) {
      if (isNarrow) fields.push([record + 4 + sector * 2, ['u16', ms % 65_536]]);
      else fields.push(...wideSector(record + 4 + sector * 3, ms));
    }
  }
  return packetOf(head, 'history', fields);
}

/** A driver. */
export interface F1TestDriver {
  readonly name: string;
  readonly isAi: boolean;
  readonly team: number;
}

/** Participants. */
export function f1Participants(head: F1Head, drivers: readonly F1TestDriver[]): Uint8Array {
  const { header, participant, team, name } = OFFSETS[head.format];
  const fields: Placed[] = [[header, ['u8', drivers.length]]];
  for (const [index, driver] of drivers.entries()) {
    const at = header + 1 + index * participant;
    fields.push([at, ['u8', driver.isAi ? 1 : 0]]);
    fields.push([at + team, [head.format === 2026 ? 'u16' : 'u8', driver.team]]);
    fields.push([at + name, ['text', driver.name, head.format >= 2025 ? 32 : 48]]);
  }
  return packetOf(head, 'participants', fields);
}

/** An event; `flashbackTo` in seconds, for `FLBK`. */
export function f1Event(head: F1Head, code: string, flashbackTo = 0): Uint8Array {
  const at = OFFSETS[head.format].header;
  const fields: Placed[] = [[at, ['text', code, 4]]];
  if (code === 'FLBK') fields.push([at + 4, ['u32', head.frame]], [at + 8, ['f32', flashbackTo]]);
  return packetOf(head, 'event', fields);
}

/** A row of the final classification. Times are in ms. */
export interface F1TestRow {
  readonly position: number;
  readonly laps: number;
  readonly grid: number;
  readonly status: number;
  readonly best: number;
  readonly total: number;
}

/** The final classification. */
export function f1Classification(head: F1Head, rows: readonly F1TestRow[]): Uint8Array {
  const { header } = OFFSETS[head.format];
  const fields: Placed[] = [[header, ['u8', rows.length]]];
  const size = head.format <= 2021 ? 37 : head.format <= 2024 ? 45 : 46;
  const best = head.format >= 2025 ? 7 : 6;
  for (const [index, row] of rows.entries()) {
    const at = header + 1 + index * size;
    fields.push([at, ['u8', row.position]], [at + 1, ['u8', row.laps]], [at + 2, ['u8', row.grid]]);
    fields.push([at + 5, ['u8', row.status]]);
    fields.push([at + best, head.format === 2020 ? ['f32', row.best / 1_000] : ['u32', row.best]]);
    fields.push([at + best + 4, ['f64', row.total / 1_000]]);
  }
  return packetOf(head, 'classification', fields);
}
