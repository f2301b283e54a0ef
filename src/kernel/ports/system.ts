/** The only source of time: epoch milliseconds, and timers. */
export interface Clock {
  now(): number;
  /** Calls `run` once, `ms` milliseconds from now, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
}

/** Makes identifiers. */
export interface Ids {
  /** A UUIDv7 (RFC 9562): ordered by time, so that indexes grow at their end. */
  next(): string;
  /** A UUIDv4, for events. */
  random(): string;
  /** A UUIDv5 made from the parts: the same parts always give the same id. */
  derived(...parts: readonly string[]): string;
}

/** Tells the processes apart that share the stores: their names are the holders of leases. */
export interface Processes {
  /** A name for this process that no other has, and that this one has not used before. */
  newName(): string;
  /** To be called when what bore the name is over, though the process goes on. */
  retire(name: string): void;
  /** Whether the process of that name has surely ended, as only its own host can tell. */
  hasEnded(name: string): boolean;
  /** Whether the process of that name runs, or ran, on this host since its present boot. */
  isOnThisHost(name: string): boolean;
  /** The name for people: which process, where, and since when. */
  describe(name: string): string;
}

/** What only the machine can say: time, new ids, and which processes live. */
export interface System {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
}

/** Epoch milliseconds as ISO 8601 in UTC. */
export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
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
