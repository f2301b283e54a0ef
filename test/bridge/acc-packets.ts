import { sequence, type Field } from './bytes.ts';

/** Messages of ACC's broadcasting interface, made for these tests after its layout. */

/** No time. */
export const NO_TIME = 2_147_483_647;

/** A lap. */
export interface AccTestLap {
  readonly ms?: number;
  readonly car?: number;
  readonly driver?: number;
  readonly splits?: readonly number[];
  readonly isInvalid?: boolean;
  readonly isOut?: boolean;
}

function text(value: string): Field {
  const bytes = new TextEncoder().encode(value);
  return ['bytes', Uint8Array.of(bytes.length & 0xff, bytes.length >> 8, ...bytes)];
}

function lapFields({
  ms = NO_TIME,
  car = 1_001,
  driver = 0,
  splits = [],
  isInvalid = false,
  isOut = false,
}: AccTestLap): readonly Field[] {
  return [
    ['i32', ms],
    ['u16', car],
    ['u16', driver],
    ['u8', splits.length],
    ...splits.map((split): Field => ['i32', split]),
    ['u8', isInvalid ? 1 : 0],
    ['u8', isInvalid ? 0 : 1],
    ['u8', isOut ? 1 : 0],
    ['u8', 0],
  ];
}

export function accRegistration(): Uint8Array {
  return sequence(['u8', 1], ['i32', 5], ['u8', 1], ['u8', 1], text(''));
}

export function accUpdate(update: {
  readonly index: number;
  readonly type: number;
  readonly timeMs: number;
  readonly phase?: number;
  readonly isReplay?: boolean;
}): Uint8Array {
  const replay: readonly Field[] =
    update.isReplay === true
      ? [
          ['f32', 1],
          ['f32', 2],
        ]
      : [];
  return sequence(
    ['u8', 2],
    ['u16', 0],
    ['u16', update.index],
    ['u8', update.type],
    ['u8', update.phase ?? 5],
    ['f32', update.timeMs],
    ['f32', 600_000],
    ['i32', 1_001],
    text('Drivable'),
    text('Chase'),
    text('Basic'),
    ['u8', replay.length > 0 ? 1 : 0],
    ...replay,
    ['f32', 43_000],
    ['bytes', new Uint8Array(5)],
    ...lapFields({}),
  );
}

export function accCar(car: {
  readonly car: number;
  readonly laps: number;
  readonly driver?: number;
  readonly best?: AccTestLap;
  readonly last?: AccTestLap;
  readonly current?: AccTestLap;
}): Uint8Array {
  return sequence(
    ['u8', 3],
    ['u16', car.car],
    ['u16', car.driver ?? 0],
    ['u8', 1],
    ['u8', 4],
    ['bytes', new Uint8Array(12)],
    ['u8', 1],
    ['bytes', new Uint8Array(8)],
    ['f32', 0.5],
    ['u16', car.laps],
    ['i32', 0],
    ...lapFields({ car: car.car, ...car.best }),
    ...lapFields({ car: car.car, ...car.last }),
    ...lapFields({ car: car.car, ...car.current }),
  );
}

export function accEntryList(...cars: readonly number[]): Uint8Array {
  return sequence(['u8', 4], ['i32', 5], ['u16', cars.length], ...cars.map((car): Field => ['u16', car]));
}

export function accEntry(
  car: number,
  model: number,
  ...drivers: readonly (readonly [first: string, last: string])[]
): Uint8Array {
  return sequence(
    ['u8', 6],
    ['u16', car],
    ['u8', model],
    text('Team'),
    ['i32', 7],
    ['u8', 0],
    ['u8', 0],
    ['u16', 17],
    ['u8', drivers.length],
    ...drivers.flatMap(([first, last]): readonly Field[] => [
      text(first),
      text(last),
      text(last.slice(0, 3).toUpperCase()),
      ['u8', 0],
      ['u16', 17],
    ]),
  );
}

export function accTrack(name: string): Uint8Array {
  return sequence(
    ['u8', 5],
    ['i32', 5],
    text(name),
    ['i32', 20],
    ['i32', 5_200],
    ['u8', 1],
    text('Drivable'),
    ['u8', 2],
    text('Chase'),
    text('Cockpit'),
    ['u8', 1],
    text('Basic'),
  );
}

export function accEvent(type: number, car: number): Uint8Array {
  return sequence(['u8', 7], ['u8', type], text('01:26.034'), ['i32', 6_550], ['i32', car]);
}
