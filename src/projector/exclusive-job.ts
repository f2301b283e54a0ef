import { createLease } from '../kernel/lease.ts';
import type { ReadStore } from '../kernel/ports/read-store.ts';
import { pause } from '../kernel/ports/clock.ts';
import { describeProcess, hasEnded, isHere, newProcessName, retire } from '../../infra/system/process-name.ts';
import { systemClock } from '../../infra/system/system.ts';

/** Work that one process at a time does, and another is at it, or may be. */
export class AlreadyRunning extends Error {
  override readonly name = 'UnderWay';
}

/** What working alone takes. */
export interface ExclusiveJob {
  readonly registers: Pick<ReadStore, 'readRegister' | 'writeRegister'>;
  /** Of the lease. */
  readonly name: string;
  readonly termMs: number;
  readonly signal: AbortSignal;
}

/**
 * Does work under a lease; the signal that the work gets aborts with `signal`, and when the lease is lost: the work
 * ends with null then. Null when `signal` aborted first.
 * @throws {AlreadyRunning} naming who is at it, and since when; or when the lease was lost.
 */
export async function runExclusively<T>(
  { registers, name, termMs, signal }: ExclusiveJob,
  work: (held: AbortSignal) => Promise<T | null>,
): Promise<T | null> {
  const holder = newProcessName();
  const lease = createLease({ registers, name, holder, termMs, clock: systemClock, isGone: hasEnded });
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
  const other = await otherHolder(() => lease.status().holder, { started: started.signal, termMs, signal });
  if (other !== null) ended.abort();
  await working;
  retire(holder);
  const result = await run.result;
  if (result !== null || signal.aborted) return result;
  throw new AlreadyRunning(other === null ? LOST : `${describeProcess(other)} is at it already`);
}

const LOST = 'another process may be at it now, as the store did not answer, or this process was paused: run it again';

/** How often, in ms, to look whether the lease is ours. */
const LOOK_MS = 50;

interface Waiting {
  readonly started: AbortSignal;
  readonly termMs: number;
  readonly signal: AbortSignal;
}

/**
 * Waits until the lease is ours (null), or surely somebody else's: one here is seen to live, one elsewhere renews it
 * within its term.
 */
async function otherHolder(holder: () => string | null, { started, termMs, signal }: Waiting): Promise<string | null> {
  const until = systemClock.now() + termMs * 1.5;
  while (!started.aborted && !signal.aborted) {
    const other = holder();
    const lives = other !== null && isHere(other) && !hasEnded(other);
    if (lives || systemClock.now() >= until) return other;
    await pause(systemClock, LOOK_MS, started);
  }
  return null;
}
