import type { Log } from './log.ts';
import type { NetworkListener } from './network-listener.ts';

/** Why a server refuses: it is starting (UNAVAILABLE), has no leader (UNKNOWN), or has too much to do (UNAVAILABLE). */
export type NotReady = 'unavailable' | 'unknown' | 'busy';

/** What a user lacks: the right password (then all else too), or the right to read `$all`, or to append. */
export type Denial = 'password' | '$all' | 'append';

/** What faults do to a subscription. */
export interface OpenSubscription {
  tooSlow(): void;
  checkpoint(position: bigint): void;
}

/** The parts of the double that faults act on. */
interface Parts {
  readonly line: NetworkListener;
  readonly log: Log;
  readonly cluster: { isCutOff: boolean };
  readonly subscriptions: ReadonlySet<OpenSubscription>;
  /** Ends all connections in good order. */
  readonly drain: () => void;
}

/** What a server writes for the end of the log: 2^64 - 1. */
const END_OF_LOG = 18_446_744_073_709_551_615n;

/** Faults on command; each answer passes them on its way out. Each lasts until it is ended; `heal` ends all. */
export class Faults {
  /** Set while the server answers as one that is still starting, has no leader or is too busy. */
  notReady: NotReady | null = null;
  /**
   * Set while the server refuses what the user of all clients lacks: with a wrong `password` everything, without the right
   * to `$all` reads and subscriptions of it, without that to `append` all appends. Open calls go on.
   */
  denied: Denial | null = null;
  /** The stream whose reads are not answered any more. */
  heldStream: string | null = null;
  /** Whether pages of `$all` are not answered any more; its head is. */
  holdsPages = false;
  /** How many more appends are stored, and in place of each answer all connections are reset. */
  answersToLose = 0;
  #delayMs = 0;
  #silent = false;
  readonly #held = new Set<() => void>();
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Each answer leaves this many ms late, and each message of a read or subscription; 0 ends it. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Connections and pings work and requests are carried out, but nothing is answered until `speak`. */
  silence(): void {
    this.#silent = true;
  }

  /** Lets out what silence held back. */
  speak(): void {
    this.#silent = false;
    const held = [...this.#held];
    this.#held.clear();
    for (const release of held) release();
  }

  /** Sends now, or when the faults let it. */
  answer(send: () => void): void {
    if (this.#silent) this.#held.add(() => this.answer(send));
    else if (this.#delayMs > 0) setTimeout(send, this.#delayMs).unref();
    else send();
  }

  /** Resolves when the next message may leave. */
  async turn(): Promise<void> {
    if (this.#silent || this.#delayMs > 0) await new Promise<void>((resolve) => this.answer(resolve));
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

  /** Treats all open subscriptions as too slow: they end with ABORTED. */
  dropSubscriptions(): number {
    const dropped = [...this.#parts.subscriptions];
    for (const subscription of dropped) subscription.tooSlow();
    return dropped.length;
  }

  /** Gives all subscriptions a checkpoint that is not a position: the end of the log, as the largest number. */
  checkpointAtEnd(): void {
    for (const subscription of this.#parts.subscriptions) subscription.checkpoint(END_OF_LOG);
  }

  /** Takes from the log what no stream shows any more. */
  scavenge(): void {
    this.#parts.log.scavenge();
  }

  /** Like a leader whose followers are gone: it answers reads, and no append; `false` ends it. */
  loseMajority(isLost = true): void {
    this.#parts.cluster.isCutOff = isLost;
  }

  /** Sends GOAWAY on all connections, as a server does that is stopped: open calls get a moment, new ones none. */
  goAway(): void {
    this.#parts.drain();
  }

  async heal(): Promise<void> {
    this.thaw();
    this.delay(0);
    this.speak();
    Object.assign(this, { answersToLose: 0, heldStream: null, holdsPages: false, notReady: null, denied: null });
    this.loseMajority(false);
    await this.restart();
  }
}
