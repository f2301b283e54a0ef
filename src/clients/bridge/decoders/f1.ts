import { msOf } from '../../results/times.ts';
import { decoded, PacketView, refused, type Decoded } from './packet.ts';

/** Formats of the UDP telemetry of F1, by year. The player may choose an older one than the game's. */
export type F1Format = 2018 | 2019 | 2020 | 2021 | 2022 | 2023 | 2024 | 2025 | 2026;

/** What every packet begins with. */
export interface F1Header {
  readonly format: F1Format;
  /** Decimal; `0` in menus, and after the end of a session. */
  readonly sessionUid: string;
  /** Seconds. */
  readonly sessionTime: number;
  /** Goes back at a flashback. */
  readonly frame: number;
  /** Never goes back; null before 2023. */
  readonly overallFrame: number | null;
  /** The players at this machine, by the index of their cars: none while watching, two with a split screen. */
  readonly playerCars: readonly number[];
}

/** A packet about the session. */
export interface F1Session {
  readonly kind: 'session';
  readonly sessionType: number;
  readonly trackId: number;
  readonly isSpectating: boolean;
  readonly isNetworkGame: boolean;
}

/** A car in a packet of lap data. Times are in ms, null where there is none yet. */
export interface F1CarLap {
  readonly lastLapMs: number | null;
  readonly currentLapMs: number | null;
  readonly sector1Ms: number | null;
  readonly sector2Ms: number | null;
  /** The lap that is driven, from 1. */
  readonly lapNumber: number;
  /** 0 to 2. */
  readonly sector: number;
  readonly isInvalid: boolean;
  /** 0 garage, 1 flying lap, 2 in lap, 3 out lap, 4 on track. */
  readonly driverStatus: number;
  /** 2 active, 3 finished, 4 and more: out of the race. */
  readonly resultStatus: number;
}

/** Lap data of all cars. */
export interface F1LapData {
  readonly kind: 'lap-data';
  readonly cars: readonly F1CarLap[];
}

/** A lap in the history of a session. */
export interface F1HistoryLap {
  readonly lap: number;
  readonly ms: number | null;
  readonly sectors: readonly (number | null)[];
  readonly isValid: boolean;
}

/** The laps of one car, with the one that is driven. */
export interface F1History {
  readonly kind: 'history';
  readonly car: number;
  readonly laps: readonly F1HistoryLap[];
}

/** A driver in a session. */
export interface F1Participant {
  readonly name: string;
  readonly isAi: boolean;
  readonly team: number;
}

/** Who drives: the entries of the cars in use. */
export interface F1Participants {
  readonly kind: 'participants';
  readonly participants: readonly F1Participant[];
}

/** An event: `SSTA`, `SEND`, `FLBK` and others. */
export interface F1Event {
  readonly kind: 'event';
  readonly code: string;
  /** The session time, in seconds, to which a flashback goes back. */
  readonly flashbackTo: number | null;
}

/** A row of the final classification. Times are in ms. */
export interface F1ClassifiedCar {
  readonly position: number;
  readonly laps: number;
  readonly grid: number;
  readonly resultStatus: number;
  readonly bestLapMs: number | null;
  readonly totalMs: number | null;
}

/** The final classification, by the index of the car. */
export interface F1Classification {
  readonly kind: 'classification';
  readonly cars: readonly F1ClassifiedCar[];
}

/** A packet that has nothing about laps. */
export interface F1Other {
  readonly kind: 'other';
}

/** A packet of the UDP telemetry of F1. */
export type F1Packet = { readonly header: F1Header } & (
  F1Session | F1LapData | F1History | F1Participants | F1Event | F1Classification | F1Other
);

/** Offsets of the fields of the header. */
interface HeaderLayout {
  readonly bytes: number;
  readonly packetId: number;
  readonly sessionUid: number;
  readonly sessionTime: number;
  readonly frame: number;
  readonly overallFrame: number | null;
  readonly playerCar: number;
  readonly secondaryPlayerCar: number | null;
}

const HEADER_2018: HeaderLayout = {
  bytes: 21,
  packetId: 3,
  sessionUid: 4,
  sessionTime: 12,
  frame: 16,
  overallFrame: null,
  playerCar: 20,
  secondaryPlayerCar: null,
};

const HEADER_2019: HeaderLayout = {
  bytes: 23,
  packetId: 5,
  sessionUid: 6,
  sessionTime: 14,
  frame: 18,
  overallFrame: null,
  playerCar: 22,
  secondaryPlayerCar: null,
};

const HEADER_2020: HeaderLayout = { ...HEADER_2019, bytes: 24, secondaryPlayerCar: 23 };

const HEADER_2023: HeaderLayout = {
  bytes: 29,
  packetId: 6,
  sessionUid: 7,
  sessionTime: 15,
  frame: 19,
  overallFrame: 23,
  playerCar: 27,
  secondaryPlayerCar: 28,
};

/** How sectors are written: seconds as a float, ms in two bytes, or ms in two bytes and minutes in a third. */
type SectorForm = 'seconds' | 'ms' | 'ms-and-minutes';

/** Offsets of the fields of a car in lap data. */
interface LapLayout {
  readonly bytes: number;
  readonly isInSeconds: boolean;
  readonly sectorForm: SectorForm;
  readonly sector1: number;
  readonly sector2: number;
  readonly lapNumber: number;
  readonly sector: number;
  readonly isInvalid: number;
  readonly driverStatus: number;
  readonly resultStatus: number;
}

const LAP_2018: LapLayout = {
  bytes: 41,
  isInSeconds: true,
  sectorForm: 'seconds',
  sector1: 12,
  sector2: 16,
  lapNumber: 33,
  sector: 35,
  isInvalid: 36,
  driverStatus: 39,
  resultStatus: 40,
};

const LAP_2020: LapLayout = {
  bytes: 53,
  isInSeconds: true,
  sectorForm: 'ms',
  sector1: 8,
  sector2: 10,
  lapNumber: 45,
  sector: 47,
  isInvalid: 48,
  driverStatus: 51,
  resultStatus: 52,
};

const LAP_2021: LapLayout = {
  bytes: 43,
  isInSeconds: false,
  sectorForm: 'ms',
  sector1: 8,
  sector2: 10,
  lapNumber: 25,
  sector: 28,
  isInvalid: 29,
  driverStatus: 35,
  resultStatus: 36,
};

const LAP_2023: LapLayout = {
  bytes: 50,
  isInSeconds: false,
  sectorForm: 'ms-and-minutes',
  sector1: 8,
  sector2: 11,
  lapNumber: 31,
  sector: 34,
  isInvalid: 35,
  driverStatus: 42,
  resultStatus: 43,
};

const LAP_2024: LapLayout = {
  bytes: 57,
  isInSeconds: false,
  sectorForm: 'ms-and-minutes',
  sector1: 8,
  sector2: 11,
  lapNumber: 33,
  sector: 36,
  isInvalid: 37,
  driverStatus: 44,
  resultStatus: 45,
};

/** Offsets of the fields of a driver. */
interface ParticipantLayout {
  readonly bytes: number;
  readonly team: number;
  readonly isTeamWide: boolean;
  readonly name: number;
  readonly nameBytes: number;
}

const PARTICIPANT_2018: ParticipantLayout = { bytes: 53, team: 2, isTeamWide: false, name: 5, nameBytes: 48 };
const PARTICIPANT_2019: ParticipantLayout = { bytes: 54, team: 2, isTeamWide: false, name: 5, nameBytes: 48 };
const PARTICIPANT_2021: ParticipantLayout = { bytes: 56, team: 3, isTeamWide: false, name: 7, nameBytes: 48 };
const PARTICIPANT_2023: ParticipantLayout = { bytes: 58, team: 3, isTeamWide: false, name: 7, nameBytes: 48 };
const PARTICIPANT_2024: ParticipantLayout = { bytes: 60, team: 3, isTeamWide: false, name: 7, nameBytes: 48 };
const PARTICIPANT_2025: ParticipantLayout = { bytes: 57, team: 3, isTeamWide: false, name: 7, nameBytes: 32 };
const PARTICIPANT_2026: ParticipantLayout = { bytes: 60, team: 5, isTeamWide: true, name: 10, nameBytes: 32 };

/** How a car is written in the final classification. */
interface ClassificationLayout {
  readonly bytes: number;
  readonly bestLap: number;
  readonly isBestLapInSeconds: boolean;
  readonly totalTime: number;
}

const CLASSIFICATION_2020: ClassificationLayout = { bytes: 37, bestLap: 6, isBestLapInSeconds: true, totalTime: 10 };
const CLASSIFICATION_2021: ClassificationLayout = { bytes: 37, bestLap: 6, isBestLapInSeconds: false, totalTime: 10 };
const CLASSIFICATION_2022: ClassificationLayout = { bytes: 45, bestLap: 6, isBestLapInSeconds: false, totalTime: 10 };
const CLASSIFICATION_2025: ClassificationLayout = { bytes: 46, bestLap: 7, isBestLapInSeconds: false, totalTime: 11 };

interface FormatLayout {
  readonly header: HeaderLayout;
  readonly cars: number;
  readonly lap: LapLayout;
  readonly participant: ParticipantLayout;
  readonly classification: ClassificationLayout | null;
  /** How sectors are written in the history; null: the format has no history. */
  readonly historySectors: SectorForm | null;
  /** Sizes of packets in bytes, by packet id: 0 motion, 1 session, 2 lap data, 3 event, 4 participants and so on. */
  readonly sizes: readonly (number | null)[];
}

const FORMATS: Readonly<Record<F1Format, FormatLayout>> = {
  2018: {
    header: HEADER_2018,
    cars: 20,
    lap: LAP_2018,
    participant: PARTICIPANT_2018,
    classification: null,
    historySectors: null,
    sizes: [1341, 147, 841, 25, 1082, 841, 1085, 1061],
  },
  2019: {
    header: HEADER_2019,
    cars: 20,
    lap: LAP_2018,
    participant: PARTICIPANT_2019,
    classification: null,
    historySectors: null,
    sizes: [1343, 149, 843, 32, 1104, 843, 1347, 1143],
  },
  2020: {
    header: HEADER_2020,
    cars: 22,
    lap: LAP_2020,
    participant: PARTICIPANT_2019,
    classification: CLASSIFICATION_2020,
    historySectors: null,
    sizes: [1464, 251, 1190, 35, 1213, 1102, 1307, 1344, 839, 1169],
  },
  2021: {
    header: HEADER_2020,
    cars: 22,
    lap: LAP_2021,
    participant: PARTICIPANT_2021,
    classification: CLASSIFICATION_2021,
    historySectors: 'ms',
    sizes: [1464, 625, 970, 36, 1257, 1102, 1347, 1058, 839, 1191, 882, 1155],
  },
  2022: {
    header: HEADER_2020,
    cars: 22,
    lap: LAP_2021,
    participant: PARTICIPANT_2021,
    classification: CLASSIFICATION_2022,
    historySectors: 'ms',
    sizes: [1464, 632, 972, 40, 1257, 1102, 1347, 1058, 1015, 1191, 948, 1155],
  },
  2023: {
    header: HEADER_2023,
    cars: 22,
    lap: LAP_2023,
    participant: PARTICIPANT_2023,
    classification: CLASSIFICATION_2022,
    historySectors: 'ms-and-minutes',
    sizes: [1349, 644, 1131, 45, 1306, 1107, 1352, 1239, 1020, 1218, 953, 1460, 231, 217],
  },
  2024: {
    header: HEADER_2023,
    cars: 22,
    lap: LAP_2024,
    participant: PARTICIPANT_2024,
    classification: CLASSIFICATION_2022,
    historySectors: 'ms-and-minutes',
    sizes: [1349, 753, 1285, 45, 1350, 1133, 1352, 1239, 1020, 1306, 953, 1460, 231, 237, 101],
  },
  2025: {
    header: HEADER_2023,
    cars: 22,
    lap: LAP_2024,
    participant: PARTICIPANT_2025,
    classification: CLASSIFICATION_2025,
    historySectors: 'ms-and-minutes',
    sizes: [1349, 753, 1285, 45, 1284, 1133, 1352, 1239, 1042, 954, 1041, 1460, 231, 273, 101, 1131],
  },
  2026: {
    header: HEADER_2023,
    cars: 24,
    lap: LAP_2024,
    participant: PARTICIPANT_2026,
    classification: CLASSIFICATION_2025,
    historySectors: 'ms-and-minutes',
    sizes: [1325, 926, 1399, 45, 1470, 1233, 1448, 1445, 1134, 1062, 1133, 1460, 231, 273, 104, 1231, 269],
  },
};

/** What packets are about, by packet id. */
const PACKET_IDS = { session: 1, lapData: 2, event: 3, participants: 4, classification: 8, history: 11 } as const;

/** Most laps in a history. */
const HISTORY_LAPS = 100;
const MS_PER_MINUTE = 60_000;

/** Decodes a packet of the UDP telemetry of F1. The format, the packet id and the size have to fit together. */
export function decodeF1(bytes: Uint8Array): Decoded<F1Packet> {
  const view = new PacketView(bytes);
  if (view.length < HEADER_2018.bytes) return refused(`it has ${view.length} bytes, fewer than any header`);
  const format = view.u16(0);
  if (!isFormat(format)) return refused(`the format ${format} is unknown`);
  const layout = FORMATS[format];
  const packetId = view.u8(layout.header.packetId);
  const size = layout.sizes[packetId] ?? null;
  if (size === null) return refused(`format ${format} has no packet ${packetId}`);
  if (size !== view.length) {
    return refused(`packet ${packetId} of format ${format} has ${size} bytes, this one ${view.length}`);
  }
  const header = headerOf(view, format, layout);
  if (!Number.isFinite(header.sessionTime)) return refused('the session time is no number');
  switch (packetId) {
    case PACKET_IDS.session:
      return decoded({ header, ...sessionOf(view, layout) });
    case PACKET_IDS.lapData:
      return decoded({ header, ...lapDataOf(view, layout) });
    case PACKET_IDS.event:
      return decoded({ header, ...eventOf(view, layout) });
    case PACKET_IDS.participants:
      return participantsOf(header, view, layout);
    case PACKET_IDS.classification:
      return classificationOf(header, view, layout);
    case PACKET_IDS.history:
      return historyOf(header, view, layout);
    default:
      return decoded({ header, kind: 'other' });
  }
}

function isFormat(value: number): value is F1Format {
  return Object.hasOwn(FORMATS, value);
}

function headerOf(view: PacketView, format: F1Format, { header, cars }: FormatLayout): F1Header {
  const playerCars: number[] = [];
  const first = view.u8(header.playerCar);
  if (first < cars) playerCars.push(first);
  if (header.secondaryPlayerCar !== null) {
    const second = view.u8(header.secondaryPlayerCar);
    if (second < cars && second !== first) playerCars.push(second);
  }
  return {
    format,
    sessionUid: view.u64(header.sessionUid).toString(),
    sessionTime: view.f32(header.sessionTime),
    frame: view.u32(header.frame),
    overallFrame: header.overallFrame === null ? null : view.u32(header.overallFrame),
    playerCars,
  };
}

function sessionOf(view: PacketView, { header }: FormatLayout): F1Session {
  return {
    kind: 'session',
    sessionType: view.u8(header.bytes + 6),
    trackId: view.i8(header.bytes + 7),
    isSpectating: view.u8(header.bytes + 15) === 1,
    isNetworkGame: view.u8(header.bytes + 125) === 1,
  };
}

function lapDataOf(view: PacketView, { header, cars: count, lap }: FormatLayout): F1LapData {
  const cars: F1CarLap[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = header.bytes + index * lap.bytes;
    cars.push({
      lastLapMs: lap.isInSeconds ? msOfSeconds(view.f32(at)) : msOf(view.u32(at)),
      currentLapMs: lap.isInSeconds ? msOfSeconds(view.f32(at + 4)) : msOf(view.u32(at + 4)),
      sector1Ms: sectorOf(view, at + lap.sector1, lap.sectorForm),
      sector2Ms: sectorOf(view, at + lap.sector2, lap.sectorForm),
      lapNumber: view.u8(at + lap.lapNumber),
      sector: view.u8(at + lap.sector),
      isInvalid: view.u8(at + lap.isInvalid) === 1,
      driverStatus: view.u8(at + lap.driverStatus),
      resultStatus: view.u8(at + lap.resultStatus),
    });
  }
  return { kind: 'lap-data', cars };
}

function eventOf(view: PacketView, { header }: FormatLayout): F1Event {
  const code = view.utf8(header.bytes, 4);
  const time = code === 'FLBK' ? view.f32(header.bytes + 8) : NaN;
  return { kind: 'event', code, flashbackTo: Number.isFinite(time) ? time : null };
}

function participantsOf(
  header: F1Header,
  view: PacketView,
  { header: { bytes }, cars, participant }: FormatLayout,
): Decoded<F1Packet> {
  const count = view.u8(bytes);
  if (count > cars) return refused(`${count} participants, of at most ${cars}`);
  const participants: F1Participant[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = bytes + 1 + index * participant.bytes;
    participants.push({
      name: view.utf8(at + participant.name, participant.nameBytes),
      isAi: view.u8(at) === 1,
      team: participant.isTeamWide ? view.u16(at + participant.team) : view.u8(at + participant.team),
    });
  }
  return decoded({ header, kind: 'participants', participants });
}

function classificationOf(
  header: F1Header,
  view: PacketView,
  { header: { bytes }, cars: most, classification }: FormatLayout,
): Decoded<F1Packet> {
  const count = view.u8(bytes);
  if (classification === null) return refused('this format has no classification');
  if (count > most) return refused(`${count} classified cars, of at most ${most}`);
  const cars: F1ClassifiedCar[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = bytes + 1 + index * classification.bytes;
    const bestLap = at + classification.bestLap;
    cars.push({
      position: view.u8(at),
      laps: view.u8(at + 1),
      grid: view.u8(at + 2),
      resultStatus: view.u8(at + 5),
      bestLapMs: classification.isBestLapInSeconds ? msOfSeconds(view.f32(bestLap)) : msOf(view.u32(bestLap)),
      totalMs: msOfSeconds(view.f64(at + classification.totalTime)),
    });
  }
  return decoded({ header, kind: 'classification', cars });
}

function historyOf(
  header: F1Header,
  view: PacketView,
  { header: { bytes }, cars, historySectors: form }: FormatLayout,
): Decoded<F1Packet> {
  const car = view.u8(bytes);
  const count = view.u8(bytes + 1);
  if (form === null) return refused('this format has no history');
  if (car >= cars) return refused(`the history of car ${car}, of ${cars}`);
  if (count > HISTORY_LAPS) return refused(`a history of ${count} laps, of at most ${HISTORY_LAPS}`);
  const sectorBytes = form === 'ms' ? 2 : 3;
  const recordBytes = 4 + 3 * sectorBytes + 1;
  const laps: F1HistoryLap[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = bytes + 7 + index * recordBytes;
    laps.push({
      lap: index + 1,
      ms: msOf(view.u32(at)),
      sectors: [0, 1, 2].map((sector) => sectorOf(view, at + 4 + sector * sectorBytes, form)),
      isValid: (view.u8(at + recordBytes - 1) & 1) === 1,
    });
  }
  return decoded({ header, kind: 'history', car, laps });
}

function sectorOf(view: PacketView, at: number, form: SectorForm): number | null {
  switch (form) {
    case 'seconds':
      return msOfSeconds(view.f32(at));
    case 'ms':
      return msOf(view.u16(at));
    case 'ms-and-minutes':
      return msOf(view.u16(at) + view.u8(at + 2) * MS_PER_MINUTE);
  }
}

/** Seconds in whole ms; null for no time. */
function msOfSeconds(seconds: number): number | null {
  return msOf(seconds * 1_000);
}
