import { CARS, CLASS_PACE, HOTLAP_EVENT, LAYOUTS, PACE, PEOPLE, RACING_EVENTS, type Level } from './data.ts';
import { bell, hashOf, randomFrom } from './random.ts';

const SEED = 20_260_110;
const INVALID_SHARE = 0.04;
const MISTAKE_SHARE = 0.05;
const STINT_LAPS = { fewest: 6, most: 15 };

/** How far a driver's best laps are from the layout's pace, and how much lap times vary, as shares of the lap. */
const LEVELS: Readonly<Record<Level, { readonly loss: number; readonly scatter: number }>> = {
  expert: { loss: 0.008, scatter: 0.004 },
  regular: { loss: 0.03, scatter: 0.01 },
  beginner: { loss: 0.065, scatter: 0.022 },
};

/** Cold tyres in the first laps of a stint, as shares of the lap. */
const WARM_UP: readonly number[] = [0.025, 0.007];

type Person = (typeof PEOPLE)[number];
type Pace = (typeof PACE)[number];

/** One driver in one car on one rig. `time` is the driver's own clean lap in ms. */
type Stint = ReturnType<typeof nextStint>;

/** A share between -limit and +limit: always the same for a name. */
function trait(name: string, limit: number): number {
  return (hashOf(name) / 2 ** 31 - 1) * limit;
}

function pick<T>(random: () => number, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

function find<T>(items: readonly T[], name: string, nameOf: (item: T) => string): T {
  const item = items.find((each) => nameOf(each) === name);
  if (item === undefined) throw new Error(`the demo's data lack ${name}`);
  return item;
}

/** Time of a clean lap in ms: from length and average speed, then class, car, driver, and a small error of the rig. */
function cleanLap(person: Person, pace: Pace, car: string, rig: string): number {
  const { length } = find(LAYOUTS, pace.layout, ({ slug }) => slug);
  const { carClass } = find(CARS, car, ({ key }) => key);
  const classPace = find(CLASS_PACE, carClass, (row) => row.carClass).share;
  const loss = LEVELS[person.level].loss + Math.abs(trait(person.email, 0.02));
  const share = 1 + loss + trait(car, 0.003) + trait(rig, 0.0015);
  return (length / (pace.gt3Speed / 3.6)) * 1_000 * classPace * share;
}

function nextStint(random: () => number) {
  const { cars, rigs } = find(RACING_EVENTS, HOTLAP_EVENT, ({ slug }) => slug);
  const person = pick(random, PEOPLE);
  const rig = pick(random, rigs);
  const car = pick(random, cars);
  const pace = pick(random, PACE);
  return { person, rig, car, pace, time: cleanLap(person, pace, car, rig) };
}

/** Fewest and most laps of a stint on an evening, and how much faster than ever drivers are at best, as a share. */
const LIVE_STINT_LAPS = { fewest: 4, most: 9 };
const LIVE_GRIP = 0.025;

/** A stint on a rig by somebody who is not `busy` (e-mail addresses), on the first layout of the hotlap event. */
export function liveStint(random: () => number, rig: string, busy: ReadonlySet<string>) {
  const { cars, layouts } = find(RACING_EVENTS, HOTLAP_EVENT, ({ slug }) => slug);
  const free = PEOPLE.filter(({ email }) => !busy.has(email));
  const person = pick(random, free);
  const car = pick(random, cars);
  const pace = find<Pace>(PACE, layouts[0] ?? '', ({ layout }) => layout);
  const time = cleanLap(person, pace, car, rig) * (1 - LIVE_GRIP * random());
  return { person, rig, car, pace, time, laps: lapsWithin(random, LIVE_STINT_LAPS) };
}

function lapsWithin(random: () => number, { fewest, most }: typeof STINT_LAPS): number {
  return fewest + Math.floor(random() * (most - fewest + 1));
}

/** One lap of a stint, counted from 0. */
export function driveLap(random: () => number, stint: Stint, lapOfStint: number) {
  const { scatter } = LEVELS[stint.person.level];
  const time = stint.time * (1 + (WARM_UP[lapOfStint] ?? 0) + scatter * Math.abs(bell(random)));
  const [first, second, third] = stint.pace.sectors;
  const mistakeIn = random() < MISTAKE_SHARE ? Math.floor(random() * 3) : -1;
  const sector = (share: number, index: number): number => {
    const lost = index === mistakeIn ? 0.05 + 0.25 * random() : 0;
    return Math.round(time * share * (1 + 0.004 * bell(random) + lost));
  };
  const sectors = [sector(first, 0), sector(second, 1), sector(third, 2)] as const;
  return { sectors, valid: random() >= INVALID_SHARE };
}

/** A lap to send, by stable names: the driver's e-mail address, the rig's hardware id, … Times in ms. */
export type PlannedLap = ReturnType<typeof plannedLap>;

/** `number`: part of the `Idempotency-Key`: five digits, from 00001, or the name of a live lap. */
export function plannedLap(number: string, { person, rig, car, pace }: Stint, driven: ReturnType<typeof driveLap>) {
  const [first, second, third] = driven.sectors;
  const totalTime = first + second + third;
  return { number, person: person.email, rig, car, layout: pace.layout, totalTime, ...driven };
}

/** The laps of the demo: always the same ones, and fewer are the beginning of more, so a repeat sends the same. */
export function planLaps(count: number): readonly PlannedLap[] {
  const random = randomFrom(SEED);
  const laps: PlannedLap[] = [];
  while (laps.length < count) {
    const stint = nextStint(random);
    const length = lapsWithin(random, STINT_LAPS);
    for (let lap = 0; lap < length && laps.length < count; lap += 1) {
      const number = String(laps.length + 1).padStart(5, '0');
      laps.push(plannedLap(number, stint, driveLap(random, stint, lap)));
    }
  }
  return laps;
}
