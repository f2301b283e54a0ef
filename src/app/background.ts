/** Tasks that run beside the requests. */
export interface BackgroundTasks {
  /** Aborts when the tasks are to end. */
  readonly signal: AbortSignal;
  readonly add: (work: Promise<void>) => void;
  readonly stop: () => Promise<void>;
}

/** Creates an empty list of tasks. */
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
