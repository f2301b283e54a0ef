import type { ReadStore, Register } from './ports/read-store.ts';
import { pause, type Clock } from './ports/system.ts';

/** Renewals and looks at the lease within its term: two may fail before it is lost. */
const CHECKS_PER_TERM = 3;

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
  readonly hasEnded: (holder: string) => boolean;
  /** Told of each change of `status().state`, and of a store that fails. */
  readonly onChange?: (status: LeaseStatus) => void;
  readonly onError?: (error: unknown) => void;
  /** Told of each answer of the store. */
  readonly onSuccess?: () => void;
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
  const keeper = new Keeper(options);
  return { whileHeld: (work, signal) => keeper.whileHeld(work, signal), status: () => keeper.status };
}

/** Who holds the lease of a register, or held it last; null while it is free. */
export function holderIn(register: Register | null): string | null {
  const holder = register?.value['holder'];
  return typeof holder === 'string' ? holder : null;
}

class Keeper {
  status: LeaseStatus = { state: 'standby', holder: null, fence: 0 };
  readonly #options: LeaseOptions;
  /** The register's version, and since when this process has seen no newer one, epoch ms. */
  #lastChange: { readonly version: number; readonly since: number };

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#lastChange = { version: 0, since: options.clock.now() };
  }

  async whileHeld(work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const term = await this.#acquire();
      if (term === null) await pause(this.#options.clock, this.#period, signal);
      else if (await this.#hold(term, work, signal)) return;
    }
  }

  get #period(): number {
    return this.#options.termMs / CHECKS_PER_TERM;
  }

  /** Takes the lease when it is free; null when it is not, or somebody else was quicker. */
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
    const { clock, holder, termMs, hasEnded } = this.#options;
    const { version, value } = register ?? { version: 0, value: {} };
    if (version !== this.#lastChange.version) this.#lastChange = { version, since: clock.now() };
    const current = holderIn(register);
    const fence = typeof value['fence'] === 'number' ? value['fence'] : 0;
    this.#setStatus({ state: 'standby', holder: current, fence });
    // Ours is one that was lost to a store which did not answer.
    const free = current === null || current === holder || hasEnded(current);
    return free || clock.now() - this.#lastChange.since >= termMs;
  }

  async #write(fence: number, holder: string | null, version: number): Promise<Term | null> {
    const { registers, name, clock } = this.#options;
    const since = clock.now();
    const written = await registers.writeRegister(name, { holder, fence }, version);
    return written ? { version: version + 1, fence, since } : null;
  }

  /** Works until the work ends (true) or the lease is lost. */
  async #hold(term: Term, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    const { holder, onError } = this.#options;
    const [lost, ended] = [new AbortController(), new AbortController()];
    const cancel = (): void => lost.abort();
    signal.addEventListener('abort', cancel);
    // While the lease was taken.
    if (signal.aborted) cancel();
    this.#setStatus({ state: 'holding', holder, fence: term.fence });
    const renewing = this.#renew(term, ended.signal).then((last) => {
      if (last === null) lost.abort();
      return last;
    });
    try {
      await work(lost.signal);
    } finally {
      signal.removeEventListener('abort', cancel);
      ended.abort();
      const last = await renewing;
      this.#setStatus({ state: 'standby', holder: null, fence: term.fence });
      // Whoever stands by need not wait for the end of the term.
      if (last !== null) await this.#write(last.fence, null, last.version).catch((error: unknown) => onError?.(error));
    }
    return !lost.signal.aborted;
  }

  /** Renews until the lease is lost or `ended` aborts; returns the last term, null when it is lost. */
  async #renew(first: Term, ended: AbortSignal): Promise<Term | null> {
    const { clock, termMs, holder, onError, onSuccess } = this.#options;
    let term = first;
    for (;;) {
      await pause(clock, this.#period, ended);
      if (ended.aborted) return term;
      const overdue = clock.now() - term.since >= termMs;
      try {
        // Overdue, too: who was paused holds it still if nobody has taken over, as the version tells.
        const next = await this.#write(term.fence, holder, term.version);
        onSuccess?.();
        if (next === null) return null;
        term = next;
      } catch (error) {
        onError?.(error);
        if (overdue) return null;
      }
    }
  }

  #setStatus(next: LeaseStatus): void {
    const changed = next.state !== this.status.state;
    this.status = next;
    if (changed) this.#options.onChange?.(next);
  }
}
