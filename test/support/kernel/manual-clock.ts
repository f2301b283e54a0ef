import type { Clock } from '../../../src/kernel/ports/system.ts';

/** A clock whose hand the test moves. */
export type ManualClock = ReturnType<typeof manualClock>;

export function manualClock() {
  let now = 0;
  let setBy = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const nextDue = (until: number) => [...timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
  const clock: Clock = {
    now: () => now + setBy,
    monotonic: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  return {
    ...clock,
    /** Sets the time of day by so many ms, as an operator or a time server does: no time passes. */
    set(byMs: number): void {
      setBy += byMs;
    },
    /** Moves on by so many ms, and calls what was due in between, the earliest first. */
    pass(ms: number): void {
      const until = now + ms;
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        timers.delete(due);
        now = due.at;
        due.run();
      }
      now = until;
    },
    /** For how many ms from now each timer that waits was set. */
    pending: (): readonly number[] => [...timers].map(({ at }) => at - now),
  };
}

/** Lets everything that is ready go on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Lets time pass in steps small enough for everything that is due to happen in between. */
export async function passing(clock: ManualClock, ms: number, stepMs = 100): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    clock.pass(stepMs);
    await settled();
    await settled();
  }
}
