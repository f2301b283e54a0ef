import { pause, type Clock } from './ports/system.ts';

/** First and longest pause, in ms, between attempts that gain nothing. */
const RETRY_MS = { first: 50, longest: 5_000 } as const;

/** How an attempt ended: for good, or with or without having come further. */
export type AttemptResult = 'done' | 'progressed' | 'stuck';

/** Attempts again and again, with pauses that grow while nothing is gained, until it is over or `signal` aborts. */
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
