import type { Delivery } from '../ports/event-store.ts';

/** A delivery in parts, each of which can be continued from, and none of more events than `most` says when its turn comes. */
export function* partsOf({ events, ...end }: Delivery, most: () => number): Generator<Delivery, void> {
  let from = 0;
  for (let size = most(); from + size < events.length; size = most()) {
    const some = events.slice(from, (from += size));
    yield { events: some, upTo: some.at(-1)?.position ?? 0, caughtUp: false };
  }
  yield { ...end, events: events.slice(from) };
}

/** How much larger a batch may be after one that succeeded, once one has failed. */
const GROWTH = 1.125;

/** How large batches may be: a store that is too slow for one would be so each time that it is repeated. */
export class BatchSize {
  #most = Infinity;

  /** Most events of a batch. */
  get most(): number {
    return this.#most;
  }

  /** Runs the work of a batch: after a failure, the next one has half as many events at most. */
  async adapt<T>({ events }: Delivery, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#most = Math.ceil(this.#most * GROWTH);
      return result;
    } catch (error) {
      this.#most = Math.max(1, Math.floor(Math.min(this.#most, events.length) / 2));
      throw error;
    }
  }
}
