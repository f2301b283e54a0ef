import createClient from 'openapi-fetch';
import type { components, paths } from './generated/api.ts';

/** Longest wait for an answer, in ms: somewhat longer than the service takes at most. */
const ANSWER_MS = 15_000;
/** Longest pause before the next attempt, in ms, unless the service asks for a longer one; the first is 250 at most. */
const MAX_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 250;
/** How often a request is sent at most that is answered 500: such a fault of the service may be that request's own. */
const FAULTS = 3;

/** A failure that people can do something about; the message says what it is. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
}

/** Thrown when the service refuses a request for good. */
export class Refused extends Failure {
  override readonly name = 'Refused';
  readonly status: number;
  /** The path of the resource that exists already, if the answer names it. */
  readonly location: string | null;
  /** Time, in s, after which the service may answer otherwise, if the answer names it. */
  readonly retryAfterS: number | null;

  constructor(status: number, message: string, location: string | null = null, retryAfterS: number | null = null) {
    super(message);
    this.status = status;
    this.location = location;
    this.retryAfterS = retryAfterS;
  }
}

/** Thrown when no attempt was answered; the message is an error code such as ECONNREFUSED. */
export class Unanswered extends Failure {
  override readonly name = 'Unanswered';
}

/** Observer of what a client waits for, which may show it; see `Waiting` of the commands. */
export interface WaitObserver {
  during<T>(what: () => string, work: () => Promise<T>): Promise<T>;
}

/** An observer that shows nothing. */
const UNOBSERVED: WaitObserver = { during: (_, work) => work() };

/** A service, a key of it, for how long requests are sent, and how often each at most. */
export interface ConnectionOptions {
  readonly url: string;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly attempts?: number;
  /** Statuses that are final beside those that always are; left out: none. */
  readonly finalStatuses?: readonly number[];
  readonly waiting?: WaitObserver;
  /** How a request is sent; left out: by `fetch`. */
  readonly send?: (request: Request, signal: AbortSignal) => Promise<Response>;
}

/**
 * A client of the service; the media types are those of JSON. `answered` sends an idempotent request until the service
 * answers it. After each failure it pauses as long as `Retry-After` says and for a random time, whose bound doubles, so
 * that clients which lost the service together do not return together. It throws
 * - {Refused} for an answer that a retry would not change, or when no attempts are left,
 * - {Unanswered} when the last attempt has no answer,
 * - the reason of the signal when it aborts.
 */
export function connect(options: ConnectionOptions) {
  const { url, token, signal, attempts = Infinity, finalStatuses = [] } = options;
  const { waiting = UNOBSERVED, send: sendRequest = byFetch } = options;
  const client = createClient<paths, `application/${string}`>({
    baseUrl: url,
    headers: { 'X-API-Key': token },
    fetch: (request) => sendRequest(request, AbortSignal.any([AbortSignal.timeout(ANSWER_MS), signal])),
  });
  const answered = <T>(send: () => Promise<Answer<T>>): Promise<Required<Pick<Answer<T>, 'data' | 'response'>>> => {
    let failure = '';
    const what = (): string => `an answer of ${url}${failure}`;
    return waiting.during(what, () => untilAnswered(send, (last) => (failure = `, which ${last}`)));
  };
  const untilAnswered = async <T>(
    send: () => Promise<Answer<T>>,
    onFailure: (last: string) => void,
  ): Promise<Required<Pick<Answer<T>, 'data' | 'response'>>> => {
    let faults = 0;
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      const answer = await inTime(send, signal);
      signal.throwIfAborted();
      const response = answer instanceof Error ? null : answer.response;
      if (!(answer instanceof Error)) {
        if (answer.data !== undefined) return { data: answer.data, response: answer.response };
        const { status } = answer.response;
        if (status === 500) faults += 1;
        const isOver = isFinal(status) || finalStatuses.includes(status);
        if (attempt >= attempts || faults >= FAULTS || isOver) throw refusedBy(answer);
      } else if (attempt >= attempts) {
        throw new Unanswered(reasonOf(answer), { cause: answer });
      }
      onFailure(
        answer instanceof Error ? `does not answer (${reasonOf(answer)})` : `answers ${answer.response.status}`,
      );
      await pause(pauseAfter(attempt, response), signal);
    }
  };
  return { ...client, answered };
}

export type Connection = ReturnType<typeof connect>;

function byFetch(request: Request, signal: AbortSignal): Promise<Response> {
  return fetch(request, { signal });
}

type Problem = components['schemas']['Problem'];

/** What openapi-fetch makes of a response. */
export interface Answer<T> {
  readonly data?: T;
  /** As a rule a problem document. */
  readonly error?: object | undefined;
  readonly response: Response;
}

/** The answer, or an error if there is none. The timer keeps the process alive, which a cut connection does not. */
async function inTime<T>(send: () => Promise<Answer<T>>, signal: AbortSignal): Promise<Answer<T> | Error> {
  const over = new AbortController();
  const late = pause(ANSWER_MS, AbortSignal.any([over.signal, signal])).then(
    () => new Error('no answer in time'),
    () => new Error('interrupted'),
  );
  try {
    return await Promise.race([send(), late]);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  } finally {
    over.abort();
  }
}

/** Waits for some ms, in Node and in browsers. @throws the reason of the signal when it aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(reasonToEnd(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Why a signal has aborted, as an error. */
function reasonToEnd({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('interrupted', { cause: reason });
}

/** Whether a status is final: 408, 429 and errors of the service are not. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 408 && status !== 429;
}

function refusedBy({ error, response }: Answer<unknown>): Refused {
  const { status, url, headers } = response;
  const { title = 'The service refused', detail = '', errors = [] }: Partial<Problem> = error ?? {};
  const faults = [detail, ...errors.map((one) => `${one.pointer} ${one.detail}`)].filter(Boolean);
  const text = `${title} (${status} of ${new URL(url).pathname}): ${faults.join('; ')}`;
  return new Refused(status, text, headers.get('Location'), retryAfterOf(response));
}

function reasonOf(error: Error): string {
  const { cause, message } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return 'code' in error && typeof error.code === 'string' ? error.code : message;
}

function pauseAfter(attempts: number, response: Response | null): number {
  const most = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1));
  const asked = (response === null ? null : retryAfterOf(response)) ?? 0;
  return asked * 1_000 + Math.random() * most;
}

/** The seconds of `Retry-After`; null: there are none. */
function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after');
  const seconds = Number(text ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
