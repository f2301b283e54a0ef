/** Time, in ms, that boards work in each turn of the event loop. */
const STEP_MS = 2;

/** Splits the work of many boards into steps, one per turn of the event loop, so that a lap that changes many delays nobody. */
export class SharedYielder {
  readonly #waiting: (() => void)[] = [];
  #since = 0;

  /** Call it before each part of the work, and await what it returns; rejects with the reason of the signal. */
  step(signal?: AbortSignal): Promise<void> | null {
    if (performance.now() - this.#since < STEP_MS) return null;
    return new Promise((resolve, reject) => {
      const resume = (): void => {
        if (signal?.aborted === true) reject(signal.reason as Error);
        else resolve();
      };
      if (this.#waiting.push(resume) === 1) setImmediate(this.#next);
    });
  }

  readonly #next = (): void => {
    this.#since = performance.now();
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(this.#next);
  };
}
