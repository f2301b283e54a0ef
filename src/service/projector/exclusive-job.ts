import { createLease } from '../kernel/lease.ts';
import { pause } from '../kernel/ports/system.ts';
import type { Stores } from '../kernel/ports/stores.ts';

/** Thrown when another process does the job already, or may do it. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

/** Options of a job that only one process at a time may do. */
export interface ExclusiveJobOptions {
  readonly stores: Pick<Stores, 'readStore' | 'clock' | 'processes'>;
  /** Name of the lease, and its term in ms. */
  readonly name: string;
  readonly termMs: number;
  readonly signal: AbortSignal;
}

/**
 * Does work under a lease. The signal that the work gets aborts with `signal` or when the lease is lost; the work then
 * ends with null. Null when `signal` aborted first.
 * @throws {AlreadyRunning} naming the other process and since when it runs; or when the lease was lost.
 */
export async function runExclusively<T>(
  { stores, name, termMs, signal }: ExclusiveJobOptions,
  work: (held: AbortSignal) => Promise<T | null>,
): Promise<T | null> {
  const { readStore: registers, clock, processes } = stores;
  const holder = processes.newName();
  const hasEnded = (other: string): boolean => processes.hasEnded(other);
  const lease = createLease({ registers, name, holder, termMs, clock, hasEnded });
  const [ended, started] = [new AbortController(), new AbortController()];
  const run: { result: Promise<T | null> | null } = { result: null };
  const working = lease.whileHeld(
    async (held) => {
      started.abort();
      run.result = work(held);
      await Promise.allSettled([run.result]);
      ended.abort();
    },
    AbortSignal.any([signal, ended.signal]),
  );
  const other = await findOtherHolder(() => lease.status().holder, { stores, started: started.signal, termMs, signal });
  if (other !== null) ended.abort();
  await working;
  processes.retire(holder);
  const result = await run.result;
  if (result !== null || signal.aborted) return result;
  throw new AlreadyRunning(other === null ? LOST : `${processes.describe(other)} is running it already`);
}

const LOST =
  'another process may be running it now, as the store did not answer, or this process was paused: run it again';

/** How often, in ms, to check whether the lease is ours. */
const CHECK_EVERY_MS = 50;

interface WaitOptions {
  readonly stores: ExclusiveJobOptions['stores'];
  readonly started: AbortSignal;
  readonly termMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until the lease is ours (null) or surely another process's: one on this host is seen to live, one elsewhere
 * renews the lease within its term.
 */
async function findOtherHolder(
  holder: () => string | null,
  { stores: { clock, processes }, started, termMs, signal }: WaitOptions,
): Promise<string | null> {
  const until = clock.monotonic() + termMs * 1.5;
  while (!started.aborted && !signal.aborted) {
    const other = holder();
    const lives = other !== null && processes.isOnThisHost(other) && !processes.hasEnded(other);
    if (lives || clock.monotonic() >= until) return other;
    await pause(clock, CHECK_EVERY_MS, started);
  }
  return null;
}
