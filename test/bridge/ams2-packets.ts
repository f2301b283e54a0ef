import { type Field, packet } from './bytes.ts';

/** Made packets of Automobilista 2, after its layout. */

type Placed = readonly [offset: number, field: Field];

/** Numbers of packets rise. */
let number = 0;

export function typed(size: number, type: number, fields: readonly Placed[]): Uint8Array {
  number += 1;
  return packet(size, [[0, ['u32', number]], [4, ['u32', number]], [10, ['u8', type]], [11, ['u8', 2]], ...fields]);
}

export const OWN = 3;
export const OWN_ID = 40;

export function timings(
  lap: number,
  {
    isInvalid = false,
    state = 2,
    own = OWN,
  }: { readonly isInvalid?: boolean; readonly state?: number; readonly own?: number } = {},
): Uint8Array {
  const at = 33 + OWN * 32;
  return typed(1_063, 3, [
    [at + 14, ['u8', 0x81]],
    [at + 18, ['u16', 0x80_05]],
    [at + 20, ['u8', state | (isInvalid ? 8 : 0)]],
    [at + 21, ['u8', lap]],
    [at + 30, ['u16', OWN_ID]],
    [1_057, ['u16', own]],
  ]);
}

/** `lastLap` in seconds. */
export function stats(lastLap: number): Uint8Array {
  return typed(1_040, 7, [[16 + OWN * 32 + 4, ['f32', lastLap]]]);
}

export function gameState(state: number, session: number): Uint8Array {
  return typed(24, 4, [[14, ['u8', state | (session << 3)]]]);
}

export function race(): Uint8Array {
  return typed(308, 1, [
    [48, ['text', 'Imola', 64]],
    [112, ['text', 'Grand Prix', 64]],
  ]);
}

export function names(): Uint8Array {
  return typed(1_136, 2, [
    [16, ['text', 'Zoë Moor', 64]],
    [1_104, ['u16', OWN_ID]],
  ]);
}

export function vehicles(): Uint8Array {
  return typed(1_164, 8, [
    [12, ['u16', 5]],
    [20, ['text', 'Formula Ultimate', 64]],
  ]);
}

export const PRACTICE = 1;
export const RACE = 5;
export const PLAYING = 2;
