import { packet } from './bytes.ts';

/** Made packets of the remote telemetry of Assetto Corsa, after its layout. */

export function handshake(car = 'ks_mazda', track = 'imola'): Uint8Array {
  return packet(408, [
    [0, ['utf16', `${car}%garbage`, 100]],
    [100, ['utf16', 'Zoë Moor', 100]],
    [208, ['utf16', track, 100]],
    [308, ['utf16', 'chicane%', 100]],
  ]);
}

export function car(lapCount: number, lapTime: number, lastLap: number, isInPit = false): Uint8Array {
  return packet(328, [
    [0, ['u8', 0x61]],
    [4, ['i32', 328]],
    [24, ['u8', isInPit ? 1 : 0]],
    [40, ['i32', lapTime]],
    [44, ['i32', lastLap]],
    [52, ['i32', lapCount]],
  ]);
}

export const SPOT = packet(212, [
  [0, ['i32', 0]],
  [4, ['i32', 3]],
  [8, ['utf16', 'Zoë Moor', 100]],
  [108, ['utf16', 'ks_mazda', 100]],
  [208, ['i32', 91_204]],
]);
