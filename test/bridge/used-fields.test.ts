import { expect } from 'chai';
import type { CaptureRecord } from '../../src/clients/bridge/capture.ts';
import { decodeAcServer } from '../../src/clients/bridge/decoders/ac-server.ts';
import { decodeAcTelemetry } from '../../src/clients/bridge/decoders/ac-telemetry.ts';
import { decodeAcc } from '../../src/clients/bridge/decoders/acc.ts';
import { decodeAms2 } from '../../src/clients/bridge/decoders/ams2.ts';
import { decodeF1, type F1Format } from '../../src/clients/bridge/decoders/f1.ts';
import { decodeForza } from '../../src/clients/bridge/decoders/forza.ts';
import { decodeLfs } from '../../src/clients/bridge/decoders/lfs.ts';
import type { Decoded } from '../../src/clients/bridge/decoders/packet.ts';
import type { GameName } from '../../src/clients/bridge/games/games.ts';
import { requestsTo } from '../../src/clients/bridge/games/requests.ts';
import { LapFinder } from '../../src/clients/bridge/lap-finder.ts';
import * as acServer from './ac-server-packets.ts';
import * as acTelemetry from './ac-telemetry-packets.ts';
import { accCar, accEntry, accEntryList, accEvent, accRegistration, accTrack, accUpdate } from './acc-packets.ts';
import * as ams2 from './ams2-packets.ts';
import { CAPTURES } from './captures.ts';
import { F1Game, type F1Drive } from './f1-drive.ts';
import { F1_FORMATS, f1Classification, f1Event, f1History } from './f1-packets.ts';
import * as forza from './forza-packets.ts';
import * as lfs from './lfs-packets.ts';
import { recordsOf } from './plans.ts';

/** What a game sends, as one decoder reads it. */
interface DecodedGame {
  readonly name: string;
  readonly game: GameName;
  readonly decode: (bytes: Uint8Array) => Decoded<object>;
  readonly captures: readonly (readonly CaptureRecord[])[];
  /** Fields that are decoded, and that nothing follows from. */
  readonly unused: readonly string[];
}

type F1Drives = (game: F1Game) => void;

/** The player drives, and an AI beside him; `type`: of the session. */
function f1Capture(format: F1Format, drive: F1Drives, isNetworkGame = false): readonly CaptureRecord[] {
  const game = new F1Game({ format, uid: 77n });
  game.send(f1Event(game.head, 'SSTA'));
  game.session(1, 10, isNetworkGame);
  game.participants({ name: 'Ida Moor', isAi: false, team: 4 }, { name: 'RIVAL', isAi: true, team: 2 });
  drive(game);
  return game.records;
}

const FIRST: F1Drive = { sectors: [30_000, 30_000, 31_000] };
const SECOND: F1Drive = { sectors: [30_100, 30_200, 30_300] };
const RUNNING: F1Drive = { sectors: [30_000, 30_000, 31_000], untilMs: 5_000 };
/** Between packets, in ms: one in each sector. */
const SPARSE = 30_000;

const lastLap: F1Drives = (game) => {
  game.drive({ ...FIRST, isOut: true }, SPARSE);
  game.drive({ ...SECOND, isInvalid: true, isLast: true }, SPARSE);
};

const corrected: F1Drives = (game) => {
  game.drive(FIRST, SPARSE);
  game.laps = [{ ms: 91_000, sectors: [30_001, 30_002, 30_997], flags: 14 }];
  const { overallFrame = 0 } = game.head;
  // The frame falls at a flashback, and may be 0: the packet is not late for that.
  game.send(f1History({ ...game.head, frame: 0, overallFrame: overallFrame - 5 }, 0, game.laps));
};

const lostLaps: F1Drives = (game) => {
  game.drive(FIRST, SPARSE);
  const seen = game.records.length;
  game.drive(SECOND, SPARSE);
  game.drive(SECOND, SPARSE);
  game.records.splice(seen);
  game.drive(RUNNING, SPARSE);
  game.history();
};

const latePacket: F1Drives = (game) => {
  game.drive({ ...FIRST, untilMs: 90_900 }, SPARSE);
  game.lapData({ sector: 2 });
  const late = game.records.at(-1)?.payload ?? new Uint8Array(0);
  game.pass(100);
  game.lap = 2;
  game.lastLap = 91_000;
  game.lapData();
  game.pass(100);
  game.lapData();
  game.send(late);
};

const flashback: F1Drives = (game) => {
  game.drive(FIRST, SPARSE);
  game.drive(SECOND, SPARSE);
  game.drive(RUNNING, SPARSE);
  game.send(f1Event(game.head, 'FLBK', 120));
};

const classified: F1Drives = (game) => {
  const row = { position: 1, laps: 3, grid: 2, status: 3, best: 90_000, total: 270_000 };
  game.send(f1Classification(game.head, [row]));
};

function f1Captures(format: F1Format): readonly (readonly CaptureRecord[])[] {
  const captures = [f1Capture(format, lastLap), f1Capture(format, latePacket)];
  if (format >= 2020) captures.push(f1Capture(format, classified));
  if (format >= 2021) {
    for (const drive of [corrected, lostLaps, flashback]) captures.push(f1Capture(format, drive));
    captures.push(f1Capture(format, flashback, true));
  }
  return captures;
}

/** The bridge has no classification, and only the event of a flashback has a time. */
const F1_UNUSED = [
  'classification.cars[].position',
  'classification.cars[].laps',
  'classification.cars[].grid',
  'classification.cars[].resultStatus',
  'classification.cars[].bestLapMs',
  'classification.cars[].totalMs',
  'event.code',
];

function f1Unused(format: F1Format): readonly string[] {
  if (format >= 2021) return F1_UNUSED;
  // Events of these formats have no room for a flashback.
  const unused = [...F1_UNUSED, 'session.isNetworkGame'];
  return format === 2020 ? unused : unused.filter((field) => !field.startsWith('classification.'));
}

const ACC_START = [accRegistration(), accTrack('Spa'), accEntryList(1_001), accEntry(1_001, 32, ['Zoë', 'Moor'])];
const ACC_LAP = { ms: 90_000, splits: [30_000, 30_000, 30_000] };

const ACC_CAPTURES = [
  CAPTURES.acc.records,
  recordsOf([
    ...ACC_START,
    accUpdate({ index: 0, type: 0, timeMs: 300_000 }),
    // Joined in the fourth lap: the best lap says whether it is valid.
    accCar({ car: 1_001, laps: 3, last: { ms: 95_000 }, best: { ms: 95_000 } }),
    accCar({ car: 1_001, laps: 4, last: ACC_LAP, best: { ms: 95_000 } }),
  ]),
  recordsOf([
    ...ACC_START,
    accUpdate({ index: 0, type: 0, timeMs: 300_000 }),
    accCar({ car: 1_001, laps: 0 }),
    accCar({ car: 1_001, laps: 1, last: ACC_LAP, best: ACC_LAP }),
    // Started again.
    accUpdate({ index: 0, type: 0, timeMs: 1_000 }),
    accCar({ car: 1_001, laps: 0 }),
    accEvent(5, 1_001),
  ]),
];

/** Of the best lap only the time is used; of the lap that is driven nothing, as the game says all of it at its end. */
const ACC_UNUSED = [
  ...['driver', 'isIn', 'isInvalid', 'isOut', 'isValidForBest', 'splits[]'].map((field) => `car.best.${field}`),
  ...['driver', 'isIn', 'isInvalid', 'isOut', 'isValidForBest'].map((field) => `car.current.${field}`),
  'car.last.isIn',
  'entry-list.cars[]',
  'event.car',
  'event.type',
];

function ams2Captures(): readonly (readonly CaptureRecord[])[] {
  // Of these, newer ones come before them.
  const late = [
    ams2.typed(308, 1, [[48, ['text', 'Spa', 64]]]),
    ams2.typed(1_136, 2, [
      [16, ['text', 'Bo Lind', 64]],
      [1_104, ['u16', ams2.OWN_ID]],
    ]),
    ams2.typed(1_164, 8, [
      [12, ['u16', 5]],
      [20, ['text', 'Kart', 64]],
    ]),
    ams2.gameState(ams2.PLAYING, ams2.PRACTICE),
    ams2.stats(99),
    ams2.timings(9),
  ];
  const driven = [
    ...[ams2.race(), ams2.names(), ams2.vehicles(), ams2.gameState(ams2.PLAYING, ams2.RACE)],
    ...[ams2.stats(0), ams2.timings(1), ...late, ams2.timings(2), ams2.stats(91.204), ams2.timings(2)],
  ];
  const practice = [ams2.gameState(ams2.PLAYING, ams2.PRACTICE)];
  return [CAPTURES.ams2.records, recordsOf(driven), recordsOf(practice)];
}

const LFS_CAPTURES = [
  CAPTURES.lfs.records,
  recordsOf([
    lfs.VERSION,
    lfs.raceStart({ laps: 1 }),
    lfs.connected(1, 'ida_m', 'Ida'),
    lfs.connected(2, 'bo', 'Bo'),
    lfs.player(3, 1, '^1Ida ^7Moor'),
    lfs.lap(3, 95_500, 1),
    // An answer: the race goes on.
    lfs.raceStart({ laps: 1, request: 1 }),
    lfs.TAKEOVER,
    lfs.lap(3, 95_600, 2),
    lfs.LEFT,
    lfs.lap(3, 95_700, 3),
    lfs.typed(8, 19, [[3, ['u8', 1]]]),
    lfs.player(4, 1, 'Ida'),
    lfs.lap(4, 95_800, 1),
    lfs.raceStart({ laps: 0, minutes: 8 }),
  ]),
  recordsOf([lfs.VERSION, lfs.STATE, lfs.typed(4, 3), lfs.player(3, 1, 'Ida'), lfs.lap(3, 95_500, 1)]),
  recordsOf([
    lfs.VERSION,
    lfs.typed(28, 5, [
      [15, ['u8', 2]],
      [16, ['u8', 8]],
      [20, ['text', 'AS5', 6]],
    ]),
  ]),
];

const OUT_LAP = acTelemetry.car(1, 8, 94_684);

const GAMES: readonly DecodedGame[] = [
  ...F1_FORMATS.map((format) => ({
    name: `F1 ${format}`,
    game: 'f1' as const,
    decode: decodeF1,
    captures: f1Captures(format),
    unused: f1Unused(format),
  })),
  { name: 'ACC', game: 'acc', decode: decodeAcc, captures: ACC_CAPTURES, unused: ACC_UNUSED },
  {
    name: 'the remote telemetry of Assetto Corsa',
    game: 'ac',
    decode: decodeAcTelemetry,
    captures: [
      recordsOf([acTelemetry.handshake(), acTelemetry.car(0, 10_000, 0, true), acTelemetry.car(0, 20_000, 0)]),
      recordsOf([acTelemetry.handshake(), acTelemetry.car(0, 10_000, 0), acTelemetry.car(1, 8, 94_684)]),
      recordsOf([acTelemetry.handshake(), acTelemetry.car(0, 9, 0, true), acTelemetry.car(0, 20, 0), OUT_LAP]),
      recordsOf([acTelemetry.SPOT]),
    ],
    unused: ['car.lapTimeMs', ...['carId', 'lap', 'driver', 'car', 'ms'].map((field) => `spot.${field}`)],
  },
  {
    name: 'the Assetto Corsa server',
    game: 'ac-server',
    decode: decodeAcServer,
    captures: [
      CAPTURES['ac-server'].records,
      recordsOf([
        acServer.session(),
        acServer.carInfo(0, 'Ida', '2002'),
        acServer.lap(0, 66_304, 1),
        acServer.session({ id: 59, elapsed: 70_000 }),
        acServer.connection(52, 0, 'Ida', '2002'),
        acServer.lap(0, 65_999, 2, 2),
        Uint8Array.of(58, 1),
      ]),
    ],
    unused: ['session.elapsedMs'],
  },
  { name: 'AMS2', game: 'ams2', decode: decodeAms2, captures: ams2Captures(), unused: [] },
  {
    name: 'Forza',
    game: 'forza',
    decode: decodeForza,
    captures: [
      recordsOf([
        forza.state({ lap: 0, last: 0, race: 0, timestamp: 1_000 }),
        forza.state({ lap: 1, last: 92.345, race: 92.345, timestamp: 93_345 }),
        // It comes late.
        forza.state({ lap: 0, last: 0, race: 91.9, timestamp: 92_900 }),
      ]),
    ],
    unused: [],
  },
  { name: 'Live for Speed', game: 'lfs', decode: decodeLfs, captures: LFS_CAPTURES, unused: ['version.insimVersion'] },
];

describe('each field that a decoder reads', () => {
  for (const { name, game, decode, captures, unused } of GAMES) {
    it(`of ${name} changes what is found in a fixture, or is asked for, or is known to be unused`, () => {
      const read = new Set<string>();
      const used = new Set<string>();
      const offsets = new Map<string, Offsets>();
      for (const records of captures) noteFields(game, decode, records, offsets, read, used);
      const idle = [...read].filter((field) => !used.has(field));
      expect(idle.sort()).to.deep.equal([...unused].sort());
    });
  }
});

/** The bytes of the fields of a packet, by their names. */
type Offsets = ReadonlyMap<string, readonly number[]>;

/** Changes one bit at a time: notes the fields that the decoder reads differently then, and those that change the outcome. */
function noteFields(
  game: GameName,
  decode: (bytes: Uint8Array) => Decoded<object>,
  records: readonly CaptureRecord[],
  offsets: Map<string, Offsets>,
  read: Set<string>,
  used: Set<string>,
): void {
  const outcome = outcomeOf(game, records);
  for (const [index, record] of records.entries()) {
    const { payload, at } = record;
    const fields = fieldsIn(decode(payload));
    const layout = payload.length > FIXED_LAYOUT_BYTES ? `${fields.get('kind')}/${payload.length}` : payload.join();
    const known = offsets.get(layout) ?? offsetsOf(payload, fields, decode);
    offsets.set(layout, known);
    for (const [field, bytes] of known) {
      read.add(field);
      for (const offset of bytes) {
        if (used.has(field)) break;
        for (const bit of BITS) {
          const changed = withBit(payload, offset, bit);
          const [only, ...more] = changedFields(fields, fieldsIn(decode(changed)));
          if (only !== field || more.length > 0) continue;
          const others = records.with(index, { at, payload: changed });
          if (outcomeOf(game, others) !== outcome) used.add(field);
        }
      }
    }
  }
}

/** Larger packets have their fields at fixed offsets, which are looked for once. */
const FIXED_LAYOUT_BYTES = 500;
/** The bits of a byte that are changed: flags are at one of them, and numbers change by much and by little. */
const BITS = [0, 1, 3, 7];
/** Most bytes that are tried for a field: those of the first car, of which the fixtures are. */
const MOST_BYTES = 8;

/** Where the fields of a packet are: the bytes that alone change one. */
function offsetsOf(
  payload: Uint8Array,
  fields: ReadonlyMap<string, string>,
  decode: (bytes: Uint8Array) => Decoded<object>,
): Offsets {
  const offsets = new Map<string, number[]>();
  for (let offset = 0; offset < payload.length; offset += 1) {
    for (const bit of BITS) {
      const [only, ...others] = changedFields(fields, fieldsIn(decode(withBit(payload, offset, bit))));
      if (only === undefined || others.length > 0) continue;
      const known = offsets.get(only) ?? [];
      if (known.length < MOST_BYTES && !known.includes(offset)) known.push(offset);
      offsets.set(only, known);
    }
  }
  return offsets;
}

function withBit(payload: Uint8Array, offset: number, bit: number): Uint8Array {
  const changed = Uint8Array.from(payload);
  changed[offset] = (changed[offset] ?? 0) ^ (1 << bit);
  return changed;
}

/** What follows from packets: what is found, who drives, and what the game is asked. */
function outcomeOf(game: GameName, records: readonly CaptureRecord[]): string {
  const requests = requestsTo(game, { password: '' });
  const finder = new LapFinder(game);
  const outcome: unknown[] = [];
  for (const { payload, at } of records) {
    const { sessions, findings } = finder.read(payload, at);
    outcome.push(sessions, findings, requests.answersTo(payload, at));
  }
  return JSON.stringify([finder.format, outcome, finder.running(), finder.finish()]);
}

/** The fields of a decoded packet by name, behind its kind; empty where it was refused. */
function fieldsIn(result: Decoded<object>): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  if (result.outcome === 'decoded') collect('', result.packet, fields);
  return fields;
}

function collect(path: string, value: unknown, fields: Map<string, string>): void {
  if (value instanceof Map) {
    collect(path, [...value], fields);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      collect(path === '' ? name : `${path}.${name}`, inner, fields);
    }
  } else {
    fields.set(path, String(value));
  }
}

/** The names of fields that differ between two packets of a kind, without the positions in lists. */
function changedFields(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const kind = before.get('kind') ?? '';
  if ((after.get('kind') ?? '') !== kind || before.size === 0 || after.size === 0) return [];
  const changed = new Set<string>();
  for (const field of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(field) === after.get(field)) continue;
    const name = field.replaceAll(/\.\d+(?=\.|$)/g, '[]');
    changed.add(kind === '' || name.startsWith('header.') ? name : `${kind}.${name}`);
  }
  return [...changed];
}
