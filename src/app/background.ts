/** What runs beside the requests. */
export interface Background {
  /** Aborts when it is to end. */
  readonly signal: AbortSignal;
  readonly add: (work: Promise<void>) => void;
  readonly end: () => Promise<void>;
}

/** Nothing runs yet. */
export function createBackground(): Background {
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  return {
    signal: stop.signal,
    add: (work) => running.push(work),
    async end() {
      stop.abort();
      await Promise.all(running);
    },
  };
}
