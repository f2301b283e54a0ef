import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long, in ms, work goes on before others have their turn. */
const SLICE_MS = 10;

/** Cuts long work into slices, between which other requests are served. */
export class Slices {
  #since = performance.now();

  /** To be awaited, where it is no null, after each step. */
  step(): Promise<void> | null {
    return performance.now() - this.#since < SLICE_MS ? null : this.#pause();
  }

  async #pause(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}

/** Lets work begin in the order in which it comes, so many at a time. */
export class Turnstile {
  readonly #most: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
