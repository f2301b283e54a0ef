import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long, in ms, work continues before other requests are served. */
const SLICE_MS = 10;

/** Lets other requests be served in between the steps of long work. */
export class Yielder {
  #since = performance.now();

  /** To be called after each step, and awaited where it returns a promise. */
  step(): Promise<void> | null {
    return performance.now() - this.#since < SLICE_MS ? null : this.#pause();
  }

  async #pause(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
