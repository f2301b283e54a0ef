import { giveWay } from '../domain/give-way.ts';
import { FairQueue } from './fair-queue.ts';

/**
 * Time, in ms, that reads get in a turn of the event loop. A lap needs some ten turns for its locks and transactions: with
 * 200 reads of 1 ms in each of them, it would wait for two seconds.
 */
const READS_MS = 10;

/** What reads may take of a turn of the event loop. Later ones wait in fair turns per address; writes never wait. */
export class ReadTurns {
  readonly #queue = new FairQueue<() => void>();
  /** Until when, by the monotonic clock, reads of this turn need not wait; null: none has arrived in it. */
  #freeUntil: number | null = null;

  isFree(now: number): boolean {
    return now < (this.#freeUntil ?? this.#begin(now));
  }

  /** Runs a read of an address when its turn has come, which is never this one. */
  add(address: string, read: () => void): void {
    this.#queue.add(address, read);
    if (this.#freeUntil === null) this.#begin(performance.now());
  }

  #begin(now: number): number {
    setImmediate(this.#endTurn);
    this.#freeUntil = now + READS_MS;
    return this.#freeUntil;
  }

  readonly #endTurn = (): void => {
    this.#freeUntil = null;
    if (this.#queue.length > 0) void this.#runWaiting();
  };

  /** Runs what waits; whatever arrives meanwhile waits behind it. */
  async #runWaiting(): Promise<void> {
    this.#freeUntil = -Infinity;
    while (this.#queue.length > 0) {
      await giveWay();
      const endsAt = performance.now() + READS_MS;
      while (this.#queue.length > 0 && performance.now() < endsAt) {
        this.#queue.take()?.();
        // What it does without waiting for anything counts.
        await new Promise<void>((resolve) => process.nextTick(resolve));
      }
    }
    this.#freeUntil = null;
  }
}
