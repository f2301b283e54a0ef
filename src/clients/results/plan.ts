/** Formats of result files, by the names that a plan shows. */
export type ResultFormat =
  | 'acc-results-json-server'
  | 'acc-results-json-client'
  | 'ac-server-json'
  | 'ac-server-json-manager'
  | 'ac-client-race_out-json'
  | 'ac-content-manager-json'
  | 'ac-evo-results-json'
  | 'rfactor-xml'
  | 'raceroom-server-json'
  | 'sms_stats-json'
  | 'iracing-event-result-json'
  | 'iracing-lap-data-json'
  | 'iracing-results-csv';

/** Encodings of result files. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** What is driven in a session; `unknown` where the file does not say. */
export type SessionKind = 'practice' | 'qualifying' | 'race' | 'warmup' | 'time-trial' | 'hotlap' | 'unknown';

/** A lap of a result file. Times are in ms; what the file does not say is null. */
export interface PlannedLap {
  /** The name in the file, letter by letter. */
  readonly driver: string | null;
  /** The id that the game has for the driver. */
  readonly driverId: string | null;
  /** What the game calls the car: the `simulatorIdentifier` of a mapping. */
  readonly car: string | null;
  readonly lap: number;
  readonly ms: number | null;
  /** Single sectors, null for each that is unknown; null when none is known. */
  readonly sectors: readonly (number | null)[] | null;
  readonly valid: boolean | null;
  /** An out lap, which counts for nothing. */
  readonly out?: true;
}

/** A row of the result of a session. Times are in ms. */
export interface ClassifiedRow {
  readonly position: number;
  /** The driver, or the name of the team in a team event. */
  readonly driver: string;
  /** The drivers of a car that more than one drove. */
  readonly drivers?: readonly string[];
  readonly laps: number | null;
  readonly bestMs: number | null;
  /** Total time, in races only. */
  readonly totalMs: number | null;
}

/** A session of a result file. */
export interface PlannedSession {
  readonly session: SessionKind;
  /** The game's own word for the session. */
  readonly name: string | null;
  readonly track: string | null;
  /** The layout, in games that name it apart from the track. */
  readonly layout: string | null;
  readonly laps: readonly PlannedLap[];
  readonly classification: readonly ClassifiedRow[];
}

/** What an import of a result file would do. */
export interface ImportPlan {
  readonly format: ResultFormat;
  readonly encoding: Encoding;
  /** In the order of the file; sessions with neither laps nor a classification are left out. */
  readonly sessions: readonly PlannedSession[];
  /** What is odd about the file, in sentences. */
  readonly warnings: readonly string[];
}

/** What a parser of one format finds in a file. */
export interface ParsedResults {
  readonly format: ResultFormat;
  readonly sessions: readonly PlannedSession[];
}
