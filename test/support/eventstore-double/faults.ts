import { Gate } from './gate.ts';
import type { NetworkListener } from './network-listener.ts';
import type { OpenSubscription } from './world.ts';

/** The parts of the double that faults act on. */
interface Parts {
  readonly line: NetworkListener;
  readonly subscriptions: ReadonlySet<OpenSubscription>;
  /** Ends all connections in good order. */
  readonly drain: () => void;
  readonly scavenge: () => void;
  readonly cutOff: (isCutOff: boolean) => void;
}

/** What a server writes for the end of the log: 2^64 - 1. */
const END_OF_LOG = 18_446_744_073_709_551_615n;

/** Faults on command, those of answers included. Each lasts until it is ended; `heal` ends all. */
export class Faults extends Gate {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super();
    this.#parts = parts;
  }

  /** Resets all connections; clients may connect again at once. */
  reset(): void {
    this.#parts.line.reset();
  }

  /** The server is gone, as after `kill -9`: nobody listens, all connections are reset. What it stored stays. */
  kill(): void {
    this.#parts.line.refuse();
    this.#parts.line.reset();
  }

  /** The server comes back after `kill`, on the same port, with all data. */
  async restart(): Promise<void> {
    await this.#parts.line.listen();
  }

  /** Like SIGSTOP: connections are taken, nothing is read, answered or pinged; requests wait unread until `thaw`. */
  freeze(): void {
    this.#parts.line.freeze();
  }

  /** Ends `freeze`. */
  thaw(): void {
    this.#parts.line.thaw();
  }

  /** Treats all open subscriptions as too slow: ended with ABORTED, or (24.10) told so, and made to catch up again. */
  dropSubscriptions(): number {
    const dropped = [...this.#parts.subscriptions];
    for (const { tooSlow } of dropped) tooSlow();
    return dropped.length;
  }

  /** Gives all subscriptions a checkpoint that is not a position: the end of the log, as the largest number. */
  checkpointAtEnd(): void {
    for (const { checkpoint } of [...this.#parts.subscriptions]) checkpoint(END_OF_LOG);
  }

  /** Takes from the log what no stream shows any more. */
  scavenge(): void {
    this.#parts.scavenge();
  }

  /** Like a leader whose followers are gone: it answers reads, and no append; `false` ends it. */
  loseMajority(isLost = true): void {
    this.#parts.cutOff(isLost);
  }

  /** Sends GOAWAY on all connections, as a server does that is stopped: open calls get a moment, new ones none. */
  goAway(): void {
    this.#parts.drain();
  }

  async heal(): Promise<void> {
    this.thaw();
    this.delay(0);
    this.speak();
    Object.assign(this, { answersToLose: 0, heldStream: null, notReady: null, denied: null });
    this.loseMajority(false);
    await this.restart();
  }
}
