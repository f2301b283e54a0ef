import { join } from 'node:path';
import { readJson, replaceFile } from '../delivery/durable-file.ts';
import { timeText, type BridgeStatus } from './bridge-status.ts';
import type { GameName } from './games/games.ts';
import { LapFinder, type Found } from './lap-finder.ts';
import type { KeptLap, LapJournal } from './lap-journal.ts';
import { laterBy, type DetectorState } from './laps/lap-detector.ts';
import type { DetectedLap, Finding, Session } from './laps/observations.ts';

/** How often, in ms, what is known of the session is kept. */
const SAVE_MS = 1_000;

/** The session that ran, as it is kept on disk. */
interface SavedSession {
  readonly game: GameName;
  /** When the bridge that saw it was started, epoch ms. */
  readonly startedAt: number;
  readonly state: DetectorState;
}

export interface KeeperOptions {
  readonly game: GameName;
  readonly directory: string;
  readonly journal: LapJournal;
  readonly status: BridgeStatus;
  /** Names this run in the ids of laps of games whose sessions have no ids: a moment, or the capture that is played. */
  readonly runName: string;
  /** When something came at `at`, epoch ms, while it is `now`, both in ms since the start. */
  readonly momentOf: (at: number, now: number) => number;
  /** Only laps of this driver, or of this car, by the game's words, are kept; null: all. */
  readonly only: string | null;
  /** Hears that there is something to be sent. */
  readonly onChange: () => void;
}

/**
 * Finds the laps in what a game sends, and keeps them on disk. The session that runs is kept, too, where the game has an
 * id for it: a bridge that is started again goes on where it has ended, and takes back laps that it has sent before.
 */
export class LapKeeper {
  readonly #options: KeeperOptions;
  readonly #finder: LapFinder;
  /** The beginning of the ids of laps. */
  readonly #prefix: string;
  readonly #sessions = new Map<string, Session>();
  /** The ids of laps in the journal, by those that the finder has for them. */
  readonly #ids = new Map<string, string>();
  readonly #startedAt = Date.now();
  /** What time it is, in ms since the start. */
  #now = 0;
  #savedAt = -Infinity;
  #isUnsaved = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    const { game, runName, status } = options;
    const remembered = this.#remembered();
    if (remembered !== null) this.#sessions.set(remembered.session.id, remembered.session);
    this.#finder = new LapFinder(game, remembered);
    this.#prefix = this.#finder.hasSessionIds ? `${game}/` : `${game}/${runName}/`;
    status.running = () => this.#finder.running();
  }

  /** Reads what came at a moment, in ms since the start. */
  hear(payload: Uint8Array, at: number): void {
    this.#now = at;
    const found = this.#finder.read(payload, at);
    if (found.refused === null) this.#options.status.heard();
    this.#isUnsaved = true;
    this.#take(found);
    this.#save(found.findings.length > 0);
  }

  /** Time has passed, in ms since the start. */
  tick(at: number): void {
    this.#now = at;
    const findings = this.#finder.wait(at);
    this.#take({ refused: null, sessions: [], findings });
    this.#save(findings.length > 0);
  }

  /** Nothing more comes. */
  finish(): void {
    this.#take({ refused: null, sessions: [], findings: this.#finder.finish() });
    this.#isUnsaved = true;
    this.#save(true);
  }

  #take({ sessions, findings }: Found): void {
    for (const session of sessions) this.#learnSession(session);
    for (const finding of findings) this.#takeFinding(finding);
  }

  #learnSession(seen: Session): void {
    const { journal, status, onChange } = this.#options;
    const known = this.#sessions.get(seen.id);
    // The packet that names the track may come later, or have come before the bridge was started again.
    const session = seen.track === null ? (known ?? seen) : seen;
    this.#sessions.set(session.id, session);
    status.inSession(session);
    // Laps may have been found before it was known where they are driven.
    for (const lap of journal.waiting) {
      const isOfSession = lap.session.id === session.id && lap.id.startsWith(this.#prefix);
      if (!isOfSession || isSamePlace(lap.session, session)) continue;
      journal.correct({ ...lap, session });
      onChange();
    }
  }

  #takeFinding(finding: Finding): void {
    const { journal, status, only, onChange } = this.#options;
    if (finding.kind === 'note') {
      status.say(finding.text);
      return;
    }
    const { lap } = finding;
    if (only !== null && ![lap.driver, lap.driverId, lap.car].includes(only)) return;
    switch (finding.kind) {
      case 'lap':
        if (lap.isOut) {
          status.say(`${titleOf(lap)} is an out lap, and is not sent`);
          return;
        }
        if (!journal.keep(this.#keptLap(lap))) return;
        status.found += 1;
        status.say(`${titleOf(lap)}: ${timeText(lap.ms)}${lap.valid === false ? ', invalid' : ''}`);
        break;
      case 'corrected':
        journal.correct(this.#keptLap(lap));
        break;
      case 'taken-back':
        if (!journal.takeBack(this.#idOf(lap))) return;
        status.say(`${titleOf(lap)} was taken back by a flashback`);
        break;
    }
    onChange();
  }

  #keptLap(detected: DetectedLap): KeptLap {
    const { game, momentOf } = this.#options;
    const { completedAt, ...lap } = detected;
    return {
      ...lap,
      id: this.#idOf(detected),
      session: this.#sessions.get(lap.session.id) ?? lap.session,
      format: this.#finder.format,
      game,
      drivenAt: new Date(momentOf(completedAt, this.#now)).toISOString(),
    };
  }

  /**
   * The id of a lap in the journal. A lap that is read again has the id that it had; another lap under that id, of a
   * session that was started again while no bridge ran, gets one of its own.
   */
  #idOf({ id, ms }: DetectedLap): string {
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    const { journal } = this.#options;
    const first = this.#prefix + id;
    let own = first;
    for (let round = 2; (journal.timeOf(own) ?? ms) !== ms; round += 1) own = `${first}~${round}`;
    this.#ids.set(id, own);
    return own;
  }

  get #path(): string {
    return join(this.#options.directory, 'session.json');
  }

  /** What the bridge knew that ran before; null: nothing, or it was of another game. */
  #remembered(): DetectorState | null {
    // Only `#save` writes this file.
    const saved = readJson(this.#path) as SavedSession | null;
    if (saved === null) return null;
    const { game, startedAt, state } = saved;
    return game === this.#options.game ? laterBy(state, this.#startedAt - startedAt) : null;
  }

  #save(isUrgent: boolean): void {
    if (!this.#finder.hasSessionIds || !this.#isUnsaved) return;
    const now = performance.now();
    if (!isUrgent && now - this.#savedAt < SAVE_MS) return;
    const state = this.#finder.state();
    if (state === null) return;
    this.#savedAt = now;
    this.#isUnsaved = false;
    const saved: SavedSession = { game: this.#options.game, startedAt: this.#startedAt, state };
    replaceFile(this.#path, JSON.stringify(saved));
  }
}

function isSamePlace(one: Session, other: Session): boolean {
  return one.track === other.track && one.layout === other.layout;
}

function titleOf({ lap, driver, car, model }: DetectedLap): string {
  return `Lap ${lap} of ${driver ?? `car ${car}`}${model === null ? '' : ` in ${model}`}`;
}
