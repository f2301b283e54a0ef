/** Length of the window of every quota, in ms and seconds. */
const WINDOW_MS = 60_000;
const WINDOW_SECONDS = 60;

/** Sums of fractions are not exact. */
const TOLERANCE_MS = 0.001;

export class Account {
  /** When all that was used is there again, in ms of the monotonic clock. */
  fullAt = 0;
}

/**
 * Creates a rate of units per window. What was used comes back steadily (the generic cell rate algorithm): an account costs
 * one number and no timer, and whoever has used everything up waits only for the next unit, not for the end of a window.
 * @param units those of one window, which may be used at once; Infinity: no limit
 * @param windowMs length of the window
 * @param mostDebtMs how far an account may be charged for more than it has, as the time in which that comes back
 */
export function createRate(units: number, windowMs: number, mostDebtMs: number) {
  const unitMs = windowMs / units;
  /** Takes units out of an account, and returns 0; or takes none, and returns how many ms to wait for so many. */
  const take = (account: Account, taken: number, now: number): number => {
    const fullAt = Math.max(account.fullAt, now) + Math.min(taken, units) * unitMs;
    const wait = fullAt - now - windowMs;
    if (wait > TOLERANCE_MS) return wait;
    account.fullAt = fullAt;
    return 0;
  };
  return {
    unitMs,
    take,
    /** Time, in ms, until an account that was charged has something left. */
    wait: (account: Account, now: number): number => take(account, 0, now),
    /** Charges for what was used, more than is left included. */
    charge(account: Account, used: number, now: number): void {
      account.fullAt = Math.min(Math.max(account.fullAt, now) + used * unitMs, now + windowMs + mostDebtMs);
    },
    giveBack(account: Account, given: number): void {
      account.fullAt -= given * unitMs;
    },
  };
}

export type Quota = ReturnType<typeof createQuota>;

/** Creates a quota of units per minute (0: no limit), with a debt of one whole quota at most, and its headers. */
export function createQuota(name: string, limit: number) {
  const { unitMs, ...rate } = createRate(limit || Infinity, WINDOW_MS, WINDOW_MS);
  return {
    ...rate,
    /** The quota as an item of `RateLimit-Policy`; empty, as its state is, where there is no limit. */
    policy: limit === 0 ? '' : `"${name}";q=${limit};w=${WINDOW_SECONDS}`,
    /** The account as an item of `RateLimit`: units that are left, and seconds until all of them are there again. */
    state(account: Account, now: number): string {
      if (limit === 0) return '';
      const used = Math.max(account.fullAt - now, 0);
      const remaining = Math.max(0, Math.floor((WINDOW_MS - used + TOLERANCE_MS) / unitMs));
      return `"${name}";r=${remaining};t=${Math.ceil(used / 1_000)}`;
    },
  };
}
