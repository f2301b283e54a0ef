/** The clock: the only source of time, and of timers. */
export interface Clock {
  /** The time of day, epoch milliseconds. It may be set back or forward, so do not measure durations by it. */
  now(): number;
  /** Milliseconds on a clock that is never set, for durations. They mean nothing to another process. */
  monotonic(): number;
  /** Calls `run` once, `ms` milliseconds from now, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

/** Generator of ids. */
export interface Ids {
  /** A UUIDv7 (RFC 9562): ordered by time, so that indexes grow at their end. */
  next(): string;
  /** A UUIDv4, for events. */
  random(): string;
  /** A UUIDv5 made from the parts: the same parts always give the same id. */
  derived(...parts: readonly string[]): string;
}

/** Names of the processes that share the stores: each is the holder in the leases of its process. */
export interface Processes {
  /** A new name for this process, which no process has used before. */
  newName(): string;
  /** Gives a name up: call it when the work under that name has ended but the process continues. */
  retire(name: string): void;
  /** Whether the process of that name has certainly ended; only a process in the same process table can know. */
  hasEnded(name: string): boolean;
  /** Whether the process of that name is, or was, in this process table: on this host, in this container. */
  isOnThisHost(name: string): boolean;
  /** Description of a process for people: its id, host and start. */
  describe(name: string): string;
}

/** The ports that only the machine can provide: time, ids and knowledge of its processes. */
export interface System {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
}

/** Resolves `ms` milliseconds from now, or at once when `signal` aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done);
  });
}
