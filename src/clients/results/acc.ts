import { countOf } from './counts.ts';
import type { JsonNode } from './json.ts';
import type { ParsedResults, SessionKind } from './plan.ts';
import { SessionResults } from './session-results.ts';
import { sessionKindOf } from './session-kinds.ts';
import { sectorsIn } from './sectors.ts';
import { msOf } from './times.ts';
import type { Warnings } from './warnings.ts';

/** Session types of ACC by number. 14 is a replay. */
const KINDS: Readonly<Record<number, SessionKind>> = {
  0: 'practice',
  4: 'qualifying',
  9: 'qualifying',
  10: 'race',
  11: 'hotlap',
  12: 'hotlap',
  13: 'qualifying',
};

/** Beginnings of session types as text: `FP`, `Q2`, `R`. */
const KINDS_BY_LETTER: Readonly<Record<string, SessionKind>> = {
  F: 'practice',
  P: 'practice',
  Q: 'qualifying',
  R: 'race',
};

interface Driver {
  readonly name: string | null;
  readonly id: string | null;
}

interface Car {
  readonly model: string | null;
  readonly drivers: readonly Driver[];
}

/** Whether a file is a result of an ACC server. */
export function isAccServer(root: JsonNode): boolean {
  const hasHead = root.has('sessionType') || root.has('trackName');
  return hasHead && (root.get('sessionResult').isObject || (root.has('sessionResult') && root.get('laps').isList));
}

/** Whether a file is a result that the game itself has written. */
export function isAccClient(root: JsonNode): boolean {
  return root.get('snapShot').isObject && (root.get('sessionDef').isObject || root.get('laps').isList);
}

/** Parses a result of an ACC server. */
export function parseAccServer(root: JsonNode, warnings: Warnings): ParsedResults {
  const results = resultsOf(root, root.get('sessionType'), root.get('trackName').name(), warnings);
  const lines = root.get('sessionResult').get('leaderBoardLines');
  const cars = carsOf(lines);
  for (const lap of root.get('laps').objects()) {
    addLap(results, lap, cars, {
      ms: msOf(lap.get('laptime').number()),
      driver: lap.get('driverIndex').number(),
      valid: lap.get('isValidForBest').boolean(),
    });
  }
  addRows(results, lines, carsThatLostLaps(root));
  const session = results.finish();
  return { format: 'acc-results-json-server', sessions: session === null ? [] : [session] };
}

/** Parses a result that the game itself has written: it names neither the track nor the validity of laps. */
export function parseAccClient(root: JsonNode, warnings: Warnings): ParsedResults {
  const results = resultsOf(root, root.get('sessionDef').get('sessionType'), null, warnings);
  const lines = root.get('snapShot').get('leaderBoardLines');
  const cars = carsOf(lines);
  for (const lap of root.get('laps').objects()) {
    addLap(results, lap, cars, {
      ms: msOf(lap.get('lapTime').number()),
      driver: lap.get('driverId').number(),
      valid: null,
    });
  }
  addRows(results, lines, new Set());
  const session = results.finish();
  return { format: 'acc-results-json-client', sessions: session === null ? [] : [session] };
}

function resultsOf(root: JsonNode, type: JsonNode, track: string | null, warnings: Warnings): SessionResults {
  const name = type.id();
  const session = kindOf(type.value, name);
  if (session === 'race' && root.get('laps').items().length > 0) {
    warnings.add('Lap 1 of a race in ACC counts from the moment of joining the server; it stands as in the file.');
  }
  return new SessionResults({ session, name, track, layout: null }, warnings);
}

function kindOf(type: unknown, name: string | null): SessionKind {
  if (typeof type === 'number') return KINDS[type] ?? 'unknown';
  const letters = /^([A-Z]{1,2})\d*$/i.exec(name ?? '')?.[1] ?? '';
  return KINDS_BY_LETTER[letters.charAt(0).toUpperCase()] ?? sessionKindOf(name);
}

function carsOf(lines: JsonNode): ReadonlyMap<string, Car> {
  const cars = new Map<string, Car>();
  for (const line of lines.objects()) {
    const car = line.get('car');
    const id = car.get('carId').id();
    if (id === null) continue;
    const drivers = car.get('drivers').objects().map(driverOf);
    cars.set(id, { model: car.get('carModel').id(), drivers });
  }
  return cars;
}

/** A driver. Some servers add the name of the team to the last name, on a line of its own. */
function driverOf(driver: JsonNode): Driver {
  const names: string[] = [];
  for (const part of [driver.get('firstName').name(), driver.get('lastName').name()]) {
    const firstLine = part?.split(/\r?\n/, 1)[0] ?? '';
    if (firstLine.trim() !== '') names.push(firstLine);
  }
  return { name: names.length === 0 ? null : names.join(' '), id: driver.get('playerId').id() };
}

/** Cars from which a penalty has taken their best lap. */
function carsThatLostLaps(root: JsonNode): ReadonlySet<string> {
  const cars = new Set<string>();
  for (const list of ['penalties', 'post_race_penalties']) {
    for (const penalty of root.get(list).objects()) {
      const id = penalty.get('carId').id();
      if (id !== null && penalty.get('penalty').text() === 'RemoveBestLaptime') cars.add(id);
    }
  }
  return cars;
}

interface LapFields {
  readonly ms: number | null;
  /** Which of the drivers of the car, from 0. */
  readonly driver: number | null;
  readonly valid: boolean | null;
}

function addLap(results: SessionResults, lap: JsonNode, cars: ReadonlyMap<string, Car>, fields: LapFields): void {
  const id = lap.get('carId').id();
  const car = id === null ? undefined : cars.get(id);
  const driver = fields.driver === null ? undefined : car?.drivers[fields.driver];
  results.addLap({
    driver: driver?.name ?? null,
    driverId: driver?.id ?? null,
    car: car?.model ?? null,
    lap: null,
    ms: fields.ms,
    sectors: sectorsIn(lap.get('splits')),
    valid: fields.valid,
    out: false,
    entrant: id ?? '',
    place: lap.place,
  });
}

function addRows(results: SessionResults, lines: JsonNode, lostLaps: ReadonlySet<string>): void {
  for (const line of lines.objects()) {
    const id = line.get('car').get('carId').id() ?? line.place;
    const drivers = line.get('car').get('drivers').objects().map(driverOf);
    const names = drivers.map(({ name }) => name).filter((name) => name !== null);
    const current =
      names.length > 1 && line.get('currentDriver').isObject ? driverOf(line.get('currentDriver')).name : null;
    const timing = line.get('timing');
    results.addRow({
      position: null,
      driver: current ?? names[0] ?? null,
      drivers: names,
      laps: countOf(timing.get('lapCount').number()),
      bestMs: msOf(timing.get('bestLap').number()),
      totalMs: msOf(timing.get('totalTime').number()),
      entrant: id,
      person: id,
      hasLostLaps: lostLaps.has(id),
    });
  }
}
