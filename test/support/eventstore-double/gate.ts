/** Why a server refuses: it is starting (UNAVAILABLE), has no leader (UNKNOWN), or has too much to do (UNAVAILABLE). */
export type NotReady = 'unavailable' | 'unknown' | 'busy';

/** What a user lacks: the right password (then all else too), or the right to read `$all`, or to append. */
export type Denial = 'password' | '$all' | 'append';

/** What every answer passes on its way out: faults hold it, slow it down or lose it. */
export class Gate {
  /** Set while the server refuses everything. */
  notReady: NotReady | null = null;
  /** Set while the server refuses its users something. */
  denied: Denial | null = null;
  /** The stream whose reads are not answered any more. */
  heldStream: string | null = null;
  /** How many more appends are stored without an answer. */
  lose = 0;
  #delayMs = 0;
  #silent = false;
  readonly #held = new Set<() => void>();

  /** Each answer leaves this many milliseconds late; subscriptions slow down likewise, message by message. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

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
