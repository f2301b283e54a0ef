import { setTimeout as pause } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from '../generated/api.ts';

/** Longest wait for an answer, in ms: somewhat longer than the service takes at most. */
const ANSWER_MS = 15_000;
/** Longest pause before the next attempt, in ms, unless the service asks for a longer one; the first is 250 at most. */
const MAX_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 250;

/** Thrown when the service refuses a request for good; the message is for the people at the venue. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A client of the service, under a key; the media types are those of JSON. */
export function connect(url: string, token: string) {
  return createClient<paths, `application/${string}`>({
    baseUrl: url,
    headers: { 'X-API-Key': token },
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(ANSWER_MS) }),
  });
}

export type Connection = ReturnType<typeof connect>;

interface Answer<T> {
  readonly data?: T;
  readonly error?: { readonly title?: string; readonly detail?: string };
  readonly response: Response;
}

/**
 * The answer of a request that may be sent again, which it is until the service can answer it: after a failure it waits
 * for a random time, for up to twice as long after each (so that rigs which lost their service together do not come
 * back together), or as long as `Retry-After` says.
 * @throws {Refused} for an answer that no repetition would change; the reason of the signal when it aborts.
 */
export async function insist<T>(send: () => Promise<Answer<T>>, signal: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    const answer = await inTime(send);
    if (answer?.data !== undefined) return answer.data;
    if (answer !== null && isFinal(answer.response.status)) throw refusedBy(answer);
    await pause(pauseAfter(attempt, answer?.response ?? null), undefined, { signal });
  }
}

/**
 * The answer; null where there is none: nobody knows whether the request has arrived. A request of which the connection
 * is cut may never end, and nothing of it keeps the process alive (Node 20): the timer here does.
 */
async function inTime<T>(send: () => Promise<Answer<T>>): Promise<Answer<T> | null> {
  const over = new AbortController();
  const late = pause(ANSWER_MS, null, { signal: over.signal }).catch(() => null);
  try {
    return await Promise.race([send().catch(() => null), late]);
  } finally {
    over.abort();
  }
}

/** Whether a status is the end of the matter: 408, 429 and errors of the service are not. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 408 && status !== 429;
}

function refusedBy({ error, response: { status } }: Answer<unknown>): Refused {
  return new Refused(status, `${error?.title ?? 'The service refused'} (${status}): ${error?.detail ?? ''}`);
}

function pauseAfter(attempt: number, response: Response | null): number {
  const most = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  const asked = Number(response?.headers.get('retry-after') ?? 0) * 1_000;
  return (Number.isFinite(asked) ? asked : 0) + Math.random() * most;
}
