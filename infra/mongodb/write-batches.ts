/** Smallest part of the usual size: none is so large that one document would be left of less. */
const SMALLEST_PART = 1 / 1_024;

/** A command that took less than this share of its time limit shows that twice as much would do, too. */
const QUICK_SHARE = 0.25;

/**
 * How large the write commands of a server are. A batch that takes longer than its time limit would do so again, and a
 * projection would stand still for ever: so batches are halved after a late command, and doubled after a quick one.
 */
export class WriteBatches {
  /** Part of the usual size. */
  #part = 1;

  /** Size of a batch that usually has so many documents. */
  sizeOf(usual: number): number {
    return Math.max(1, Math.floor(usual * this.#part));
  }

  /** To be called when a command was late. */
  halve(): void {
    this.#part = Math.max(SMALLEST_PART, this.#part / 2);
  }

  /** To be called when a command has succeeded. */
  succeeded(tookMs: number, limitMs: number): void {
    if (tookMs < limitMs * QUICK_SHARE) this.#part = Math.min(1, this.#part * 2);
  }
}
