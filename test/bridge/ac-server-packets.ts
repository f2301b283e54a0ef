import { type Field, sequence } from './bytes.ts';

/** Made packets of the plugin of the Assetto Corsa server, after its layout. */

export const NO_LAP = 999_999_999;

export function wide(text: string): Field {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return ['bytes', sequence(['u8', points.length], ...points.map((point): Field => ['u32', point]))];
}

export function narrow(text: string): Field {
  const bytes = new TextEncoder().encode(text);
  return ['bytes', Uint8Array.of(bytes.length, ...bytes)];
}

export interface TestSession {
  readonly id?: 50 | 59;
  readonly index?: number;
  readonly name?: string;
  readonly type?: number;
  readonly elapsed?: number;
  readonly weather?: Field;
}

export function session({
  id = 50,
  index = 0,
  name = 'Practice',
  type = 1,
  elapsed = 0,
  weather = narrow('3_clear'),
}: TestSession = {}): Uint8Array {
  return sequence(
    ['u8', id],
    ['u8', 4],
    ['u8', index],
    ['u8', index],
    ['u8', 3],
    wide('Club server'),
    narrow('ks_red_bull_ring'),
    narrow('layout_national'),
    narrow(name),
    ['u8', type],
    ['u16', 10],
    ['u16', 0],
    ['u16', 60],
    ['u8', 26],
    ['u8', 30],
    weather,
    ['i32', elapsed],
  );
}

export function connection(id: 51 | 52, car: number, name: string, guid: string): Uint8Array {
  return sequence(['u8', id], wide(name), wide(guid), ['u8', car], narrow('ks_mazda'), narrow('red'));
}

export function carInfo(car: number, name: string, guid: string, isConnected = true): Uint8Array {
  return sequence(
    ['u8', 54],
    ['u8', car],
    ['u8', isConnected ? 1 : 0],
    wide('ks_mazda'),
    wide('red'),
    wide(name),
    wide('Team'),
    wide(guid),
  );
}

export function lap(car: number, ms: number, laps: number, cuts = 0): Uint8Array {
  return sequence(
    ['u8', 73],
    ['u8', car],
    ['u32', ms],
    ['u8', cuts],
    ['u8', 2],
    ['u8', car],
    ['u32', ms],
    ['u16', laps],
    ['u8', 0],
    ['u8', car + 1],
    ['u32', NO_LAP],
    ['u16', 0],
    ['u8', 0],
    ['f32', 0.98],
  );
}
