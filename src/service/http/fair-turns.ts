/**
 * Turns of long work. `p-limit` and `p-queue` bound how much runs at once, first come, first served: one client with a
 * thousand requests would go before everybody else.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { giveWay } from '../../runtime/give-way.ts';
import type { AnyRequester, Requester } from './requester.ts';
import { FairQueue } from './fair-queue.ts';
import { unavailableProblem } from './problems.ts';

/** Most long reads that wait: of one address, and of all. */
const MAX_WAITING_OF_ONE = 256;
const MAX_WAITING = 2_048;

/** Time, in ms, in which short pieces of work follow one another before other requests are served. */
const SLICE_MS = 2;

/**
 * Work that takes long: reads that may visit many documents, large bodies. It runs one piece at a time, in fair turns per
 * client address, so that however much is asked for, other requests wait for one step of one piece. What is kept, and what
 * an index answers in a few steps, needs no turn. A turn must not ask for another one: it would wait for itself.
 */
export class FairTurns {
  readonly #queue = new FairQueue<() => void>();
  #isBusy = false;
  /** Until when, by the monotonic clock, the next piece of work follows at once. */
  #givesWayAt = 0;

  /**
   * Runs long work when its turn has come. The work gives way between its steps (`giveWay`), and stops when the signal
   * aborts.
   * @throws {Problem} 503 when too many wait, 429 when the client has used up its share of long reads
   * @throws the signal's reason when it aborts before the turn
   */
  run<T>(requester: AnyRequester, work: () => Promise<T>): Promise<T> {
    return this.#run(requester, work, true);
  }

  /**
   * The same for content that comes piece by piece: each piece is a turn of its own. One that has begun goes on; while the
   * share is used up, each of its pieces waits.
   * @param isCoded whether the pieces are compressed, which costs as much again
   */
  async *pieces<P extends string | Uint8Array>(
    requester: Requester,
    source: AsyncIterator<P, unknown>,
    isCoded = false,
  ): AsyncGenerator<P, void> {
    const { usage, signal } = requester;
    const next = async () => {
      const step = await source.next();
      if (step.done !== true) usage.bytes += step.value.length * (isCoded ? 2 : 1);
      return step;
    };
    let hasBegun = false;
    try {
      while (true) {
        const shareMs = hasBegun ? usage.shareMs() : 0;
        // Whoever leaves meanwhile rejects it, and the turn too.
        if (shareMs > 0) await wait(Math.ceil(shareMs), undefined, { signal });
        const step = await this.#run(requester, next, !hasBegun);
        if (step.done === true) return;
        hasBegun = true;
        yield step.value;
      }
    } finally {
      await source.return?.();
    }
  }

  async #run<T>(requester: AnyRequester, work: () => Promise<T>, needsShare: boolean): Promise<T> {
    const { signal, usage } = requester;
    signal.throwIfAborted();
    if (needsShare) usage?.requireShare();
    if (this.#isBusy) await this.#turn(requester);
    else this.#givesWayAt = performance.now() + SLICE_MS;
    this.#isBusy = true;
    try {
      signal.throwIfAborted();
      // What ran meanwhile may have used it up.
      if (needsShare) usage?.requireShare();
      return await work();
    } finally {
      usage?.settle();
      this.#endTurn();
    }
  }

  #turn({ address, signal }: AnyRequester): Promise<void> {
    const queue = this.#queue;
    if (queue.length >= MAX_WAITING || queue.lengthOf(address) >= MAX_WAITING_OF_ONE)
      throw unavailableProblem('Too many requests that take long are waiting at the moment.');
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.remove(address, start);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.add(address, start);
    });
  }

  #endTurn(): void {
    if (this.#queue.length === 0 || performance.now() < this.#givesWayAt) {
      this.#startNext();
      return;
    }
    void giveWay().then(() => {
      this.#givesWayAt = performance.now() + SLICE_MS;
      this.#startNext();
    });
  }

  #startNext(): void {
    const start = this.#queue.take();
    this.#isBusy = start !== undefined;
    start?.();
  }
}
