import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonLines, replaceFile } from '../delivery/durable-file.ts';
import type { GameName } from './games/games.ts';
import type { DetectedLap } from './laps/observations.ts';

/** A completed lap, as the bridge keeps it until nothing of it has to be sent any more. */
export interface KeptLap extends Omit<DetectedLap, 'completedAt'> {
  /** The name that plans have for what the game sends. */
  readonly format: string;
  readonly game: GameName;
  /** ISO 8601. */
  readonly drivenAt: string;
}

/** What is sent of a lap, and may change afterwards. */
export interface SentFacts {
  readonly valid: boolean;
  readonly sectors: readonly number[];
}

/** A change of a lap that was handed over to be sent. */
export interface LapChange {
  readonly lap: KeptLap;
  readonly kind: 'strike' | 'correct';
}

/** A line of the journal. */
type Line =
  | { readonly do: 'keep'; readonly lap: KeptLap }
  | { readonly do: 'take-back'; readonly id: string }
  | { readonly do: 'hand-over'; readonly id: string; readonly facts: SentFacts }
  | { readonly do: 'end'; readonly id: string };

/** What is known of a lap. */
interface Entry {
  lap: KeptLap;
  isTakenBack: boolean;
  /** What the queue or the service has; null: it was not handed over. */
  sent: SentFacts | null;
  /** Whether nothing is done with it any more, whatever is said of it. */
  hasEnded: boolean;
}

/** Most sectors that the service takes of a lap. */
const MAX_SECTORS = 64;
/** A journal of more lines than this is shortened when it is opened. */
const MAX_LINES = 20_000;
/** How many of the newest laps a bridge remembers on disk, in journal and queue, though nothing is to be done with them. */
export const REMEMBERED_LAPS = 2_000;

/**
 * The laps of a bridge on disk, from when they are found until nothing has to be sent of them: those whose car or layout
 * is not mapped wait here; of those that were handed over to the queue it has what has changed since. A lap is safe once
 * `keep` returns. Each lap is kept once, by its id.
 */
export class LapJournal {
  readonly #path: string;
  readonly #entries = new Map<string, Entry>();
  /** Ids of laps that were not handed over, and do count. */
  readonly #waiting = new Set<string>();
  /** Ids of laps that have changed since they were handed over. */
  readonly #changed = new Set<string>();

  /** Opens the journal in a directory. @throws {Failure} when it is damaged elsewhere than at its end. */
  constructor(directory: string) {
    this.#path = join(directory, 'found.ndjson');
    const lines = readJsonLines(this.#path);
    // Only `#write` writes these lines.
    for (const line of lines) this.#apply(line as Line);
    if (lines.length > MAX_LINES) this.#shorten();
  }

  /** How many laps were not handed over. */
  get waitingLaps(): number {
    return this.#waiting.size;
  }

  /** Laps that were not handed over, the oldest first. */
  get waiting(): readonly KeptLap[] {
    return this.#entriesOf(this.#waiting).map(({ lap }) => lap);
  }

  /** What has changed of laps since they were handed over, or since the last change of theirs was sent. */
  get changes(): readonly LapChange[] {
    return this.#entriesOf(this.#changed).map(({ lap, isTakenBack }) => {
      const kind = isTakenBack ? 'strike' : 'correct';
      return { lap, kind };
    });
  }

  /** The time of a lap, in ms; null: it is not known. */
  timeOf(id: string): number | null {
    return this.#entries.get(id)?.lap.ms ?? null;
  }

  /** Keeps a lap, and returns when it is on disk; false: it is known already. */
  keep(lap: KeptLap): boolean {
    if (this.#entries.has(lap.id)) return false;
    this.#write({ do: 'keep', lap });
    return true;
  }

  /** More has become known of a lap; the moment at which it was driven stays. */
  correct(lap: KeptLap): void {
    const known = this.#entries.get(lap.id);
    if (known === undefined) return;
    const { drivenAt } = known.lap;
    this.#write({ do: 'keep', lap: { ...lap, drivenAt } });
  }

  /** A lap does not count; true: it counted until now. */
  takeBack(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.isTakenBack) return false;
    this.#write({ do: 'take-back', id });
    return true;
  }

  /** The queue, or the service, has these facts of a lap. */
  handOver(id: string, facts: SentFacts): void {
    if (this.#entries.has(id)) this.#write({ do: 'hand-over', id, facts });
  }

  /** Nothing is done with a lap any more: it is struck, or the service does not have it. */
  end(id: string): void {
    this.#write({ do: 'end', id });
  }

  /** Whether a lap was handed over. */
  isHandedOver(id: string): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && entry.sent !== null;
  }

  #write(line: Line): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`, { flush: true, mode: 0o600 });
    this.#apply(line);
  }

  #apply(line: Line): void {
    const id = line.do === 'keep' ? line.lap.id : line.id;
    const entry = this.#entries.get(id);
    if (line.do === 'keep') {
      if (entry === undefined) {
        this.#entries.set(id, { lap: line.lap, isTakenBack: false, sent: null, hasEnded: false });
      } else {
        entry.lap = line.lap;
      }
    } else if (entry === undefined) {
      return;
    } else if (line.do === 'take-back') {
      entry.isTakenBack = true;
    } else if (line.do === 'hand-over') {
      entry.sent = line.facts;
    } else {
      entry.hasEnded = true;
    }
    this.#sort(id);
  }

  /** Notes what is to be done with a lap. */
  #sort(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const { lap, sent, isTakenBack, hasEnded } = entry;
    if (sent === null && !isTakenBack) this.#waiting.add(id);
    else this.#waiting.delete(id);
    const isChanged = sent !== null && (isTakenBack || !isSame(sent, factsOf(lap)));
    if (isChanged && !hasEnded) this.#changed.add(id);
    else this.#changed.delete(id);
  }

  #entriesOf(ids: ReadonlySet<string>): readonly Entry[] {
    const entries: Entry[] = [];
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  /** Forgets the oldest laps with which nothing is to be done. */
  #shorten(): void {
    const open = new Set([...this.#waiting, ...this.#changed]);
    let excess = this.#entries.size - open.size - REMEMBERED_LAPS;
    const lines: string[] = [];
    for (const [id, entry] of this.#entries) {
      if (excess > 0 && !open.has(id)) {
        this.#entries.delete(id);
        excess -= 1;
        continue;
      }
      for (const line of linesOf(entry)) lines.push(`${JSON.stringify(line)}\n`);
    }
    replaceFile(this.#path, lines.join(''));
  }
}

function linesOf({ lap, isTakenBack, sent, hasEnded }: Entry): readonly Line[] {
  const { id } = lap;
  const lines: Line[] = [{ do: 'keep', lap }];
  if (isTakenBack) lines.push({ do: 'take-back', id });
  if (sent !== null) lines.push({ do: 'hand-over', id, facts: sent });
  if (hasEnded) lines.push({ do: 'end', id });
  return lines;
}

/** What is sent of a lap: a lap counts unless the game says otherwise, and a sector that is not known is 0. */
export function factsOf({ valid, sectors }: KeptLap): SentFacts {
  const sent = sectors === null || sectors.length > MAX_SECTORS ? [] : sectors;
  return { valid: valid ?? true, sectors: sent.map((sector) => sector ?? 0) };
}

function isSame(one: SentFacts, other: SentFacts): boolean {
  return one.valid === other.valid && one.sectors.join() === other.sectors.join();
}
