/** What runs beside the requests. */
export interface BackgroundTasks {
  /** Aborts when it is to end. */
  readonly signal: AbortSignal;
  readonly add: (work: Promise<void>) => void;
  readonly stop: () => Promise<void>;
}

/** Nothing runs yet. */
export function createBackgroundTasks(): BackgroundTasks {
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  return {
    signal: stop.signal,
    add: (work) => running.push(work),
    async stop() {
      stop.abort();
      await Promise.all(running);
    },
  };
}
