/** Most turns of the event loop that one call gives away: a crowd of requests must not stop the work for good. */
const MAX_TURNS = 10;

/** A turn that takes less time, in ms, had no other work in it. */
const IDLE_TURN_MS = 0.2;

/** Time, in ms, that long work takes before other requests are served. */
const STEP_MS = 5;

/**
 * Lets other work of the event loop run: ten turns of it at most, as waiting connections are accepted about one a turn.
 * @throws the signal's reason when it has aborted
 */
export async function giveWay(signal?: AbortSignal): Promise<void> {
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    const started = performance.now();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (performance.now() - started < IDLE_TURN_MS) break;
  }
  signal?.throwIfAborted();
}

/** Splits long work into steps of about 5 ms, between which other requests are served. */
export class Yielder {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * To be called after each part of the work, and awaited where it returns a promise, which rejects with the signal's
   * reason when that has aborted.
   */
  step(): Promise<void> | null {
    return performance.now() - this.#since < STEP_MS ? null : this.#pause();
  }

  async #pause(): Promise<void> {
    await giveWay(this.#signal);
    this.#since = performance.now();
  }
}
