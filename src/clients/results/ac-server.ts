import type { JsonNode } from './json.ts';
import type { ParsedResults } from './plan.ts';
import { sessionKindOf } from './session-kinds.ts';
import { SessionResults } from './session-results.ts';
import { sectorsIn } from './sectors.ts';
import { msOf } from './times.ts';
import type { Warnings } from './warnings.ts';

/** Whether a file is a result of an Assetto Corsa server, or of assetto-server-manager. */
export function isAcServer(root: JsonNode): boolean {
  return root.has('TrackName') && (root.has('Laps') || root.has('Result'));
}

/** What only assetto-server-manager writes. */
const OF_SERVER_MANAGER = ['SessionFile', 'ChampionshipID', 'RaceWeekendID', 'Date'];

/**
 * Parses a result of an Assetto Corsa server. `CarId` may differ between its lists: laps and rows belong together by
 * driver and model. A lap is valid when it has no cuts, in races too.
 */
export function parseAcServer(root: JsonNode, warnings: Warnings): ParsedResults {
  const name = root.get('Type').name();
  const track = root.get('TrackName').name();
  const layout = root.get('TrackConfig').name();
  const results = new SessionResults({ session: sessionKindOf(name), name, track, layout }, warnings);
  for (const lap of root.get('Laps').objects()) {
    const cuts = lap.get('Cuts').number();
    const driver = lap.get('DriverName').name();
    results.addLap({
      driver,
      driverId: lap.get('DriverGuid').id(),
      car: lap.get('CarModel').name(),
      lap: null,
      ms: msOf(lap.get('LapTime').number()),
      sectors: sectorsIn(lap.get('Sectors')),
      valid: cuts === null ? null : cuts === 0,
      out: false,
      entrant: entrantOf(lap),
      place: lap.place,
    });
  }
  addRows(results, root.get('Result').objects());
  const session = results.finish();
  const isOfManager = OF_SERVER_MANAGER.some((key) => root.has(key));
  return {
    format: isOfManager ? 'ac-server-json-manager' : 'ac-server-json',
    sessions: session === null ? [] : [session],
  };
}

function addRows(results: SessionResults, rows: readonly JsonNode[]): void {
  // A driver who came back with the same model has two rows; the laps belong to the one that has times.
  const ownerOfLaps = new Map<string, JsonNode>();
  for (const row of rows) {
    const entrant = entrantOf(row);
    const owner = ownerOfLaps.get(entrant);
    if (owner === undefined || (!hasTimes(owner) && hasTimes(row))) ownerOfLaps.set(entrant, row);
  }
  for (const row of rows) {
    const entrant = entrantOf(row);
    results.addRow({
      position: null,
      driver: row.get('DriverName').name(),
      drivers: [],
      laps: ownerOfLaps.get(entrant) === row ? results.lapsOf(entrant) : 0,
      bestMs: msOf(row.get('BestLap').number()),
      totalMs: msOf(row.get('TotalTime').number()),
      entrant,
      person: personOf(row),
      hasLostLaps: false,
    });
  }
}

function hasTimes(row: JsonNode): boolean {
  return msOf(row.get('BestLap').number()) !== null || msOf(row.get('TotalTime').number()) !== null;
}

function personOf(entry: JsonNode): string {
  return entry.get('DriverGuid').id() ?? entry.get('DriverName').name() ?? '';
}

function entrantOf(entry: JsonNode): string {
  return `${personOf(entry)}\n${entry.get('CarModel').name() ?? ''}`;
}
