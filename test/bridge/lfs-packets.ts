import { type Field, packet } from './bytes.ts';

/** Made packets of InSim of Live for Speed, after its layout. */

type Placed = readonly [offset: number, field: Field];

export function typed(size: number, type: number, fields: readonly Placed[] = []): Uint8Array {
  return packet(size, [[0, ['u8', size / 4]], [1, ['u8', type]], ...fields]);
}

export function raceStart({ laps = 3, minutes = 0, splits = 2, request = 0 } = {}): Uint8Array {
  return typed(28, 17, [
    [2, ['u8', request]],
    [4, ['u8', laps]],
    [5, ['u8', minutes]],
    [7, ['u8', 0x40 | splits]],
    [8, ['text', 'BL1', 6]],
  ]);
}

export function connected(connection: number, user: string, nickname: string): Uint8Array {
  return typed(56, 18, [
    [3, ['u8', connection]],
    [4, ['text', user, 24]],
    [28, ['text', nickname, 24]],
  ]);
}

export function player(id: number, connection: number, nickname: string, isAi = false): Uint8Array {
  return typed(76, 21, [
    [3, ['u8', id]],
    [4, ['u8', connection]],
    [5, ['u8', isAi ? 2 : 0]],
    [8, ['text', nickname, 24]],
    [40, ['text', 'XRG', 4]],
  ]);
}

export function lap(id: number, ms: number, done: number): Uint8Array {
  return typed(20, 24, [
    [3, ['u8', id]],
    [4, ['u32', ms]],
    [12, ['u16', done]],
  ]);
}

export function split(id: number, ms: number, number: number): Uint8Array {
  return typed(16, 25, [
    [3, ['u8', id]],
    [4, ['u32', ms]],
    [12, ['u8', number]],
  ]);
}

export const VERSION = typed(20, 2, [
  [4, ['text', '0.7F', 8]],
  [18, ['u8', 9]],
]);
export const STATE = typed(28, 5, [
  [15, ['u8', 1]],
  [17, ['u8', 3]],
  [20, ['text', 'AS5', 6]],
]);
export const TAKEOVER = typed(8, 31, [
  [3, ['u8', 3]],
  [4, ['u8', 1]],
  [5, ['u8', 2]],
]);
export const LEFT = typed(4, 23, [[3, ['u8', 3]]]);
