/** Smallest share of the usual size; a batch has at least one document. */
const SMALLEST_PART = 1 / 1_024;

/** A command that takes less than this share of its time limit could take twice as many documents. */
const QUICK_SHARE = 0.25;

/**
 * Sizes of the write commands of a server: halved after a late command, doubled after a quick one. A batch that takes
 * longer than its time limit would do so again, and a projection would stand still for ever.
 */
export class WriteBatches {
  /** Part of the usual size. */
  #part = 1;

  /** Size of a batch that usually has this many documents. */
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
