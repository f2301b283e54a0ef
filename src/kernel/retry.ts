import { pause, type Clock } from './ports/system.ts';

/** First and longest pause, in ms, between attempts without progress. */
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;

/** Result of an attempt: done for good, or to be repeated, with or without progress made. */
export type AttemptResult = 'done' | 'progressed' | 'stuck';

/** Repeats an attempt until it is done or `signal` aborts. The pauses double while there is no progress. */
export async function retry(clock: Clock, signal: AbortSignal, attempt: () => Promise<AttemptResult>): Promise<void> {
  let wait = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const result = await attempt();
    if (result === 'done') return;
    if (result === 'progressed') wait = FIRST_PAUSE_MS;
    await pause(clock, wait, signal);
    wait = Math.min(wait * 2, MAX_PAUSE_MS);
  }
}
