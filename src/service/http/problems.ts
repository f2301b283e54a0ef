import { withoutTokens } from '../../domain/secrets.ts';
import { Rejection, type Fault, type RejectionCode } from '../../kernel/aggregate/rejection.ts';
import {
  AppendTooLarge,
  OtherHistory,
  OverBudget,
  ReadOnlyStore,
  StoreUnavailable,
} from '../../kernel/ports/errors.ts';
import { MAX_APPEND_BYTES } from '../../kernel/ports/event-store.ts';
import type { Headers } from './endpoint.ts';

/** The status table (docs/interface.md#errors): one row per reason, with the same title each time (RFC 9457 §3.1.3). */
export const PROBLEMS = {
  INVALID: { status: 400, title: 'The request is not valid' },
  UNAUTHENTICATED: { status: 401, title: 'A valid API key is needed' },
  FORBIDDEN: { status: 403, title: 'Not allowed' },
  NOT_YOURS: { status: 403, title: 'Owned by another licence' },
  RIG_SCOPE: { status: 403, title: 'Not for the key of a rig' },
  NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request took too long to arrive' },
  LAST_ADMIN_KEY: { status: 409, title: 'The last ADMIN key' },
  NO_NEW_TOKEN: { status: 409, title: 'A retry gets no new token' },
  PARTICIPANT_ERASED: { status: 409, title: 'The participant was erased' },
  REVOKED: { status: 409, title: 'Revoked' },
  TAKEN: { status: 409, title: 'Already taken' },
  REVISION_MISMATCH: { status: 412, title: 'The resource has changed' },
  CONTENT_TOO_LARGE: { status: 413, title: 'The body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Unsupported media type' },
  RANGE_NOT_SATISFIABLE: { status: 416, title: 'Range not satisfiable' },
  EXPECTATION_FAILED: { status: 417, title: 'Expectation failed' },
  UNKNOWN_REFERENCE: { status: 422, title: 'Something referred to does not exist' },
  KEY_REUSED: { status: 422, title: 'The idempotency key was used with another body' },
  TOO_MANY_REQUESTS: { status: 429, title: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The headers are too large' },
  INTERNAL: { status: 500, title: 'Internal error' },
  UNAVAILABLE: { status: 503, title: 'Temporarily unavailable' },
  INSUFFICIENT_STORAGE: { status: 507, title: 'No room for the file' },
} as const satisfies Record<RejectionCode, ProblemKind> & Record<string, ProblemKind>;

interface ProblemKind {
  readonly status: number;
  readonly title: string;
}

export type ProblemCode = keyof typeof PROBLEMS;

/** Seconds after which a client may try again when a store was unavailable or the deadline passed. */
export const RETRY_AFTER_SECONDS = '2';

const OTHER_HISTORY =
  'The read models do not belong to the events in the event store. Until `sim-racing-timing rebuild` has made them anew ' +
  'and the service was started again, nothing is written.';

/** A refusal that is answered as problem+json (RFC 9457). Handlers may throw it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly Fault[];
  readonly headers: Headers;

  /** `detail` is for the caller, without internals; `errors` point into the request (RFC 6901), most useful first. */
  constructor(
    code: ProblemCode,
    detail: string,
    { errors = [], headers = {} }: Partial<Pick<Problem, 'errors' | 'headers'>> = {},
  ) {
    super(detail);
    this.code = code;
    this.status = PROBLEMS[code].status;
    this.errors = errors;
    this.headers = headers;
  }
}

/** Thrown when the client disconnected, or was answered already: no response is possible. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

export function problemOf(rejection: Rejection): Problem {
  return new Problem(rejection.code, rejection.detail, { errors: rejection.faults });
}

/** Makes a problem from any error; an unforeseen one is a 500 without internals. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Rejection) return problemOf(error);
  if (error instanceof AppendTooLarge) {
    return new Problem(
      'CONTENT_TOO_LARGE',
      `What is recorded of a request may have ${MAX_APPEND_BYTES} bytes at most.`,
    );
  }
  if (error instanceof OtherHistory) return unavailableProblem(OTHER_HISTORY);
  if (error instanceof OverBudget) return new Problem('INVALID', `This is too much for one request: ${error.message}.`);
  if (error instanceof ReadOnlyStore)
    return unavailableProblem('This service only reads: nothing can be changed here.');
  if (error instanceof StoreUnavailable) return unavailableProblem('A store cannot be reached at the moment.');
  return new Problem('INTERNAL', 'The service could not handle this request. The request id helps to find out why.');
}

export function unauthenticatedProblem(): Problem {
  return new Problem('UNAUTHENTICATED', 'Send a valid key in the header X-API-Key.', {
    headers: { 'WWW-Authenticate': 'ApiKey realm="sim-racing-timing", header="X-API-Key"' },
  });
}

export function unavailableProblem(detail: string): Problem {
  return new Problem('UNAVAILABLE', detail, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

/** Problem 429 with `Retry-After`, for a client that is to wait so many ms. */
export function tooManyProblem(detail: string, waitMs: number): Problem {
  return new Problem('TOO_MANY_REQUESTS', detail, { headers: { 'Retry-After': String(Math.ceil(waitMs / 1_000)) } });
}

/** Problem 413 for a body of more than so many bytes. */
export function tooLargeProblem(limit: number): Problem {
  return new Problem('CONTENT_TOO_LARGE', `The body may have ${limit} bytes at most.`);
}

export function invalidProblem(detail: string, pointer: string): Problem {
  return new Problem('INVALID', detail, { errors: [{ pointer, detail }] });
}

/** The document of a problem; `instance` is the path of the request, which may be logged elsewhere: without tokens. */
export function problemDocument(problem: Problem, instance: string): object {
  const { title, status } = PROBLEMS[problem.code];
  const type = `urn:problem-type:${problem.code.toLowerCase().replaceAll('_', '-')}`;
  const document = { type, title, status, detail: problem.message, instance: withoutTokens(instance) };
  if (problem.errors.length === 0) return document;
  // RFC 9457 writes pointers as URI fragments: `#/sectors/0`.
  const errors = problem.errors.map(({ pointer, detail }) => ({ pointer: pointer.replace(/^#?/, '#'), detail }));
  return { ...document, errors };
}
