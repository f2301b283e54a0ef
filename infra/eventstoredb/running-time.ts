/** Interval, in ms, at which the clock is read while somebody waits for it. */
const READ_EVERY_MS = 100;

/** Most of the time between two readings, in ms, that counts: in the rest of it this process stood still. */
const MOST_COUNTED_MS = 250;

export type RunningTime = ReturnType<typeof createRunningTime>;

/**
 * Creates a clock of the time in which this process was able to hear a server. Timers of Node.js are due before sockets
 * are read: a process that stood still, stopped or busy, would take each server for silent that answered meanwhile.
 */
export function createRunningTime() {
  let counted = 0;
  let readAt = performance.now();
  let waiting = 0;
  let reading: NodeJS.Timeout | undefined;
  /** The time on the clock, in ms. It runs on only while somebody waits for it. */
  const now = (): number => {
    const at = performance.now();
    counted += Math.min(at - readAt, MOST_COUNTED_MS);
    readAt = at;
    return counted;
  };
  return {
    now,
    /**
     * Calls `onOver` once, when so much time has passed and what has arrived by then was read. The function that is
     * returned ends the wait.
     */
    after(ms: number, onOver: () => void): () => void {
      const due = now() + ms;
      let immediate: NodeJS.Immediate | undefined;
      const check = (): void => {
        const left = due - now();
        if (left > 0) timer = setTimeout(check, left);
        else immediate = setImmediate(over);
      };
      let timer = setTimeout(check, ms);
      let isWaiting = true;
      const end = (): void => {
        if (!isWaiting) return;
        isWaiting = false;
        clearTimeout(timer);
        clearImmediate(immediate);
        waiting -= 1;
        if (waiting === 0) clearInterval(reading);
      };
      const over = (): void => {
        end();
        onOver();
      };
      if (waiting === 0) reading = setInterval(now, READ_EVERY_MS).unref();
      waiting += 1;
      return end;
    },
  };
}
