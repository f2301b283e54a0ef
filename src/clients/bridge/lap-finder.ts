import { GAMES, type GameName } from './games/games.ts';
import type { GameReader } from './games/game.ts';
import { LapDetector, type DetectorState, type RunningLap } from './laps/lap-detector.ts';
import type { Finding, Session } from './laps/observations.ts';

/** What was found in a packet. */
export interface Found {
  /** Why the packet was not read; null: it was. */
  readonly refused: string | null;
  /** Sessions that began, or of which more has become known. */
  readonly sessions: readonly Session[];
  readonly findings: readonly Finding[];
}

/** Finds laps in what a game sends. */
export class LapFinder {
  readonly #reader: GameReader;
  readonly #detector: LapDetector;

  /** `remembered`: what an earlier finder knew of the session that ran. */
  constructor(game: GameName, remembered: DetectorState | null = null) {
    this.#reader = GAMES[game]();
    this.#detector = new LapDetector(this.#reader.rules, remembered);
  }

  /** The name that plans have for what the game sends. */
  get format(): string {
    return this.#reader.format;
  }

  /** Whether sessions have the ids of the game itself, which another finder will see, too. */
  get hasSessionIds(): boolean {
    return this.#reader.hasSessionIds;
  }

  /** Reads what came at a moment, in ms since the start. */
  read(payload: Uint8Array, at: number): Found {
    const { observations, refused } = this.#reader.read(payload, at);
    const sessions: Session[] = [];
    const findings: Finding[] = [];
    for (const observation of observations) {
      if (observation.kind === 'session' || observation.kind === 'session-details') sessions.push(observation.session);
      findings.push(...this.#detector.observe(observation, at));
    }
    if (observations.length === 0) findings.push(...this.#detector.wait(at));
    return { refused, sessions, findings };
  }

  /** What follows from the time that has passed. */
  wait(at: number): readonly Finding[] {
    return this.#detector.wait(at);
  }

  /** What follows from the end: nothing more comes. */
  finish(): readonly Finding[] {
    return this.#detector.finish();
  }

  /** The laps that are driven, in games that say so. */
  running(): readonly RunningLap[] {
    return this.#detector.running();
  }

  /** What it knows of the session that runs; null: none does. */
  state(): DetectorState | null {
    return this.#detector.state();
  }
}
