import type { ReadStore, Register } from './read-store.ts';
import { pause, type Clock } from './time.ts';

/** Renewals and looks at the lease within its term: two may fail before it is lost. */
const LOOKS_PER_TERM = 3;

/** Who holds a lease, as this process knows it. */
export interface LeaseStatus {
  readonly state: 'holding' | 'standby';
  /** Null while it is free, or not yet known. */
  readonly holder: string | null;
  /** Counts the grants: of two who believe to hold the lease, the one with the smaller number is of the past. */
  readonly fence: number;
}

/** Elects one of many processes; all but the one that holds the lease stand by. */
export interface Lease {
  /**
   * Waits for the lease and does `work` while holding it; again and again, until `signal` aborts or `work` ends while
   * it holds. The signal that `work` gets aborts when the lease is lost.
   */
  readonly whileHeld: (work: (held: AbortSignal) => Promise<void>, signal: AbortSignal) => Promise<void>;
  readonly status: () => LeaseStatus;
}

/** What a lease needs. */
export interface LeaseOptions {
  readonly registers: Pick<ReadStore, 'readRegister' | 'writeRegister'>;
  readonly name: string;
  /** Names this process; unique. */
  readonly holder: string;
  /** How long, in ms, a holder that says nothing is believed to live. */
  readonly termMs: number;
  readonly clock: Clock;
  /** Whether a holder has surely ended, so that nobody needs to wait for its term. */
  readonly isGone: (holder: string) => boolean;
  /** Told of each change of `status().state`, and of a store that fails. */
  readonly onChange?: (status: LeaseStatus) => void;
  readonly onError?: (error: unknown) => void;
}

interface Term {
  readonly version: number;
  readonly fence: number;
  /** When the write began that granted or renewed it, epoch ms. */
  readonly since: number;
}

/**
 * Makes a lease on a register. No clock is compared with another's: a holder renews by a new version, and who has seen
 * none for a whole term takes over. A holder that is paused past its term may go on for a moment beside its successor;
 * position guards in every change make that harmless (DESIGN §2), and `fence` tells the two apart.
 */
export function createLease(options: LeaseOptions): Lease {
  const { registers, name, holder, termMs, clock, onChange, onError } = options;
  const every = termMs / LOOKS_PER_TERM;
  let status: LeaseStatus = { state: 'standby', holder: null, fence: 0 };
  let seen = { version: 0, since: clock.now() };

  const show = (next: LeaseStatus): void => {
    const changed = next.state !== status.state;
    status = next;
    if (changed) onChange?.(next);
  };
  const isFree = (register: Register | null): boolean => {
    const { version, value } = register ?? { version: 0, value: {} };
    if (version !== seen.version) seen = { version, since: clock.now() };
    const current = typeof value['holder'] === 'string' ? value['holder'] : null;
    const fence = typeof value['fence'] === 'number' ? value['fence'] : 0;
    show({ state: 'standby', holder: current, fence });
    return current === null || options.isGone(current) || clock.now() - seen.since >= termMs;
  };
  const write = async (fence: number, by: string | null, version: number): Promise<Term | null> => {
    const since = clock.now();
    const written = await registers.writeRegister(name, { holder: by, fence }, version);
    return written ? { version: version + 1, fence, since } : null;
  };

  /** Takes the lease when it is free; null when it is not, or somebody else was quicker. */
  async function take(): Promise<Term | null> {
    try {
      if (!isFree(await registers.readRegister(name))) return null;
      return await write(status.fence + 1, holder, seen.version);
    } catch (error) {
      onError?.(error);
      return null;
    }
  }

  /** Renews until the lease is lost or `ended` aborts; returns the last term, null when it is lost. */
  async function renew(first: Term, ended: AbortSignal): Promise<Term | null> {
    let term = first;
    while (!ended.aborted) {
      await pause(clock, every, ended);
      if (ended.aborted) break;
      if (clock.now() - term.since >= termMs) return null;
      try {
        const next = await write(term.fence, holder, term.version);
        if (next === null) return null;
        term = next;
      } catch (error) {
        onError?.(error);
      }
    }
    return term;
  }

  /** Works until the work ends (true) or the lease is lost. */
  async function hold(term: Term, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    const [lost, ended] = [new AbortController(), new AbortController()];
    const cancel = (): void => lost.abort();
    signal.addEventListener('abort', cancel);
    show({ state: 'holding', holder, fence: term.fence });
    const renewing = renew(term, ended.signal).then((last) => {
      if (last === null) lost.abort();
      return last;
    });
    try {
      await work(lost.signal);
    } finally {
      signal.removeEventListener('abort', cancel);
      ended.abort();
      const last = await renewing;
      show({ state: 'standby', holder: null, fence: term.fence });
      // Whoever stands by need not wait for the end of the term.
      if (last !== null) await write(last.fence, null, last.version).catch((error: unknown) => onError?.(error));
    }
    return !lost.signal.aborted;
  }

  return {
    status: () => status,
    async whileHeld(work, signal) {
      while (!signal.aborted) {
        const term = await take();
        if (term === null) await pause(clock, every, signal);
        else if (await hold(term, work, signal)) return;
      }
    },
  };
}
