import type { F1Format } from '../../src/clients/bridge/decoders/f1.ts';
import type { CaptureRecord } from '../../src/clients/bridge/capture.ts';
import {
  f1Event,
  f1History,
  f1LapData,
  f1Participants,
  f1Session,
  type F1Head,
  type F1TestCar,
  type F1TestDriver,
  type F1TestLap,
} from './f1-packets.ts';

/** How often packets come, in ms. */
const STEP_MS = 500;

/** A lap to drive. Times are in ms. */
export interface F1Drive {
  readonly sectors: readonly [number, number, number];
  readonly isInvalid?: boolean;
  readonly isOut?: boolean;
  /** Whether it ends at the flag: the number of the lap stays. */
  readonly isLast?: boolean;
  /** Drives only this long, in ms. */
  readonly untilMs?: number;
}

/** What a game of F1 sends while somebody drives: the packets, with when they came. */
export class F1Game {
  readonly records: CaptureRecord[] = [];
  readonly #format: F1Format;
  readonly #player: number;
  readonly #secondPlayer: number;
  /** When the next packet comes, in ms since the start of the capture. */
  at = 0;
  /** Time of the session, in ms. */
  timeMs = 0;
  uid: bigint;
  lap = 1;
  lastLap = 0;
  laps: F1TestLap[] = [];
  #overallFrame = 0;
  /** When the lap that is driven began, in ms of the session. */
  #lapStart = 0;

  constructor({
    format,
    uid,
    player = 0,
    secondPlayer = 255,
  }: {
    readonly format: F1Format;
    readonly uid: bigint;
    readonly player?: number;
    readonly secondPlayer?: number;
  }) {
    this.#format = format;
    this.uid = uid;
    this.#player = player;
    this.#secondPlayer = secondPlayer;
  }

  get head(): F1Head {
    return {
      format: this.#format,
      uid: this.uid,
      time: this.timeMs / 1_000,
      frame: Math.round((this.timeMs * 60) / 1_000),
      overallFrame: this.#overallFrame,
      player: this.#player,
      secondPlayer: this.#secondPlayer,
    };
  }

  /** Sends a packet now. */
  send(payload: Uint8Array): void {
    this.records.push({ at: this.at, payload });
  }

  /** Time goes by. */
  pass(ms: number): void {
    this.at += ms;
    this.timeMs += ms;
    this.#overallFrame += Math.round((ms * 60) / 1_000);
  }

  session(type: number, track: number, isNetworkGame = false): void {
    this.send(f1Session(this.head, { type, track, isNetworkGame }));
  }

  participants(...drivers: readonly F1TestDriver[]): void {
    this.send(f1Participants(this.head, drivers));
  }

  /** Lap data of the player, and of others. */
  lapData(car: Partial<F1TestCar> = {}, others: Readonly<Record<number, F1TestCar>> = {}): void {
    const own: F1TestCar = {
      lastLap: this.lastLap,
      currentLap: this.timeMs - this.#lapStart,
      sector1: 0,
      sector2: 0,
      lap: this.lap,
      sector: 0,
      isInvalid: false,
      driverStatus: 1,
      resultStatus: 2,
      ...car,
    };
    this.send(f1LapData(this.head, { ...others, [this.#player]: own }));
  }

  /** The history of the player, with the lap that is driven. */
  history(uid = this.uid): void {
    const running: F1TestLap = { ms: 0, sectors: [0, 0, 0], flags: 15 };
    const head = uid === this.uid ? this.head : { ...this.head, uid, time: 0, frame: 0, overallFrame: 0 };
    this.send(f1History(head, this.#player, [...this.laps, running]));
  }

  /** Drives a lap; `betweenMs` is the time between two packets. */
  drive({ sectors, isInvalid = false, isOut = false, isLast = false, untilMs }: F1Drive, betweenMs = STEP_MS): void {
    const [first, second, third] = sectors;
    const ms = first + second + third;
    const end = untilMs ?? ms;
    this.#lapStart = this.timeMs;
    for (let driven = 0; driven < end; driven += betweenMs) {
      const sector = driven < first ? 0 : driven < first + second ? 1 : 2;
      this.lapData({
        sector,
        sector1: sector >= 1 ? first : 0,
        sector2: sector >= 2 ? second : 0,
        isInvalid: isInvalid && driven > first,
        driverStatus: isOut ? 3 : 1,
      });
      this.pass(Math.min(betweenMs, end - driven));
    }
    if (untilMs !== undefined) return;
    this.lastLap = ms;
    this.laps.push({ ms, sectors, flags: isInvalid ? 14 : 15 });
    this.#lapStart = this.timeMs;
    if (!isLast) this.lap += 1;
    this.lapData(isLast ? { sector: 2, sector1: first, sector2: second, resultStatus: 3, driverStatus: 4 } : {});
  }

  /** Goes back to a time of the session, in ms, in which a lap was driven that had begun at another. */
  flashback(toMs: number, lap: number, lapStart: number): void {
    this.timeMs = toMs;
    this.lap = lap;
    this.#lapStart = lapStart;
    this.laps = this.laps.slice(0, lap - 1);
    this.lastLap = this.laps.at(-1)?.ms ?? 0;
    this.send(f1Event(this.head, 'FLBK', toMs / 1_000));
  }
}
