/** Length of the window of every quota, in ms and seconds. */
const WINDOW_MS = 60_000;
const WINDOW_SECONDS = 60;

/** Sums of fractions are not exact. */
const TOLERANCE_MS = 0.001;

/** What a client or a key has used of a quota. */
export class Account {
  /** When the whole quota is available again, in ms of the monotonic clock. */
  fullAt = 0;
}

/**
 * A quota of units per minute. What was used comes back steadily (the generic cell rate algorithm): an account costs one
 * number and no timer, and a client that has used everything up waits only for the next unit, not for the end of a minute.
 */
export class Quota {
  /** The quota as an item of `RateLimit-Policy`; empty, as its state is, where there is no limit. */
  readonly policy: string;
  readonly #name: string;
  readonly #units: number;
  readonly #unitMs: number;

  /** @param units 0: no limit */
  constructor(name: string, units: number) {
    this.#name = name;
    this.#units = units || Infinity;
    this.#unitMs = WINDOW_MS / this.#units;
    this.policy = units === 0 ? '' : `"${name}";q=${units};w=${WINDOW_SECONDS}`;
  }

  /** Takes units out of an account, and returns 0; or takes none, and returns how many ms to wait for so many. */
  take(account: Account, units: number, now: number): number {
    const fullAt = Math.max(account.fullAt, now) + Math.min(units, this.#units) * this.#unitMs;
    const wait = fullAt - now - WINDOW_MS;
    if (wait > TOLERANCE_MS) return wait;
    account.fullAt = fullAt;
    return 0;
  }

  /** How many ms it takes until an account that was charged has something left. */
  wait(account: Account, now: number): number {
    return this.take(account, 0, now);
  }

  /** Charges for what was used, more than is left included: as a debt of one whole quota at most. */
  charge(account: Account, units: number, now: number): void {
    account.fullAt = Math.min(Math.max(account.fullAt, now) + units * this.#unitMs, now + 2 * WINDOW_MS);
  }

  giveBack(account: Account, units: number): void {
    account.fullAt -= units * this.#unitMs;
  }

  /** The account as an item of `RateLimit`: units that are left, and seconds until all of them are there again. */
  state(account: Account, now: number): string {
    if (this.#units === Infinity) return '';
    const used = Math.max(account.fullAt - now, 0);
    const remaining = Math.max(0, Math.floor((WINDOW_MS - used + TOLERANCE_MS) / this.#unitMs));
    return `"${this.#name}";r=${remaining};t=${Math.ceil(used / 1_000)}`;
  }
}
