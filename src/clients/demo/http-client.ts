import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

/** A failure to report to the user as a plain sentence. Any other error is a bug of the demo. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

/** Thrown when the demo was told to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Any JSON value, as the demo sends it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; fields that are undefined are left out. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** One request to the service. */
export interface DemoRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** API key, sent as `X-API-Key`. */
  readonly token?: string;
  readonly body?: JsonObject | FormData;
  readonly idempotencyKey?: string;
  /** The statuses that the caller handles; any other is a `DemoError`. */
  readonly expect: readonly number[];
  /** Number of attempts; the default is 6. */
  readonly attempts?: number;
}

/** A response, read to its end. */
export interface DemoResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a request. All requests of the demo are idempotent, so after a 429, a 503 or a lost connection it is retried, a bounded
 * number of times, after the pause that `Retry-After` asks for. Throws `DemoError`.
 */
export type Send = (request: DemoRequest) => Promise<DemoResponse>;

const ATTEMPTS = 6;
const RESPONSE_TIMEOUT_MS = 60_000;
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

const Problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
});

/** Why there was no response, as an error code such as ECONNREFUSED. */
interface NoResponse {
  readonly reason: string;
}

function reasonOf(error: Error): string {
  const cause = error.cause;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error.name === 'TimeoutError' ? 'no response in time' : error.message;
}

/** Where requests go, and what ends them. */
interface Connection {
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

async function attemptRequest(
  { baseUrl, signal }: Connection,
  request: DemoRequest,
): Promise<DemoResponse | NoResponse> {
  const headers = new Headers();
  if (request.token !== undefined) headers.set('X-API-Key', request.token);
  if (request.idempotencyKey !== undefined) headers.set('Idempotency-Key', request.idempotencyKey);
  const body =
    request.body === undefined || request.body instanceof FormData ? request.body : JSON.stringify(request.body);
  if (typeof body === 'string') headers.set('Content-Type', 'application/json');
  try {
    const response = await fetch(baseUrl + request.path, {
      method: request.method,
      headers,
      signal: AbortSignal.any([AbortSignal.timeout(RESPONSE_TIMEOUT_MS), signal]),
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { reason: reasonOf(error) };
  }
}

/** The pause before the next attempt, in ms: `Retry-After` (RFC 9110, 10.2.3: seconds or a date), else growing. */
function pauseAfter(result: DemoResponse | NoResponse, attempt: number): number {
  const header = 'status' in result ? result.headers.get('Retry-After') : null;
  const asked = header === null ? attempt * 500 : Number(header) * 1_000;
  const wanted = Number.isNaN(asked) ? Date.parse(header ?? '') - Date.now() : asked;
  return Math.min(Math.max(Number.isNaN(wanted) ? 0 : wanted, MIN_PAUSE_MS), MAX_PAUSE_MS);
}

/** The body as JSON; `undefined` when it is not JSON. */
export function parseJson({ text }: DemoResponse): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function explain(response: DemoResponse): string {
  const problem = Problem.safeParse(parseJson(response));
  if (!problem.success) return response.text.slice(0, 200).trim();
  const { title, detail, errors = [] } = problem.data;
  return [detail ?? title ?? '', ...errors.map((error) => `${error.pointer} ${error.detail}`)].join('; ');
}

function failure(baseUrl: string, request: DemoRequest, result: DemoResponse | NoResponse): DemoError {
  if ('status' in result) {
    const which = request.idempotencyKey === undefined ? '' : ` (${request.idempotencyKey})`;
    return new DemoError(
      `${request.method} ${request.path}${which} answered ${String(result.status)}: ${explain(result)}`,
    );
  }
  return new DemoError(
    `The service at ${baseUrl} does not answer (${result.reason}): start it with npm start or name ` +
      'its address with --url; a repeated run continues where this one stopped.',
  );
}

/** Creates a client of the service at `baseUrl` (no slash at its end). Once `signal` aborts it throws `Interrupted`. */
export function createClient(baseUrl: string, signal: AbortSignal): Send {
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const result = await attemptRequest({ baseUrl, signal }, request);
      if (signal.aborted) throw new Interrupted();
      if ('status' in result && request.expect.includes(result.status)) return result;
      const temporary = !('status' in result) || [429, 503].includes(result.status);
      if (!temporary || attempt >= (request.attempts ?? ATTEMPTS)) throw failure(baseUrl, request, result);
      // Only the signal ends it early.
      await pause(pauseAfter(result, attempt), undefined, { signal }).catch(() => undefined);
    }
  };
}
