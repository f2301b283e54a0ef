import { countFromZero, countOf } from './counts.ts';
import type { JsonNode } from './json.ts';
import type { ParsedResults, PlannedSession, SessionKind } from './plan.ts';
import { sessionKindOf } from './session-kinds.ts';
import { SessionResults } from './session-results.ts';
import { msOfTenThousandths } from './times.ts';
import type { Warnings } from './warnings.ts';

/** Session types of iRacing by number. Its text is to be believed first: a qualifying has been seen under 6. */
const KINDS: Readonly<Record<number, SessionKind>> = { 3: 'practice', 4: 'qualifying', 5: 'qualifying', 6: 'race' };

/** Whether a file is a result of iRacing's data interface, or an export of its member site, which wraps that. */
export function isIracingResults(root: JsonNode): boolean {
  return eventOf(root).get('session_results').isList;
}

/** Parses a result of iRacing. It has no laps; sessions stand in reverse order, as in the file. */
export function parseIracingResults(root: JsonNode, warnings: Warnings): ParsedResults {
  const event = eventOf(root);
  const track = event.get('track').get('track_name').name();
  const layout = layoutOf(event.get('track'));
  const sessions: PlannedSession[] = [];
  for (const node of event.get('session_results').objects()) {
    const session = iracingKindOf(node);
    const name = node.get('simsession_name').name() ?? node.get('simsession_type_name').name();
    const results = new SessionResults({ session, name, track, layout }, warnings);
    for (const row of node.get('results').objects()) addRow(results, row);
    const finished = results.finish();
    if (finished !== null) sessions.push(finished);
  }
  return { format: 'iracing-event-result-json', sessions };
}

/** The kind of session of an entry that has iRacing's type, as text and as number. */
export function iracingKindOf(node: JsonNode): SessionKind {
  const kind = sessionKindOf(node.get('simsession_type_name').name());
  return kind === 'unknown' ? (KINDS[node.get('simsession_type').number() ?? 0] ?? 'unknown') : kind;
}

/** The layout of a track; iRacing writes N/A for a track that has one only. */
export function layoutOf(track: JsonNode): string | null {
  const layout = track.get('config_name').name();
  return layout === 'N/A' ? null : layout;
}

function eventOf(root: JsonNode): JsonNode {
  return root.get('data').isObject ? root.get('data') : root;
}

function addRow(results: SessionResults, row: JsonNode): void {
  const drivers: string[] = [];
  if (row.has('driver_results')) {
    for (const driver of row.get('driver_results').objects()) {
      const name = driver.get('display_name').name();
      if (name !== null) drivers.push(name);
    }
  }
  const driver = row.get('display_name').name();
  const entrant = row.get('team_id').id() ?? row.get('cust_id').id() ?? row.place;
  results.addRow({
    position: countFromZero(row.get('finish_position').number()),
    driver,
    drivers,
    laps: countOf(row.get('laps_complete').number()),
    bestMs: msOfTenThousandths(row.get('best_lap_time').number()),
    totalMs: null,
    entrant,
    person: entrant,
    hasLostLaps: false,
  });
}
