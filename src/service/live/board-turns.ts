import type { AnyRequester } from '../http/requester.ts';

/** Runs the long work of live boards one at a time, in fair turns per address. Long reads have turns of their own. */
export interface Turns {
  /** @throws the signal's reason; an error that can be answered when too many wait */
  run<T>(requester: Omit<AnyRequester, 'usage'>, work: () => Promise<T>): Promise<T>;
}

/** The result of work that others may wait for, too; rejects with the signal's reason as soon as it aborts. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
