import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { JsonValue } from './types.ts';

/** A failure that has a plain sentence for the person at the terminal. Everything else is a bug of the demo. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

/** One request to the service. */
export interface DemoRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** API key, sent as `X-API-Key`. */
  readonly token?: string;
  readonly body?: { readonly [key: string]: JsonValue } | FormData;
  readonly idempotencyKey?: string;
  /** The statuses that the caller deals with; any other is a `DemoError`. */
  readonly expect: readonly number[];
  /** How often to try in all; the default is 6. */
  readonly attempts?: number;
}

/** What came back, read to its end. */
export interface DemoResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a request. All requests of the demo may be repeated, so after a 503 or a broken connection it is tried again, a
 * bounded number of times, after the pause that `Retry-After` asks for. Throws `DemoError`.
 */
export type Send = (call: DemoRequest) => Promise<DemoResponse>;

const ATTEMPTS = 6;
const RESPONSE_TIMEOUT_MS = 60_000;
const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

const Problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
});

/** Why no answer came, in a word such as ECONNREFUSED. */
interface NoResponse {
  readonly reason: string;
}

function reasonOf(error: Error): string {
  const cause = error.cause;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error.name === 'TimeoutError' ? 'no answer in time' : error.message;
}

async function attemptRequest(baseUrl: string, call: DemoRequest): Promise<DemoResponse | NoResponse> {
  const headers = new Headers();
  if (call.token !== undefined) headers.set('X-API-Key', call.token);
  if (call.idempotencyKey !== undefined) headers.set('Idempotency-Key', call.idempotencyKey);
  const body = call.body === undefined || call.body instanceof FormData ? call.body : JSON.stringify(call.body);
  if (typeof body === 'string') headers.set('Content-Type', 'application/json');
  try {
    const response = await fetch(baseUrl + call.path, {
      method: call.method,
      headers,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { reason: reasonOf(error) };
  }
}

/** RFC 9110, 10.2.3: seconds or a date. Without the header: longer after each attempt. */
function pauseAfter(result: DemoResponse | NoResponse, attempt: number): number {
  const header = 'status' in result ? result.headers.get('Retry-After') : null;
  const asked = header === null ? attempt * 500 : Number(header) * 1_000;
  const wanted = Number.isNaN(asked) ? Date.parse(header ?? '') - Date.now() : asked;
  return Math.min(Math.max(Number.isNaN(wanted) ? 0 : wanted, MIN_PAUSE_MS), MAX_PAUSE_MS);
}

/** The JSON in an answer; `undefined` when it is none. */
export function parseJson({ text }: DemoResponse): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function explain(answer: DemoResponse): string {
  const problem = Problem.safeParse(parseJson(answer));
  if (!problem.success) return answer.text.slice(0, 200).trim();
  const { title, detail, errors = [] } = problem.data;
  return [detail ?? title ?? '', ...errors.map((error) => `${error.pointer} ${error.detail}`)].join('; ');
}

function failure(baseUrl: string, call: DemoRequest, result: DemoResponse | NoResponse): DemoError {
  if ('status' in result) {
    const which = call.idempotencyKey === undefined ? '' : ` (${call.idempotencyKey})`;
    return new DemoError(`${call.method} ${call.path}${which} answered ${String(result.status)}: ${explain(result)}`);
  }
  return new DemoError(
    `The service at ${baseUrl} does not answer (${result.reason}): start it with npm start or name ` +
      'its address with --url; a repeated run continues where this one stopped.',
  );
}

/** A client of the service at `baseUrl` (no slash at its end). */
export function createClient(baseUrl: string): Send {
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const result = await attemptRequest(baseUrl, call);
      if ('status' in result && call.expect.includes(result.status)) return result;
      const temporary = !('status' in result) || result.status === 503;
      if (!temporary || attempt >= (call.attempts ?? ATTEMPTS)) throw failure(baseUrl, call, result);
      await pause(pauseAfter(result, attempt));
    }
  };
}
