import { positionOf } from './counts.ts';
import type { JsonNode } from './json.ts';
import type { ParsedResults, PlannedSession } from './plan.ts';
import { sessionKindOf } from './session-kinds.ts';
import { SessionResults } from './session-results.ts';
import { knownSectors } from './sectors.ts';
import { msOf } from './times.ts';
import type { Warnings } from './warnings.ts';

/** Whether a file is a result of a RaceRoom server. */
export function isRaceRoom(root: JsonNode): boolean {
  return root.get('Sessions').isList && root.has('Track');
}

/** Parses a result of a RaceRoom server. Files from before 2020 have no validity and no sectors. */
export function parseRaceRoom(root: JsonNode, warnings: Warnings): ParsedResults {
  const track = root.get('Track').name();
  const layout = root.get('TrackLayout').name();
  const sessions: PlannedSession[] = [];
  for (const node of root.get('Sessions').objects()) {
    const name = node.get('Type').name();
    const results = new SessionResults({ session: sessionKindOf(name), name, track, layout }, warnings);
    for (const player of node.get('Players').objects()) addPlayer(results, player);
    const session = results.finish();
    if (session !== null) sessions.push(session);
  }
  return { format: 'raceroom-server-json', sessions };
}

function addPlayer(results: SessionResults, player: JsonNode): void {
  const driver = player.get('FullName').name() ?? player.get('Username').name();
  const driverId = player.get('UserId').id();
  const car = player.get('Car').name();
  const entrant = player.place;
  for (const lap of player.get('RaceSessionLaps').objects()) {
    results.addLap({
      driver,
      driverId,
      car,
      lap: null,
      ms: msOf(lap.get('Time').number()),
      sectors: sectorsOf(lap.get('SectorTimes').items()),
      valid: lap.get('Valid').boolean(),
      out: false,
      entrant,
      place: lap.place,
    });
  }
  results.addRow({
    position: positionOf(player.get('Position').number()),
    driver,
    drivers: [],
    laps: results.lapsOf(entrant),
    bestMs: msOf(player.get('BestLapTime').number()),
    totalMs: msOf(player.get('TotalTime').number()),
    entrant,
    person: driverId ?? driver ?? entrant,
    hasLostLaps: false,
  });
}

/** Single sectors of the cumulative ones in the file. */
function sectorsOf(cumulative: readonly JsonNode[]): readonly (number | null)[] | null {
  let before: number | null = 0;
  const sectors: (number | null)[] = [];
  for (const item of cumulative) {
    const until = msOf(item.number());
    sectors.push(until === null || before === null ? null : msOf(until - before));
    before = until;
  }
  return knownSectors(sectors);
}
