import { countOf } from './counts.ts';
import { iracingKindOf, layoutOf } from './iracing-results.ts';
import type { JsonNode } from './json.ts';
import type { ParsedResults } from './plan.ts';
import { SessionResults } from './session-results.ts';
import { msOfTenThousandths } from './times.ts';
import type { Warnings } from './warnings.ts';

/** Names under which a list of laps stands in an object. */
const LISTS = ['laps', 'lap_data', '_chunk_data', 'data'];

/** Whether a file has laps of iRacing: a chunk of its lap data, or an object with the list and the session. */
export function isIracingLaps(root: JsonNode): boolean {
  const first = lapsOf(root).find((lap) => lap.isObject);
  return first !== undefined && first.has('lap_number') && first.has('lap_time');
}

/** Parses lap data of iRacing. Lap 0 is the out lap. */
export function parseIracingLaps(root: JsonNode, warnings: Warnings): ParsedResults {
  const info = root.get('session_info');
  const head = {
    session: iracingKindOf(info),
    name: info.get('simsession_name').name(),
    track: info.get('track').get('track_name').name(),
    layout: layoutOf(info.get('track')),
  };
  const results = new SessionResults(head, warnings);
  if (head.session === 'unknown') warnings.add('Lap data of iRacing do not say which session they are of.');
  for (const lap of lapsOf(root)) {
    if (!lap.isObject) {
      warnings.count('A list has an entry that is no object; it was left out', lap.place);
      continue;
    }
    const lapNumber = countOf(lap.get('lap_number').number());
    const driverId = lap.get('cust_id').id();
    results.addLap({
      driver: lap.get('display_name').name() ?? lap.get('name').name(),
      driverId,
      car: null,
      lap: lapNumber,
      ms: msOfTenThousandths(lap.get('lap_time').number()),
      sectors: null,
      valid: validityOf(lap),
      out: lapNumber === 0,
      entrant: driverId ?? '',
      place: lap.place,
    });
  }
  const session = results.finish();
  return { format: 'iracing-lap-data-json', sessions: session === null ? [] : [session] };
}

function lapsOf(root: JsonNode): readonly JsonNode[] {
  if (root.isList) return root.items();
  const list = LISTS.find((name) => root.get(name).isList);
  return list === undefined ? [] : root.get(list).items();
}

/** Whether no event makes the lap invalid; an off-track alone does not. */
function validityOf(lap: JsonNode): boolean | null {
  const events = lap.get('lap_events');
  if (!events.isList) return null;
  return events.items().every((event) => event.value !== 'invalid');
}
