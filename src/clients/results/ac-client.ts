import { countFromZero, countOf } from './counts.ts';
import type { JsonNode } from './json.ts';
import type { ParsedResults, PlannedSession, SessionKind } from './plan.ts';
import { sessionKindOf } from './session-kinds.ts';
import { SessionResults, type ResultEntry } from './session-results.ts';
import { sectorsIn } from './sectors.ts';
import { msOf } from './times.ts';
import type { Warnings } from './warnings.ts';

/** Session types of Assetto Corsa by number. */
const KINDS: Readonly<Record<number, SessionKind>> = {
  1: 'practice',
  2: 'qualifying',
  3: 'race',
  4: 'hotlap',
  5: 'time-trial',
};

interface Player {
  readonly name: string | null;
  readonly car: string | null;
}

/** Whether a file is the `race_out.json` of the game, or what Content Manager makes of it. */
export function isAcClient(root: JsonNode): boolean {
  return root.get('players').isList && root.get('sessions').isList && root.has('track');
}

/** Parses the `race_out.json` of Assetto Corsa; Content Manager adds two texts to it, one of which names the layout. */
export function parseAcClient(root: JsonNode, warnings: Warnings): ParsedResults {
  const players = root
    .get('players')
    .items()
    .map((player): Player => ({ name: player.get('name').name(), car: player.get('car').name() }));
  const track = root.get('track').name();
  const layout = layoutOf(root);
  const sessions: PlannedSession[] = [];
  for (const node of root.get('sessions').objects()) {
    const session = sessionOf(node, track, layout, players, warnings);
    if (session !== null) sessions.push(session);
  }
  const isOfContentManager = root.has('__raceIni') || root.has('__quickDrive');
  return { format: isOfContentManager ? 'ac-content-manager-json' : 'ac-client-race_out-json', sessions };
}

/** The layout in the settings of the race, an INI text, that Content Manager adds. */
function layoutOf(root: JsonNode): string | null {
  const ini = root.get('__raceIni').value;
  if (typeof ini !== 'string') return null;
  const layout = /^CONFIG_TRACK[ \t]{0,8}=([^\r\n]{0,256})$/m.exec(ini.replaceAll('\r\n', '\n'))?.[1]?.trim() ?? '';
  return layout === '' ? null : layout;
}

function sessionOf(
  node: JsonNode,
  track: string | null,
  layout: string | null,
  players: readonly Player[],
  warnings: Warnings,
): PlannedSession | null {
  const name = node.get('name').name();
  const session = KINDS[node.get('type').number() ?? 0] ?? sessionKindOf(name);
  const results = new SessionResults({ session, name, track, layout }, warnings);
  for (const lap of node.get('laps').objects()) {
    const car = lap.get('car').number();
    const player = car === null ? undefined : players[car];
    const cuts = lap.get('cuts').number();
    results.addLap({
      driver: player?.name ?? null,
      driverId: null,
      car: player?.car ?? null,
      lap: countFromZero(lap.get('lap').number()),
      ms: msOf(lap.get('time').number()),
      sectors: sectorsIn(lap.get('sectors')),
      valid: cuts === null ? null : cuts === 0,
      out: false,
      entrant: String(car),
      place: lap.place,
    });
  }
  const bests = bestsOf(node);
  const order = node.get('raceResult').isList ? raceOrderOf(node) : orderByTime(bests);
  const lapCounts = node.get('lapstotal').items();
  for (const car of order) results.addRow(rowOf(car, players, lapCounts, bests));
  return results.finish();
}

/** The best time of each car, in ms, by its index. */
function bestsOf(node: JsonNode): ReadonlyMap<number, number> {
  const bests = new Map<number, number>();
  for (const best of node.get('bestLaps').objects()) {
    const car = best.get('car').number();
    const ms = msOf(best.get('time').number());
    if (car !== null && ms !== null) bests.set(car, ms);
  }
  return bests;
}

/** Indexes of cars in the order of the result; -1 stands for no car. */
function raceOrderOf(node: JsonNode): readonly number[] {
  const cars = new Set<number>();
  for (const item of node.get('raceResult').items()) {
    const car = item.number();
    if (car !== null && car >= 0) cars.add(car);
  }
  return [...cars];
}

function orderByTime(bests: ReadonlyMap<number, number>): readonly number[] {
  return [...bests].sort(([, a], [, b]) => a - b).map(([car]) => car);
}

function rowOf(
  car: number,
  players: readonly Player[],
  lapCounts: readonly JsonNode[],
  bests: ReadonlyMap<number, number>,
): ResultEntry {
  return {
    position: null,
    driver: players[car]?.name ?? null,
    drivers: [],
    laps: countOf(lapCounts[car]?.number() ?? null),
    bestMs: bests.get(car) ?? null,
    totalMs: null,
    entrant: String(car),
    person: String(car),
    hasLostLaps: false,
  };
}
