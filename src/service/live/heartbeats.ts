import type { Clock } from '../kernel/ports/system.ts';
import type { LiveSink } from './channel.ts';
import { heartbeatFrame } from './frames.ts';

/** How often, in ms, each reader hears that the stream is alive. */
export const HEARTBEAT_MS = 15_000;

/** Readers take turns, so that not all are written to at the same moment. */
const TURNS = 15;

/** Sends signs of life, with one timer for all readers. */
export class Heartbeats {
  readonly #clock: Clock;
  readonly #behindMs: () => number;
  readonly #turns: readonly Set<LiveSink>[] = Array.from({ length: TURNS }, () => new Set<LiveSink>());
  #turn = 0;
  #cancel: (() => void) | null = null;
  readers = 0;

  constructor(clock: Clock, behindMs: () => number) {
    this.#clock = clock;
    this.#behindMs = behindMs;
  }

  /** Adds a reader, and returns their turn. */
  add(sink: LiveSink): number {
    // The turn that has just been: the first one is due after a whole round.
    this.#turns[this.#turn]?.add(sink);
    this.readers += 1;
    this.#cancel ??= this.#clock.after(HEARTBEAT_MS / TURNS, this.#beat);
    return this.#turn;
  }

  /** Tells one reader at once how it stands. */
  tell(sink: LiveSink): void {
    sink.write(heartbeatFrame(this.#clock.now(), this.#behindMs()));
  }

  remove(sink: LiveSink, turn: number): void {
    if (this.#turns[turn]?.delete(sink) === true) this.readers -= 1;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  readonly #beat = (): void => {
    this.#turn = (this.#turn + 1) % TURNS;
    const frame = heartbeatFrame(this.#clock.now(), this.#behindMs());
    for (const sink of this.#turns[this.#turn] ?? []) sink.write(frame);
    this.#cancel = this.readers === 0 ? null : this.#clock.after(HEARTBEAT_MS / TURNS, this.#beat);
  };
}
