import type { ReadStore, Register } from './ports/read-store.ts';
import { pause, type Clock } from './ports/system.ts';

/** Renewals, or checks, per term: two may fail before the lease is lost. */
const CHECKS_PER_TERM = 3;

/** State of a lease as this process knows it. */
export interface LeaseStatus {
  readonly state: 'holding' | 'standby';
  /** Null while it is free, or not yet known. */
  readonly holder: string | null;
  /**
   * Fencing token: counts the grants. Of two processes that believe to hold the lease, the one with the smaller number
   * has lost it.
   */
  readonly fence: number;
}

interface LeaseOptions {
  readonly registers: Pick<ReadStore, 'readRegister' | 'writeRegister'>;
  readonly name: string;
  /** Unique name of this process. */
  readonly holder: string;
  /** Time, in ms, for which the lease is valid without being renewed. */
  readonly termMs: number;
  readonly clock: Clock;
  /** Whether a holder has certainly ended, so that its term can be cut short. */
  readonly hasEnded: (holder: string) => boolean;
  /** Called at each check that finds the lease held by another process. */
  readonly onTaken?: (holder: string) => void;
  /** Called at each change of `status.state`, and with each error of the store. */
  readonly onChange?: (status: LeaseStatus) => void;
  readonly onError?: (error: unknown) => void;
  /** Called after each successful call of the store. */
  readonly onSuccess?: () => void;
}

interface Term {
  readonly version: number;
  readonly fence: number;
  /** When the write that granted or renewed it began, ms of the monotonic clock. */
  readonly since: number;
}

/** The holder in a lease's register, current or last; null when it was released or never taken. */
export function holderIn(register: Register | null): string | null {
  const holder = register?.value['holder'];
  return typeof holder === 'string' ? holder : null;
}

/** Number of times that the lease was granted. */
export function fenceIn(register: Register | null): number {
  const fence = register?.value['fence'];
  return typeof fence === 'number' ? fence : 0;
}

/**
 * A lease on a register: elects one of several processes; the others stand by. Neither clocks of different processes nor
 * times of day are compared: the holder renews by writing a new version, and a process that has seen no new version for
 * a whole term takes over. A holder that was paused past its term may continue for a moment beside its successor;
 * position guards in every change make that harmless (docs/architecture.md#leases), and `fence` tells the two apart.
 */
export class Lease {
  status: LeaseStatus = { state: 'standby', holder: null, fence: 0 };
  readonly #options: LeaseOptions;
  /** The register's version, and since when, by the monotonic clock, this process has seen no newer one. */
  #lastChange: { readonly version: number; readonly since: number };

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#lastChange = { version: 0, since: options.clock.monotonic() };
  }

  /**
   * Waits for the lease and does `work` while holding it; repeats that until `signal` aborts or `work` ends while the
   * lease is held. The signal that `work` gets aborts when the lease is lost.
   */
  async whileHeld(work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock, termMs } = this.#options;
    while (!signal.aborted) {
      const term = await this.#acquire();
      if (term === null) await pause(clock, termMs / CHECKS_PER_TERM, signal);
      else if (await this.#hold(term, work, signal)) return;
    }
  }

  /** Takes the lease when it is free; null when it is not, or another process was quicker. */
  async #acquire(): Promise<Term | null> {
    const { registers, name, holder, onError, onSuccess } = this.#options;
    try {
      const register = await registers.readRegister(name);
      onSuccess?.();
      if (!this.#isFree(register)) return null;
      return await this.#write(this.status.fence + 1, holder, this.#lastChange.version);
    } catch (error) {
      onError?.(error);
      return null;
    }
  }

  #isFree(register: Register | null): boolean {
    const { clock, holder, termMs, hasEnded, onTaken } = this.#options;
    const version = register?.version ?? 0;
    if (version !== this.#lastChange.version) this.#lastChange = { version, since: clock.monotonic() };
    const current = holderIn(register);
    this.#setStatus({ state: 'standby', holder: current, fence: fenceIn(register) });
    // It holds our own name when a store error made us give up the lease.
    if (current === null || current === holder || hasEnded(current)) return true;
    if (clock.monotonic() - this.#lastChange.since >= termMs) return true;
    onTaken?.(current);
    return false;
  }

  async #write(fence: number, holder: string | null, version: number): Promise<Term | null> {
    const { registers, name, clock } = this.#options;
    const since = clock.monotonic();
    const written = await registers.writeRegister(name, { holder, fence }, version);
    return written ? { version: version + 1, fence, since } : null;
  }

  /** Works until the work ends (true) or the lease is lost. */
  async #hold(term: Term, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    const { holder, onError } = this.#options;
    const lost = new AbortController();
    const ended = new AbortController();
    const held = AbortSignal.any([signal, lost.signal]);
    this.#setStatus({ state: 'holding', holder, fence: term.fence });
    const renewing = this.#renew(term, ended.signal).then((last) => {
      if (last === null) lost.abort();
      return last;
    });
    try {
      await work(held);
    } finally {
      ended.abort();
      const last = await renewing;
      this.#setStatus({ state: 'standby', holder: null, fence: term.fence });
      // Released, so that the next holder need not wait for the end of the term.
      if (last !== null) await this.#write(last.fence, null, last.version).catch((error: unknown) => onError?.(error));
    }
    return !held.aborted;
  }

  /** Renews until the lease is lost or `ended` aborts; returns the last term, null when it is lost. */
  async #renew(first: Term, ended: AbortSignal): Promise<Term | null> {
    const { clock, termMs, holder, onError, onSuccess } = this.#options;
    let term = first;
    /** When the first write without an answer began, ms of the monotonic clock; null if the last one was answered. */
    let unanswered: number | null = null;
    while (true) {
      await pause(clock, termMs / CHECKS_PER_TERM, ended);
      if (ended.aborted) return term;
      const startedAt = clock.monotonic();
      const overdue = startedAt - term.since >= termMs;
      try {
        // Even when overdue: a paused holder still has the lease if the version shows that nobody has taken over.
        const written: Term | null = await this.#write(term.fence, holder, term.version);
        const next: Term | null = written ?? (await this.#ownVersion({ ...term, since: unanswered ?? term.since }));
        onSuccess?.();
        if (next === null) return null;
        term = next;
        unanswered = null;
      } catch (error) {
        onError?.(error);
        if (overdue) return null;
        unanswered ??= startedAt;
      }
    }
  }

  /** The term after a renewal of ours whose answer was lost; null when the lease is no longer ours. */
  async #ownVersion({ fence, since }: Term): Promise<Term | null> {
    const { registers, name, holder } = this.#options;
    const register = await registers.readRegister(name);
    const isOurs = register !== null && holderIn(register) === holder && fenceIn(register) === fence;
    return isOurs ? { version: register.version, fence, since } : null;
  }

  #setStatus(next: LeaseStatus): void {
    const changed = next.state !== this.status.state;
    this.status = next;
    if (changed) this.#options.onChange?.(next);
  }
}
