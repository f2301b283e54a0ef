/** Why a server refuses: it is starting (UNAVAILABLE), has no leader (UNKNOWN), or has too much to do (UNAVAILABLE). */
export type NotReady = 'unavailable' | 'unknown' | 'busy';

/** What a user lacks: the right password (then all else too), or the right to read `$all`, or to append. */
export type Denial = 'password' | '$all' | 'append';

/** What every answer passes on its way out: faults hold it, slow it down or lose it. */
export class Gate {
  /** Set while the server answers as one that is still starting, has no leader or is too busy. */
  notReady: NotReady | null = null;
  /**
   * Set while the server refuses what the user of all clients lacks: with a wrong `password` everything, without the right
   * to `$all` reads and subscriptions of it, without that to `append` all appends. Open calls go on.
   */
  denied: Denial | null = null;
  /** The stream whose reads are not answered any more. */
  heldStream: string | null = null;
  /** How many more appends are stored, and in place of each answer all connections are reset. */
  answersToLose = 0;
  #delayMs = 0;
  #silent = false;
  readonly #held = new Set<() => void>();

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

  /** True when answers leave at once. */
  get open(): boolean {
    return !this.#silent && this.#delayMs === 0;
  }

  /** Resolves when the next message may leave. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.answer(resolve));
  }
}
