import type { Clock } from '../../../src/service/kernel/ports/system.ts';

/** A clock whose hand the test moves. */
export interface ManualClock extends Clock {
  /** Sets the time of day by so many ms, as an operator or a time server does: no time passes. */
  readonly set: (byMs: number) => void;
  /** Moves on by so many ms, and calls what was due in between, the earliest first. */
  readonly pass: (ms: number) => void;
  /** For how many ms from now each timer that waits was set. */
  readonly pending: () => readonly number[];
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export function manualClock(): ManualClock {
  let now = 0;
  let setBy = 0;
  const timers = new Set<Timer>();
  const nextDue = (until: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
  return {
    now: () => now + setBy,
    monotonic: () => now,
    set(byMs) {
      setBy += byMs;
    },
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass(ms) {
      const until = now + ms;
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        timers.delete(due);
        now = due.at;
        due.run();
      }
      now = until;
    },
    pending: () => [...timers].map(({ at }) => at - now),
  };
}

/** Lets everything that is ready go on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
