import type { ClassifiedRow, PlannedLap, PlannedSession, SessionKind } from './plan.ts';
import type { Warnings } from './warnings.ts';

/** A lap as a parser reads it. */
export interface LapEntry {
  readonly driver: string | null;
  readonly driverId: string | null;
  readonly car: string | null;
  /** The game's number; null where the file has none: laps are then counted from 1 for each entrant. */
  readonly lap: number | null;
  readonly ms: number | null;
  readonly sectors: readonly (number | null)[] | null;
  readonly valid: boolean | null;
  readonly out: boolean;
  /** Whose laps are counted together, and belong to the row of the result with the same entrant. */
  readonly entrant: string;
  /** Where the lap stands in the file. */
  readonly place: string;
}

/** A row of a result as a parser reads it. */
export interface ResultEntry {
  /** The position in the file; null where the order of rows is the result. */
  readonly position: number | null;
  readonly driver: string | null;
  /** All drivers of the car; empty where the file names one only. */
  readonly drivers: readonly string[];
  readonly laps: number | null;
  readonly bestMs: number | null;
  readonly totalMs: number | null;
  readonly entrant: string;
  /** By what a driver is known who has two rows. */
  readonly person: string;
  /** Whether the best time may rightly be slower than a listed lap: a penalty has taken a lap away. */
  readonly hasLostLaps: boolean;
}

/** What a parser has found out about a session. */
export interface SessionHead {
  readonly session: SessionKind;
  readonly name: string | null;
  readonly track: string | null;
  readonly layout: string | null;
}

/** Collects laps and result of a session, and applies the rules that all formats share. */
export class SessionResults {
  readonly #head: SessionHead;
  readonly #warnings: Warnings;
  readonly #laps: PlannedLap[] = [];
  readonly #rows: ResultEntry[] = [];
  readonly #lapsOf = new Map<string, number>();
  readonly #fastestOf = new Map<string, number>();

  constructor(head: SessionHead, warnings: Warnings) {
    this.#head = head;
    this.#warnings = warnings;
  }

  addLap(entry: LapEntry): void {
    const { driver, driverId, car, ms, sectors, entrant, place, out } = entry;
    const count = (this.#lapsOf.get(entrant) ?? 0) + 1;
    this.#lapsOf.set(entrant, count);
    if (driver === null) this.#warnings.count('A lap has no known driver', place);
    const valid = ms === null ? null : entry.valid;
    const fastest = this.#fastestOf.get(entrant) ?? Infinity;
    if (ms !== null && valid !== false && !out && ms < fastest) this.#fastestOf.set(entrant, ms);
    const lap = { driver, driverId, car, lap: entry.lap ?? count, ms, sectors, valid };
    this.#laps.push(out ? { ...lap, out: true } : lap);
  }

  addRow(entry: ResultEntry): void {
    this.#rows.push(entry);
  }

  /** How many laps of an entrant are listed so far. */
  lapsOf(entrant: string): number {
    return this.#lapsOf.get(entrant) ?? 0;
  }

  /** The fastest listed lap of an entrant that is not known to be invalid, in ms. */
  fastestOf(entrant: string): number | null {
    return this.#fastestOf.get(entrant) ?? null;
  }

  /** The session; null where it has neither laps nor a result. */
  finish(): PlannedSession | null {
    const classification = this.#classification();
    if (this.#laps.length === 0 && classification.length === 0) return null;
    if (this.#rows.length === 0) this.#warnings.add(`${this.#title} has laps, but no result in the file.`);
    if (this.#head.track === null) this.#warnings.add('The file does not name the track.');
    const { session, name, track, layout } = this.#head;
    return { session, name, track, layout, laps: this.#laps, classification };
  }

  get #title(): string {
    const { name, session } = this.#head;
    return name === null ? `A session (${session})` : `The session ${name}`;
  }

  #classification(): readonly ClassifiedRow[] {
    const kept = this.#withoutUnusedRows();
    const placed = kept.map((row, n) => ({ row, position: row.position ?? n + 1 }));
    placed.sort((a, b) => a.position - b.position);
    const classified: ClassifiedRow[] = [];
    for (const { row, position } of placed) {
      const { driver, drivers, laps } = row;
      if (driver === null) continue;
      const bestMs = this.#bestOf(row, driver);
      const totalMs = this.#head.session === 'race' ? row.totalMs : null;
      if (drivers.length > 1) classified.push({ position, driver, drivers, laps, bestMs, totalMs });
      else classified.push({ position, driver, laps, bestMs, totalMs });
    }
    return classified;
  }

  /** Rows with a name, without those that repeat a driver and have no laps: a driver who comes back gets a second row. */
  #withoutUnusedRows(): readonly ResultEntry[] {
    const named = this.#rows.filter(({ driver }) => driver !== null);
    const drove = new Set<string>();
    for (const row of named) if (hasDriven(row)) drove.add(row.person);
    const seen = new Set<string>();
    const kept: ResultEntry[] = [];
    for (const row of named) {
      const isRepeated = seen.has(row.person) || drove.has(row.person);
      seen.add(row.person);
      if (hasDriven(row) || !isRepeated) kept.push(row);
    }
    const unnamed = this.#rows.length - named.length;
    const repeated = named.length - kept.length;
    if (unnamed + repeated > 0) {
      this.#warnings.add(
        `${this.#title}: rows of the result were left out: ${unnamed} without a name, ${repeated} that repeat a driver without laps.`,
      );
    }
    return kept;
  }

  #bestOf({ bestMs, entrant, hasLostLaps }: ResultEntry, driver: string): number | null {
    const fastest = this.fastestOf(entrant);
    if (bestMs === null || fastest === null || bestMs <= fastest || hasLostLaps) return bestMs;
    this.#warnings.add(
      `${this.#title}: the best time of ${driver} in the file, ${bestMs} ms, is slower than a listed lap; ${fastest} ms was taken.`,
    );
    return fastest;
  }
}

function hasDriven({ laps, bestMs }: ResultEntry): boolean {
  return (laps ?? 0) > 0 || bestMs !== null;
}
