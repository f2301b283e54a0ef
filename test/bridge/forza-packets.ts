import { packet } from './bytes.ts';

/** Made packets of Forza's Data Out, after its layout. */

/** Sizes of variants, and where the last lap is in each. */
export const VARIANTS = { 311: 288, 323: 300, 324: 300, 331: 288 } as const;

export interface TestState {
  readonly lap: number;
  /** Seconds. */
  readonly last: number;
  readonly race: number;
  readonly timestamp: number;
  readonly size?: keyof typeof VARIANTS;
}

export function state({ lap, last, race, timestamp, size = 331 }: TestState): Uint8Array {
  const at = VARIANTS[size];
  return packet(size, [
    [0, ['i32', 1]],
    [4, ['u32', timestamp]],
    [212, ['i32', 2_345]],
    [at, ['f32', last]],
    [at + 8, ['f32', race]],
    [at + 12, ['u16', lap]],
    ...(size === 331 ? ([[327, ['i32', 110]]] as const) : []),
  ]);
}

export const PAUSE = packet(331, []);
export const SLED = packet(232, [
  [0, ['i32', 1]],
  [212, ['i32', 77]],
]);
