import { wordsOf } from '../../domain/words.ts';
import { layoutIdentifier } from '../simulators.ts';
import type { ImportPlan, PlannedLap, PlannedSession, ResultFormat } from '../results/plan.ts';
import type { FoundFile } from './found-file.ts';
import { sha256 } from './sha256.ts';

/** Length of a file's id, in hexadecimal digits. */
const ID_DIGITS = 16;
/** Most sectors that the service takes of a lap. */
const MAX_SECTORS = 64;

/** A game that writes result files. Ids of drivers are unique within one. */
export type Game = 'acc' | 'ac' | 'ac-evo' | 'rfactor' | 'raceroom' | 'ams2' | 'iracing';

const GAMES: Readonly<Record<ResultFormat, Game>> = {
  'acc-results-json-server': 'acc',
  'acc-results-json-client': 'acc',
  'ac-server-json': 'ac',
  'ac-server-json-manager': 'ac',
  'ac-client-race_out-json': 'ac',
  'ac-content-manager-json': 'ac',
  'ac-evo-results-json': 'ac-evo',
  'rfactor-xml': 'rfactor',
  'raceroom-server-json': 'raceroom',
  'sms_stats-json': 'ams2',
  'iracing-event-result-json': 'iracing',
  'iracing-lap-data-json': 'iracing',
  'iracing-results-csv': 'iracing',
};

/** A driver of result files. */
export interface FileDriver {
  /** The game and its id of the driver, or, without one, `name` and the words of the name: the same in each file. */
  readonly key: string;
  /** The name in the file. */
  readonly name: string;
}

/** A lap of a result file that has a time and a driver. */
export interface TimedLap {
  /** Its number among those laps of the file, from 1. */
  readonly number: number;
  readonly driver: FileDriver;
  /** What the game calls the car. */
  readonly car: string | null;
  /** What the game calls the layout: the track, and behind a slash the layout, in games that name it apart. */
  readonly layout: string | null;
  /** In ms. */
  readonly totalTime: number;
  /** In ms, 0 for each that is not known; empty if none is. */
  readonly sectors: readonly number[];
  readonly valid: boolean;
}

/** A result file, as an import sees it. */
export interface PlannedFile {
  /** Made of its content: the same for every copy. */
  readonly id: string;
  readonly path: string;
  readonly changedAt: number;
  readonly game: Game;
  readonly plan: ImportPlan;
  readonly laps: readonly TimedLap[];
  /** What is odd, in sentences: the warnings of the plan, and what is not sent or not known. */
  readonly notes: readonly string[];
}

/** The file of a plan, with the laps that can be sent. */
export function plannedFile({ path, bytes, changedAt }: FoundFile, plan: ImportPlan): PlannedFile {
  const id = sha256(bytes).slice(0, ID_DIGITS);
  const game = GAMES[plan.format];
  const laps: TimedLap[] = [];
  let outLaps = 0;
  let withoutTime = 0;
  let withoutDriver = 0;
  let withoutValidity = 0;
  for (const session of plan.sessions) {
    for (const lap of session.laps) {
      if (lap.out === true) {
        outLaps += 1;
      } else if (lap.ms === null) {
        withoutTime += 1;
      } else if (lap.driver === null || wordsOf(lap.driver).length === 0) {
        withoutDriver += 1;
      } else {
        if (lap.valid === null) withoutValidity += 1;
        laps.push(timedLap(laps.length + 1, session, lap, lap.driver, lap.ms, game));
      }
    }
  }
  const notes = [...plan.warnings];
  if (outLaps > 0) notes.push(`Out laps are not sent: ${outLaps}.`);
  if (withoutTime > 0) notes.push(`Laps without a time are not sent: ${withoutTime}.`);
  if (withoutDriver > 0) notes.push(`Laps without the name of a driver are not sent: ${withoutDriver}.`);
  if (withoutValidity > 0) notes.push(`The file does not say whether laps are valid; these count: ${withoutValidity}.`);
  return { id, path, changedAt, game, plan, laps, notes };
}

function timedLap(
  number: number,
  session: PlannedSession,
  lap: PlannedLap,
  name: string,
  totalTime: number,
  game: Game,
): TimedLap {
  const key = lap.driverId === null ? nameKey(name) : `${game}:${lap.driverId}`;
  const sectors = lap.sectors === null || lap.sectors.length > MAX_SECTORS ? [] : lap.sectors;
  return {
    number,
    driver: { key, name },
    car: lap.car,
    layout: layoutIdentifier(session.track, session.layout),
    totalTime,
    sectors: sectors.map((sector) => sector ?? 0),
    valid: lap.valid ?? true,
  };
}

/** The words of a name without accents and case, in an order of their own: the same for `Ida Møller` and `MOLLER Ida`. */
export function sortedWords(name: string): string {
  return [...wordsOf(name)].sort().join(' ');
}

function nameKey(name: string): string {
  return `name:${sortedWords(name)}`;
}
