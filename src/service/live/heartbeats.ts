import type { Clock } from '../kernel/ports/system.ts';
import type { LiveSink } from './reader.ts';
import { heartbeatFrame } from './frames.ts';

/** How often, in ms, each reader is sent a heartbeat. */
const HEARTBEAT_MS = 15_000;

export class Heartbeats {
  readonly #clock: Clock;
  readonly #behindMs: () => number;
  /** What ends the heartbeats of each reader. */
  readonly #ends = new Set<() => void>();

  constructor(clock: Clock, behindMs: () => number) {
    this.#clock = clock;
    this.#behindMs = behindMs;
  }

  get readers(): number {
    return this.#ends.size;
  }

  /** Sends heartbeats to a reader from now on, until the function that it returns is called. */
  start(sink: LiveSink): () => void {
    let cancel = (): void => undefined;
    const beat = (): void => {
      cancel = this.#clock.after(HEARTBEAT_MS, beat);
      sink.write(heartbeatFrame(this.#clock.now(), this.#behindMs()));
    };
    const end = (): void => {
      cancel();
      this.#ends.delete(end);
    };
    this.#ends.add(end);
    beat();
    return end;
  }

  stop(): void {
    for (const end of this.#ends) end();
  }
}
