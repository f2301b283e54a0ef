import { pause, type Clock } from './ports/system.ts';

/** First and longest pause, in ms, between attempts without progress. */
const RETRY_MS = { first: 50, longest: 1_000 } as const;

/** Result of an attempt: done for good, or to be repeated, with or without progress made. */
export type AttemptResult = 'done' | 'progressed' | 'stuck';

/** Repeats an attempt, with pauses that double while there is no progress, until it is done or `signal` aborts. */
export async function retry(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  attempt: () => Promise<AttemptResult>,
): Promise<void> {
  for (let wait: number = RETRY_MS.first; !signal.aborted; wait = Math.min(wait * 2, RETRY_MS.longest)) {
    const attempted = await attempt();
    if (attempted === 'done') return;
    if (attempted === 'progressed') wait = RETRY_MS.first;
    await pause(clock, wait, signal);
  }
}
