import { Lease } from '../../kernel/lease.ts';
import type { Stores } from '../../kernel/ports/stores.ts';

/** Thrown when another process is doing the job, or may be. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

interface ExclusiveJobOptions {
  readonly stores: Pick<Stores, 'readStore' | 'clock' | 'processes'>;
  /** Name of the lease, and its term in ms. */
  readonly name: string;
  readonly termMs: number;
  readonly signal: AbortSignal;
}

/** Terms of the lease after which its holder must be alive, as it has renewed the lease. */
const MAX_WAIT_TERMS = 1.5;

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
  // Fields of an object, as callbacks set them.
  const run: { result: Promise<T | null> | null; other: string | null } = { result: null, other: null };
  const over = new AbortController();
  const until = clock.monotonic() + termMs * MAX_WAIT_TERMS;
  const lease = new Lease({
    registers,
    name,
    holder,
    termMs,
    clock,
    hasEnded: (other) => processes.hasEnded(other),
    onTaken(other) {
      if (!processes.isOnThisHost(other) && clock.monotonic() < until) return;
      run.other = other;
      over.abort();
    },
  });
  await lease.whileHeld(
    async (held) => {
      run.result = work(held);
      await Promise.allSettled([run.result]);
      over.abort();
    },
    AbortSignal.any([signal, over.signal]),
  );
  processes.retire(holder);
  const result = await run.result;
  if (result !== null || signal.aborted) return result;
  throw new AlreadyRunning(run.other === null ? LOST : `${processes.describe(run.other)} is running it already`);
}

const LOST =
  'the store did not answer, or this process was paused, so another process may be running it now: run it again';
