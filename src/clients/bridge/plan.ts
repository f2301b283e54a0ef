import type { PlannedLap, PlannedSession } from '../results/plan.ts';
import { Warnings } from '../results/warnings.ts';
import type { GameName } from './games/games.ts';
import { LapFinder } from './lap-finder.ts';
import type { DetectedLap, Finding, Session } from './laps/observations.ts';

/** What the bridge would send of a capture. */
export interface BridgePlan {
  readonly format: string;
  /** In the order in which they began; sessions without laps are left out. */
  readonly sessions: readonly PlannedSession[];
  /** What is odd, and what is not sent, in sentences. */
  readonly notes: readonly string[];
}

/** Makes the plan of a capture: the final state, after all corrections, without the laps that were taken back. */
export class CapturePlan {
  readonly #finder: LapFinder;
  readonly #sessions = new Map<string, Session>();
  readonly #laps = new Map<string, DetectedLap>();
  readonly #notes = new Warnings();
  #packets = 0;
  #read = 0;

  constructor(game: GameName) {
    this.#finder = new LapFinder(game);
  }

  /** Packets that were packets of the game. */
  get read(): number {
    return this.#read;
  }

  /** Adds what came at a moment, in ms since the start of the capture. */
  add(payload: Uint8Array, at: number): void {
    this.#packets += 1;
    const { refused, sessions, findings } = this.#finder.read(payload, at);
    if (refused === null) this.#read += 1;
    else this.#notes.count(`Packets are not read because ${refused}`, `packet ${this.#packets}`);
    for (const session of sessions) this.#sessions.set(session.id, session);
    this.#apply(findings);
  }

  /** Adds a note of the capture itself. */
  note(text: string): void {
    this.#notes.add(text);
  }

  /** The plan; nothing is added after it. */
  finish(): BridgePlan {
    this.#apply(this.#finder.finish());
    if (this.#read === 0) this.#notes.add('The capture has no packets of this game.');
    const sessions: PlannedSession[] = [];
    for (const session of this.#sessions.values()) {
      const laps = [...this.#laps.values()].filter((lap) => lap.session.id === session.id);
      if (laps.length === 0) continue;
      this.#noteUnknown(session, laps);
      sessions.push({
        session: session.kind,
        name: session.name,
        track: session.track,
        layout: session.layout,
        laps: laps.map(plannedLap),
        classification: [],
      });
    }
    return { format: this.#finder.format, sessions, notes: this.#notes.list() };
  }

  #apply(findings: readonly Finding[]): void {
    for (const finding of findings) {
      switch (finding.kind) {
        case 'lap':
        case 'corrected':
          this.#laps.set(finding.lap.id, finding.lap);
          break;
        case 'taken-back': {
          const { id, lap, ms, driver } = finding.lap;
          this.#laps.delete(id);
          this.#notes.add(
            `Lap ${lap} of ${driver ?? 'the driver'}, ${ms} ms, was taken back by a flashback, and does not count.`,
          );
          break;
        }
        case 'note':
          this.#notes.add(finding.text);
          break;
      }
    }
  }

  #noteUnknown(session: Session, laps: readonly DetectedLap[]): void {
    if (session.track === null) this.#notes.add(`The track of a session (${session.kind}) is not known.`);
    for (const { driver, model, lap } of laps) {
      if (driver === null) this.#notes.count('Laps have no driver: the game does not say who drives', `lap ${lap}`);
      if (model === null) this.#notes.count('Laps have no car: the game does not say which it is', `lap ${lap}`);
    }
  }
}

function plannedLap({ driver, driverId, model, lap, ms, sectors, valid, isOut }: DetectedLap): PlannedLap {
  const planned = { driver, driverId, car: model, lap, ms, sectors, valid };
  return isOut ? { ...planned, out: true } : planned;
}
