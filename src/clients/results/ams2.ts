import { countFromZero, countOf, positionOf } from './counts.ts';
import type { JsonNode } from './json.ts';
import type { ParsedResults, PlannedSession } from './plan.ts';
import { sessionKindOf } from './session-kinds.ts';
import { SessionResults } from './session-results.ts';
import { knownSectors } from './sectors.ts';
import { msOf } from './times.ts';
import type { Warnings } from './warnings.ts';

interface Person {
  readonly name: string | null;
  readonly steamId: string | null;
}

/** Whether a file is the `sms_stats_data.json` of a dedicated server of AMS2 or Project CARS 2. */
export function isSmsStats(root: JsonNode): boolean {
  return root.get('stats').get('history').isList;
}

/** Parses the statistics of a dedicated server: each stage of each history is a session. */
export function parseSmsStats(root: JsonNode, warnings: Warnings): ParsedResults {
  const sessions: PlannedSession[] = [];
  for (const history of root.get('stats').get('history').objects()) {
    const track = history.get('setup').get('TrackId').id();
    const people = peopleOf(history);
    const vehicles = vehiclesOf(history);
    if (!history.get('stages').isObject) continue;
    for (const [name, stage] of history.get('stages').members()) {
      const head = { session: sessionKindOf(name), name, track, layout: null };
      const results = new SessionResults(head, warnings);
      addLaps(results, stage, people, vehicles);
      addRows(results, stage, people);
      const session = results.finish();
      if (session !== null) sessions.push(session);
    }
  }
  return { format: 'sms_stats-json', sessions };
}

/** Members of a lobby by their `refid`, which they get anew each time they join; the Steam id is theirs for ever. */
function peopleOf(history: JsonNode): ReadonlyMap<string, Person> {
  const people = new Map<string, Person>();
  for (const [, participant] of history.get('participants').members()) {
    const refId = participant.get('RefId').id();
    const name = participant.get('Name').name();
    if (refId !== null && name !== null) people.set(refId, { name, steamId: null });
  }
  for (const [refId, member] of history.get('members').members()) {
    const name = member.get('name').name() ?? people.get(refId)?.name ?? null;
    people.set(refId, { name, steamId: member.get('steamid').id() });
  }
  return people;
}

/** The vehicle of each participant, by `refid`. */
function vehiclesOf(history: JsonNode): ReadonlyMap<string, string | null> {
  const vehicles = new Map<string, string | null>();
  for (const [, participant] of history.get('participants').members()) {
    const refId = participant.get('RefId').id();
    if (refId !== null) vehicles.set(refId, participant.get('VehicleId').id());
  }
  return vehicles;
}

/**
 * Adds the events named Lap. One whose second sector is 0 is no lap: the car was reset. The server may write one lap
 * several times.
 */
function addLaps(
  results: SessionResults,
  stage: JsonNode,
  people: ReadonlyMap<string, Person>,
  vehicles: ReadonlyMap<string, string | null>,
): void {
  const seen = new Set<string>();
  for (const event of stage.get('events').objects()) {
    if (event.get('event_name').value !== 'Lap') continue;
    const attributes = event.get('attributes');
    if (attributes.get('Sector2Time').value === 0) continue;
    const refId = event.get('refid').id() ?? '';
    const person = people.get(refId);
    const lap = countFromZero(attributes.get('Lap').number());
    const ms = msOf(attributes.get('LapTime').number());
    const key = `${person?.steamId ?? refId}/${lap}/${ms}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const counts = attributes.get('CountThisLapTimes').number();
    const sectors = ['Sector1Time', 'Sector2Time', 'Sector3Time'].map((name) => msOf(attributes.get(name).number()));
    results.addLap({
      driver: event.get('name').name() ?? person?.name ?? null,
      driverId: person?.steamId ?? null,
      car: vehicles.get(refId) ?? null,
      lap,
      ms,
      sectors: knownSectors(sectors),
      valid: counts === null ? null : counts !== 0,
      out: false,
      entrant: refId,
      place: event.place,
    });
  }
}

function addRows(results: SessionResults, stage: JsonNode, people: ReadonlyMap<string, Person>): void {
  for (const row of stage.get('results').objects()) {
    const refId = row.get('refid').id() ?? row.place;
    const person = people.get(refId);
    const attributes = row.get('attributes');
    const driver = row.get('name').name() ?? person?.name ?? null;
    results.addRow({
      position: positionOf(attributes.get('RacePosition').number()),
      driver,
      drivers: [],
      laps: countOf(attributes.get('Lap').number()),
      bestMs: msOf(attributes.get('FastestLapTime').number()),
      totalMs: msOf(attributes.get('TotalTime').number()),
      entrant: refId,
      person: person?.steamId ?? driver ?? refId,
      hasLostLaps: false,
    });
  }
}
