import type { JsonNode } from './json.ts';
import type { ParsedResults } from './plan.ts';
import { sessionKindOf } from './session-kinds.ts';
import { SessionResults } from './session-results.ts';
import { sectorsIn } from './sectors.ts';
import { msOf } from './times.ts';
import type { Warnings } from './warnings.ts';

/** Flags of a lap, as the one public importer reads them. */
const FLAGS_CLEAN = 2;
const FLAGS_NOT_CLEAN = 1;

interface Driver {
  readonly name: string | null;
  readonly id: string | null;
}

/** Whether a file is a result of an AC EVO server. */
export function isAcEvo(root: JsonNode): boolean {
  return root.has('session_type') && root.has('track_name') && (root.has('driver_standings') || root.has('laps'));
}

/** Parses a result of an AC EVO server. */
export function parseAcEvo(root: JsonNode, warnings: Warnings): ParsedResults {
  const name = root.get('session_type').name();
  const session = sessionKindOf(name);
  const track = root.get('track_name').name();
  const layout = root.get('track_layout_name').name();
  const results = new SessionResults({ session, name, track, layout }, warnings);
  const drivers = driversOf(root);
  const models = modelsOf(root);
  for (const lap of root.get('laps').objects()) addLap(results, lap, drivers, models, warnings);
  addRows(results, root, drivers, session === 'race');
  const finished = results.finish();
  return { format: 'ac-evo-results-json', sessions: finished === null ? [] : [finished] };
}

function addLap(
  results: SessionResults,
  lap: JsonNode,
  drivers: ReadonlyMap<string, Driver>,
  models: ReadonlyMap<string, string | null>,
  warnings: Warnings,
): void {
  const key = guidOf(lap.get('driver_key'));
  const driver = key === null ? undefined : drivers.get(key);
  const carKey = guidOf(lap.get('car_key'));
  const flags = lap.get('flags').number();
  if (flags !== null && flags !== FLAGS_CLEAN && flags !== FLAGS_NOT_CLEAN) {
    warnings.count('A lap has flags whose meaning is not known; whether it is valid is left open', lap.place);
  }
  results.addLap({
    driver: driver?.name ?? null,
    driverId: driver?.id ?? null,
    car: carKey === null ? null : (models.get(carKey) ?? null),
    lap: null,
    ms: msOf(lap.get('time').number()),
    sectors: sectorsIn(lap.get('split')),
    valid: validityOf(flags),
    out: false,
    entrant: key ?? '',
    place: lap.place,
  });
}

/** Adds the standings. The time of one is the best lap, but in a race the total. */
function addRows(results: SessionResults, root: JsonNode, drivers: ReadonlyMap<string, Driver>, isRace: boolean): void {
  const times = root.get('time_standings').items();
  for (const [n, standing] of root.get('driver_standings').items().entries()) {
    const entrant = guidOf(standing) ?? standing.place;
    const time = msOf(times[n]?.number() ?? null);
    results.addRow({
      position: null,
      driver: drivers.get(entrant)?.name ?? null,
      drivers: [],
      laps: results.lapsOf(entrant),
      bestMs: isRace ? results.fastestOf(entrant) : time,
      totalMs: isRace ? time : null,
      entrant,
      person: entrant,
      hasLostLaps: false,
    });
  }
}

function validityOf(flags: number | null): boolean | null {
  if (flags === FLAGS_CLEAN) return true;
  return flags === FLAGS_NOT_CLEAN ? false : null;
}

/** An id of two unsigned 64-bit numbers, which are texts: as numbers they would lose digits. */
function guidOf(node: JsonNode): string | null {
  const a = node.get('a').id();
  const b = node.get('b').id();
  return a === null || b === null ? null : `${a}/${b}`;
}

function driversOf(root: JsonNode): ReadonlyMap<string, Driver> {
  const drivers = new Map<string, Driver>();
  for (const driver of root.get('drivers').objects()) {
    const key = guidOf(driver.get('guid'));
    if (key === null) continue;
    const names = [driver.get('first_name').name(), driver.get('last_name').name()].filter((name) => name !== null);
    const name = names.length === 0 ? driver.get('nickname').name() : names.join(' ');
    drivers.set(key, { name, id: driver.get('player_id').id() });
  }
  return drivers;
}

function modelsOf(root: JsonNode): ReadonlyMap<string, string | null> {
  const models = new Map<string, string | null>();
  for (const car of root.get('cars').objects()) {
    const key = guidOf(car.get('car_id'));
    if (key !== null) models.set(key, car.get('model_displayname').name());
  }
  return models;
}
