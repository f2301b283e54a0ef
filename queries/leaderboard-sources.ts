import { streamAll } from '../src/domain/documents.ts';
import { OverBudget } from '../src/kernel/ports/errors.ts';
import type { Document, QueryBounds, ReadModels, Where } from '../src/kernel/ports/read-store.ts';
import type { ReadModel } from '../src/kernel/projection/projection.ts';

/** Where boards are worked out from, and what that may cost. */
export interface Sources {
  readonly models: ReadModels;
  readonly allowance: Allowance;
}

/** The documents that one board may yet visit. */
export class Allowance {
  readonly #budget: number;
  readonly #signal: AbortSignal | undefined;
  #left: number;

  constructor({ budget = Infinity, signal }: QueryBounds = {}) {
    this.#budget = budget;
    this.#signal = signal;
    this.#left = budget;
  }

  /**
   * Every document of a read model that matches, in batches.
   * @throws {OverBudget} and the signal's reason
   */
  async *all<D extends Document>(models: ReadModels, model: ReadModel<D>, where: Where): AsyncGenerator<readonly D[]> {
    for await (const batch of streamAll(models, model, { where, ...this.bounds() })) {
      this.spend(batch.length);
      yield batch;
    }
  }

  /** The bounds of one query more. */
  bounds(): QueryBounds {
    return { ...(this.#left < Infinity && { budget: this.#left }), ...(this.#signal && { signal: this.#signal }) };
  }

  /** @throws {OverBudget} and the signal's reason */
  spend(documents: number): void {
    this.#signal?.throwIfAborted();
    this.#left -= documents;
    if (this.#left < 0) throw new OverBudget(this.#budget);
  }
}
