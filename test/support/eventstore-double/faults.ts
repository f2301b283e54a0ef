import type { Denial, Gate, NotReady } from './gate.ts';
import type { NetworkListener } from './network-listener.ts';
import type { OpenSubscription } from './world.ts';

/** The parts of the double that faults act on. */
interface Parts {
  readonly line: NetworkListener;
  readonly gate: Gate;
  readonly subscriptions: ReadonlySet<OpenSubscription>;
  /** Ends all connections in good order. */
  readonly drain: () => void;
  readonly scavenge: () => void;
  readonly cutOff: (isCutOff: boolean) => void;
}

/** What a server writes for the end of the log: 2^64 - 1. */
const END_OF_LOG = 18_446_744_073_709_551_615n;

/** Faults on command. Each lasts until it is ended; `heal` ends all. */
export class Faults {
  readonly #parts: Parts;

  constructor(parts: Parts) {
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

  /** Sends each answer, and each message of a read or subscription, this many milliseconds late; 0 ends it. */
  delay(ms: number): void {
    this.#parts.gate.delay(ms);
  }

  /** Connections and pings work and requests are carried out, but nothing is answered until `speak`. */
  silence(): void {
    this.#parts.gate.silence();
  }

  /** Ends `silence`: the answers that were held go out. */
  speak(): void {
    this.#parts.gate.speak();
  }

  /** Like SIGSTOP: connections are taken, nothing is read, answered or pinged; requests wait unread until `thaw`. */
  freeze(): void {
    this.#parts.line.freeze();
  }

  /** Ends `freeze`. */
  thaw(): void {
    this.#parts.line.thaw();
  }

  /** The next `count` appends are stored; in place of each answer all connections are reset. */
  loseAnswers(count: number): void {
    this.#parts.gate.lose = count;
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

  /** Answers no read of a stream any more, and everything else; null ends it. */
  holdReadsOf(stream: string | null): void {
    this.#parts.gate.heldStream = stream;
  }

  /** Answers as a server that is still starting, has no leader or is too busy; null ends it. */
  notReady(kind: NotReady | null = 'unavailable'): void {
    this.#parts.gate.notReady = kind;
  }

  /**
   * Refuses what the user of all clients lacks: with a wrong `password` everything, without the right to `$all` reads
   * and subscriptions of it, without that to `append` all appends. Open calls go on; null ends it.
   */
  deny(lacking: Denial | null): void {
    this.#parts.gate.denied = lacking;
  }

  async heal(): Promise<void> {
    this.thaw();
    this.delay(0);
    this.speak();
    this.loseAnswers(0);
    this.holdReadsOf(null);
    this.notReady(null);
    this.deny(null);
    this.loseMajority(false);
    await this.restart();
  }
}
