import { ENTRIES_PER_DOCUMENT, type Visits } from '../kernel/ports/read-store.ts';

interface Share extends Visits {
  /** @throws when it is used up */
  requireShare(): void;
  /** Charges what was visited since this was called before. */
  settle(): void;
}

export interface Waiting {
  /** Name of the client's address: addresses take turns. */
  readonly address: string;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Charged for boards that few others watch. */
  readonly usage?: Share;
}

/** Charges for a board of this many changes. @throws when the share is used up */
export function chargeBoard(usage: Share | undefined, changes: number): void {
  if (usage === undefined) return;
  usage.requireShare();
  usage.documents += changes / ENTRIES_PER_DOCUMENT;
  usage.settle();
}

/** Runs the long work of live boards one at a time, in fair turns per address. Long reads have turns of their own. */
export interface Turns {
  /** @throws the signal's reason; an error that can be answered when too many wait */
  run<T>(waiting: Omit<Waiting, 'usage'>, work: () => Promise<T>): Promise<T>;
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
