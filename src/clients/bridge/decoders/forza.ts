import { msOf } from '../../results/times.ts';
import { decoded, PacketView, refused, type Decoded } from './packet.ts';

/** A packet of Forza's Data Out about the own car. Times are in ms, null where there is none. */
export interface ForzaPacket {
  /** False in menus, in pauses and while loading: all else is 0 then. */
  readonly isRaceOn: boolean;
  /** The clock of the game, in ms; it overflows. */
  readonly timestamp: number;
  readonly car: number;
  /** Null where the variant does not say. */
  readonly track: number | null;
  /** Null in the short variant, which knows the car only. */
  readonly race: ForzaRace | null;
}

/** The laps of the own car. */
export interface ForzaRace {
  readonly lastLapMs: number | null;
  /** Time since the start of the race, in ms. */
  readonly raceTimeMs: number;
  /** Laps that are completed. */
  readonly lapNumber: number;
}

interface Variant {
  /** Offset of the last lap; null in the short variant. */
  readonly lastLap: number | null;
  /** Offset of the track; null where there is none. */
  readonly track: number | null;
}

/** Variants by their size in bytes. Horizon has 12 more bytes before the times. */
const VARIANTS: Readonly<Record<number, Variant>> = {
  232: { lastLap: null, track: null },
  311: { lastLap: 288, track: null },
  323: { lastLap: 300, track: null },
  324: { lastLap: 300, track: null },
  331: { lastLap: 288, track: 327 },
};

const RACE_ON = 0;
const TIMESTAMP = 4;
const CAR = 212;
/** Offsets from the last lap. */
const RACE_TIME = 8;
const LAP_NUMBER = 12;

/** Decodes a packet of Forza's Data Out, whose size tells the variant. */
export function decodeForza(bytes: Uint8Array): Decoded<ForzaPacket> {
  const view = new PacketView(bytes);
  const variant = VARIANTS[view.length];
  if (variant === undefined) return refused(`no variant has ${view.length} bytes`);
  const isRaceOn = view.i32(RACE_ON);
  if (isRaceOn !== 0 && isRaceOn !== 1) return refused(`IsRaceOn is ${isRaceOn}`);
  let race: ForzaRace | null = null;
  if (variant.lastLap !== null) {
    const raceTime = view.f32(variant.lastLap + RACE_TIME);
    if (!Number.isFinite(raceTime)) return refused('the race time is no number');
    race = {
      lastLapMs: msOf(view.f32(variant.lastLap) * 1_000),
      raceTimeMs: raceTime * 1_000,
      lapNumber: view.u16(variant.lastLap + LAP_NUMBER),
    };
  }
  return decoded({
    isRaceOn: isRaceOn === 1,
    timestamp: view.u32(TIMESTAMP),
    car: view.i32(CAR),
    track: variant.track === null ? null : view.i32(variant.track),
    race,
  });
}
