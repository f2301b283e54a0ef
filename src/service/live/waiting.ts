/** Somebody who waits for a live board. */
export interface Waiting {
  /** Name of the client's address: addresses take turns. */
  readonly address: string;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
}

/**
 * Runs the long work of live boards one at a time, in fair turns per address; it does not run when its signal aborts
 * before its turn. Long reads wait for this work, so they have turns of their own.
 */
export interface Turns {
  /** @throws the signal's reason; an error that can be answered when too many wait */
  run<T>(waiting: Waiting, work: () => Promise<T>): Promise<T>;
}

/** The result of work that others may wait for, too; rejects with the signal's reason as soon as it aborts. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    void work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave);
    });
  });
}
