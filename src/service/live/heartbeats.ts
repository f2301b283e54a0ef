import type { Clock } from '../kernel/ports/system.ts';
import type { LiveSink } from './reader.ts';
import { heartbeatFrame } from './frames.ts';

/** How often, in ms, each reader is sent a heartbeat. */
export const HEARTBEAT_MS = 15_000;

/** Readers are divided into groups, so that not all are written to at the same moment. */
const GROUPS = 15;

export class Heartbeats {
  readonly #clock: Clock;
  readonly #behindMs: () => number;
  readonly #groups: readonly Set<LiveSink>[] = Array.from({ length: GROUPS }, () => new Set<LiveSink>());
  #current = 0;
  #cancel: (() => void) | null = null;
  readers = 0;

  constructor(clock: Clock, behindMs: () => number) {
    this.#clock = clock;
    this.#behindMs = behindMs;
  }

  /** Adds a reader; the function returned removes them. */
  add(sink: LiveSink): () => void {
    // The group that was served last: the first heartbeat is due after a whole round.
    const group = this.#groups[this.#current];
    group?.add(sink);
    this.readers += 1;
    this.#cancel ??= this.#clock.after(HEARTBEAT_MS / GROUPS, this.#beat);
    return () => {
      if (group?.delete(sink) === true) this.readers -= 1;
    };
  }

  send(sink: LiveSink): void {
    sink.write(this.#frame());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  readonly #beat = (): void => {
    this.#current = (this.#current + 1) % GROUPS;
    const frame = this.#frame();
    for (const sink of this.#groups[this.#current] ?? []) sink.write(frame);
    this.#cancel = this.readers === 0 ? null : this.#clock.after(HEARTBEAT_MS / GROUPS, this.#beat);
  };

  #frame(): Buffer {
    return heartbeatFrame(this.#clock.now(), this.#behindMs());
  }
}
