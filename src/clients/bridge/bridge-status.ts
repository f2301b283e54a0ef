import type { GameName } from './games/games.ts';
import type { RunningLap } from './laps/lap-detector.ts';
import type { Session } from './laps/observations.ts';
import type { Unmapped } from './mappings.ts';

/** Something that is not mapped, and how many laps wait for it. */
export interface WaitingFor extends Unmapped {
  readonly laps: number;
}

/** What people see of a bridge. */
export interface StatusView {
  readonly game: GameName;
  /** Where the game is heard: `port 20777`, or the capture that is played. */
  readonly source: string;
  /** The address of the service. */
  readonly server: string;
  readonly packets: number;
  /** Time since the game was heard, in s; null: it was not. */
  readonly heardSecondsAgo: number | null;
  /** The session that runs, in words; null: none does. */
  readonly session: string | null;
  /** The laps that are driven, in words. */
  readonly running: readonly string[];
  /** Laps found, recorded, struck and refused since the start. */
  readonly found: number;
  readonly recorded: number;
  readonly struck: number;
  readonly refused: number;
  /** Laps that can be sent, and are not settled yet. */
  readonly queued: number;
  /** Laps that wait until somebody says who sat on the rig. */
  readonly withoutDriver: number;
  /** Laps that wait for a mapping, or until the service says which there are; and what they wait for. */
  readonly unmapped: number;
  readonly waitingFor: readonly WaitingFor[];
  /** Why nothing is sent; null: all is well. */
  readonly problem: string | null;
  /** What happened last, the newest first. */
  readonly last: readonly string[];
}

/** How many of the last lines are shown. */
const LAST_LINES = 12;
const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60_000;

/** What is known of a running bridge, for those who look at it. */
export class BridgeStatus {
  readonly #game: GameName;
  readonly #server: string;
  readonly #onSaid: (line: string) => void;
  #last: readonly string[] = [];
  #heardAt: number | null = null;
  #problem: string | null = null;
  #waitingFor: readonly WaitingFor[] = [];
  #session: Session | null = null;
  source = 'not yet';
  packets = 0;
  found = 0;
  recorded = 0;
  struck = 0;
  refused = 0;
  queued = 0;
  withoutDriver = 0;
  unmapped = 0;
  /** What has been waited for so long that people should know; null: nothing. */
  awaited: () => string | null = () => null;
  /** The laps that are driven. */
  running: () => readonly RunningLap[] = () => [];

  /** `onSaid` hears each line that is said. */
  constructor(game: GameName, server: string, onSaid: (line: string) => void) {
    this.#game = game;
    this.#server = server;
    this.#onSaid = onSaid;
  }

  /** Something has happened. */
  say(line: string): void {
    this.#last = [line, ...this.#last].slice(0, LAST_LINES);
    this.#onSaid(line);
  }

  heard(): void {
    this.packets += 1;
    this.#heardAt = performance.now();
  }

  /** A session has begun, or more is known of it. */
  inSession(session: Session): void {
    const before = this.#session === null ? null : sessionText(this.#session);
    this.#session = session;
    if (sessionText(session) !== before) this.say(`Session: ${sessionText(session)}`);
  }

  /** Why nothing is sent; null: it is again. */
  hasProblem(problem: string | null): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.say(problem ?? 'The service takes laps again.');
  }

  /** What laps wait for. */
  waitsFor(waitingFor: readonly WaitingFor[]): void {
    const before = new Map(this.#waitingFor.map((one) => [one.name, one.laps]));
    this.#waitingFor = waitingFor;
    for (const one of waitingFor) {
      if (before.get(one.name) !== one.laps) this.say(waitingText(one));
    }
  }

  view(): StatusView {
    const heardAt = this.#heardAt;
    return {
      game: this.#game,
      source: this.source,
      server: this.#server,
      packets: this.packets,
      heardSecondsAgo: heardAt === null ? null : Math.round((performance.now() - heardAt) / MS_PER_SECOND),
      session: this.#session === null ? null : sessionText(this.#session),
      running: this.running().map(runningText),
      found: this.found,
      recorded: this.recorded,
      struck: this.struck,
      refused: this.refused,
      queued: this.queued,
      withoutDriver: this.withoutDriver,
      unmapped: this.unmapped,
      waitingFor: this.#waitingFor,
      problem: this.#problem ?? this.awaited(),
      last: this.#last,
    };
  }
}

/** What laps wait for, in words: `Ferrari 296 GT3 (acc 32), 14 laps wait`. */
export function waitingText({ name, laps, link }: WaitingFor): string {
  const wait = `${name}, ${counted(laps)} wait${laps === 1 ? 's' : ''}`;
  return link === null ? wait : `${wait}: map it at ${link}`;
}

/** The lines of a view, without what happened last. */
export function linesOf(view: StatusView): readonly string[] {
  const heard = view.heardSecondsAgo === null ? 'not heard yet' : `heard ${view.heardSecondsAgo} s ago`;
  const lines = [
    `Game:     ${view.game} at ${view.source}, ${heard}, ${view.packets} packets`,
    `Session:  ${view.session ?? 'none'}`,
    `Driving:  ${view.running.length === 0 ? 'nobody, as far as the game says' : view.running.join('; ')}`,
    `Service:  ${view.server}${view.problem === null ? '' : `, ${view.problem}`}`,
    `Laps:     ${view.found} found, ${view.recorded} recorded, ${view.queued} to be sent, ${view.struck} struck`,
  ];
  if (view.refused > 0) lines.push(`Refused:  ${counted(view.refused)}, kept in refused.ndjson`);
  if (view.withoutDriver > 0) lines.push(`Waiting:  ${counted(view.withoutDriver)}: nobody sat on the rig`);
  for (const one of view.waitingFor) lines.push(`Waiting:  ${waitingText(one)}`);
  return lines;
}

function counted(laps: number): string {
  return laps === 1 ? '1 lap' : `${laps} laps`;
}

function sessionText({ kind, name, track, layout }: Session): string {
  const where = [track, layout].filter((part) => part !== null).join(' ');
  return `${kind}${name === null ? '' : ` (${name})`}${where === '' ? '' : ` at ${where}`}`;
}

function runningText({ driver, model, car, lap }: RunningLap): string {
  return `lap ${lap}, ${driver ?? `car ${car}`}${model === null ? '' : ` in ${model}`}`;
}

/** A time as people write it: `1:31.204`. */
export function timeText(ms: number): string {
  const minutes = Math.floor(ms / MS_PER_MINUTE);
  const seconds = ((ms % MS_PER_MINUTE) / MS_PER_SECOND).toFixed(3);
  return minutes === 0 ? seconds : `${minutes}:${seconds.padStart(6, '0')}`;
}
