import { gzipSync } from 'node:zlib';
import { encodeRecord, type CaptureRecord } from '../../src/clients/bridge/capture.ts';
import type { GameName } from '../../src/clients/bridge/games/games.ts';
import {
  accCar,
  accEntry,
  accEntryList,
  accRegistration,
  accTrack,
  accUpdate,
  type AccTestLap,
} from './acc-packets.ts';
import * as acServer from './ac-server-packets.ts';
import * as acTelemetry from './ac-telemetry-packets.ts';
import * as ams2 from './ams2-packets.ts';
import { F1Game } from './f1-drive.ts';
import * as forza from './forza-packets.ts';
import * as lfs from './lfs-packets.ts';
import { recordsOf } from './plans.ts';

/** What a game sends while laps are driven, and what mappings call its cars and layouts. */
export interface TestCapture {
  readonly records: readonly CaptureRecord[];
  readonly cars: readonly string[];
  readonly layouts: readonly string[];
}

/** The bytes of a capture. */
export function captureBytes(records: readonly CaptureRecord[]): Uint8Array {
  return gzipSync(Buffer.concat(records.map(encodeRecord)));
}

/** A game of F1 2025 in which somebody has driven two laps, the second one invalid, and drives a third. */
export function f1Laps(uid = 12n): F1Game {
  const game = new F1Game({ format: 2025, uid });
  game.session(1, 10);
  game.participants({ name: 'Ida Moor', isAi: false, team: 4 });
  game.drive({ sectors: [30_111, 30_500, 30_593] }, 5_000);
  game.history();
  game.drive({ sectors: [30_001, 30_002, 30_004], isInvalid: true }, 5_000);
  game.history();
  game.drive({ sectors: [30_000, 30_000, 31_000], untilMs: 5_000 }, 5_000);
  return game;
}

function accLaps(): readonly CaptureRecord[] {
  const first: AccTestLap = { ms: 86_034, splits: [27_891, 21_993, 36_150] };
  const second: AccTestLap = { ms: 85_500, splits: [27_700, 21_900, 35_900] };
  return recordsOf([
    accRegistration(),
    accUpdate({ index: 0, type: 0, timeMs: 1_000 }),
    accTrack('Spa-Francorchamps'),
    accEntryList(1_001, 1_002),
    accEntry(1_001, 32, ['Zoë', 'Moor']),
    accEntry(1_002, 7, ['Bo', 'Lind']),
    accCar({ car: 1_001, laps: 0 }),
    accCar({ car: 1_002, laps: 0 }),
    accCar({ car: 1_001, laps: 1, last: first, best: first }),
    accCar({ car: 1_002, laps: 1, last: { ...second, ms: 90_001, splits: [30_000, 30_000, 30_001] } }),
    accCar({ car: 1_001, laps: 2, last: second, best: second }),
    accCar({ car: 1_001, laps: 2, last: second, best: second }),
  ]);
}

/** A capture of each game, made for these tests. */
export const CAPTURES: Readonly<Record<GameName, TestCapture>> = {
  f1: { records: f1Laps().records, cars: ['4'], layouts: ['10'] },
  acc: { records: accLaps(), cars: ['32', '7'], layouts: ['Spa-Francorchamps'] },
  ac: {
    records: recordsOf([
      acTelemetry.handshake(),
      acTelemetry.car(0, 10_000, 0),
      acTelemetry.car(1, 8, 94_684),
      acTelemetry.car(1, 80_000, 94_684),
      acTelemetry.car(2, 10, 91_204),
    ]),
    cars: ['ks_mazda'],
    layouts: ['imola/chicane'],
  },
  'ac-server': {
    records: recordsOf([
      acServer.session(),
      acServer.connection(51, 0, 'Ida', '2002'),
      acServer.lap(0, 66_304, 1),
      acServer.lap(0, 65_999, 2, 2),
    ]),
    cars: ['ks_mazda'],
    layouts: ['ks_red_bull_ring/layout_national'],
  },
  ams2: {
    records: recordsOf([
      ams2.race(),
      ams2.names(),
      ams2.vehicles(),
      ams2.gameState(ams2.PLAYING, ams2.RACE),
      ams2.stats(0),
      ams2.timings(1),
      ams2.timings(2),
      ams2.stats(101.5),
      ams2.timings(2),
      ams2.stats(91.204),
      ams2.timings(3),
    ]),
    cars: ['Formula Ultimate'],
    layouts: ['Imola/Grand Prix'],
  },
  forza: {
    records: recordsOf([
      forza.state({ lap: 0, last: 0, race: 0, timestamp: 1_000 }),
      forza.state({ lap: 1, last: 92.345, race: 92.345, timestamp: 93_345 }),
      forza.state({ lap: 2, last: 92.345, race: 184.69, timestamp: 185_690 }),
    ]),
    cars: ['2345'],
    layouts: ['110'],
  },
  lfs: {
    records: recordsOf([
      lfs.VERSION,
      lfs.raceStart(),
      lfs.connected(1, 'ida_m', 'Ida'),
      lfs.player(3, 1, '^1Ida ^7Moor'),
      lfs.split(3, 31_000, 1),
      lfs.split(3, 63_000, 2),
      lfs.lap(3, 95_500, 1),
      lfs.lap(3, 94_990, 2),
    ]),
    cars: ['XRG'],
    layouts: ['BL1'],
  },
};
