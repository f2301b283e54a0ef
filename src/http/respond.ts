import { namesTag } from './etag.ts';
import { pathOf, type Exchange } from './exchange.ts';
import type { Headers } from './endpoint.ts';
import { problemDocument, toProblem, type Problem } from './problems.ts';
import { ClientGone } from './read-body.ts';

/** The part of the log that responses need. */
export interface ErrorLog {
  error(fields: object, message: string): void;
}

/** A response whose whole body is in memory. */
export interface BufferedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Headers | undefined;
  readonly etag?: string | undefined;
}

export const JSON_TYPE = 'application/json';
export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Time, in ms, that a client may take to accept a response, or the next piece of it. */
export const STALL_TIMEOUT_MS = 30_000;

/** A refused body of up to this many bytes is read and discarded, and the connection kept; a larger one closes it. */
const DISCARD_BYTES = 65_536;
/** How much of a larger one is still read, in bytes and ms, so that the client sees the response instead of a reset. */
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_MS = 5_000;

/** Response headers that scripts of other origins may read. */
const EXPOSED_HEADERS = 'ETag, Location, X-Request-Id, API-Version, Retry-After, Idempotency-Replayed';

/** The headers that every response has, as a flat list of names and values. */
export function baseHeaders(exchange: Exchange): string[] {
  const headers = ['API-Version', '1.0', 'X-Request-Id', exchange.requestId, 'X-Content-Type-Options', 'nosniff'];
  if (exchange.allowOrigin === null) return headers;
  headers.push('Access-Control-Allow-Origin', exchange.allowOrigin, 'Access-Control-Expose-Headers', EXPOSED_HEADERS);
  if (exchange.allowOrigin !== '*') headers.push('Vary', 'Origin');
  return headers;
}

/** The headers of a response with content: base headers, type, caching (unless the response has its own) and `own`. */
export function contentHeaders(exchange: Exchange, contentType: string, own: Headers | undefined): string[] {
  const headers = baseHeaders(exchange);
  headers.push('Content-Type', contentType);
  if (exchange.cacheControl !== null && own?.['Cache-Control'] === undefined) {
    headers.push('Cache-Control', exchange.cacheControl);
  }
  for (const name in own) if (name !== 'Content-Type') headers.push(name, own[name] ?? '');
  return headers;
}

/** Sends a response with a body, unless another response was chosen before. */
export function sendBuffered(
  exchange: Exchange,
  { status, contentType, body, headers: own, etag }: BufferedResponse,
): void {
  if (exchange.settled) return;
  if (status === 200 && etag !== undefined && isUnchanged(exchange, etag)) {
    sendEmpty(exchange, 304, { ...own, ETag: etag });
    return;
  }
  const length = Buffer.byteLength(body);
  const headers = contentHeaders(exchange, contentType, own);
  if (etag !== undefined && own?.ETag === undefined) headers.push('ETag', etag);
  headers.push('Content-Length', String(length));
  exchange.bytes = exchange.req.method === 'HEAD' ? 0 : length;
  endResponse(exchange, { status, headers, body });
}

/** Sends a response without a body, unless another response was chosen before. */
export function sendEmpty(exchange: Exchange, status: number, own: Headers = {}): void {
  if (exchange.settled) return;
  const headers = baseHeaders(exchange);
  for (const name in own) headers.push(name, own[name] ?? '');
  // 204 and 304 have no length by definition (RFC 9110 §8.6).
  if (status !== 204 && status !== 304) headers.push('Content-Length', '0');
  endResponse(exchange, { status, headers, body: '' });
}

/** Whether a GET may be answered 304 for this tag. */
export function isUnchanged({ req }: Exchange, etag: string): boolean {
  const known = req.headers['if-none-match'];
  return known !== undefined && (req.method === 'GET' || req.method === 'HEAD') && namesTag(known, etag);
}

interface FinalResponse {
  readonly status: number;
  readonly headers: string[];
  readonly body: string;
}

function endResponse(exchange: Exchange, { status, headers, body }: FinalResponse): void {
  exchange.settled = true;
  exchange.dueAt += STALL_TIMEOUT_MS;
  const unread = exchange.hasBody && !exchange.req.complete;
  const lingers = unread && !exchange.awaitsContinue && !isSmall(exchange);
  // Without `100 Continue` the client may or may not send the body: what follows on the connection cannot be
  // interpreted.
  if (lingers || (unread && exchange.awaitsContinue)) exchange.shouldKeepAlive = false;
  exchange.writeHead(status, headers);
  if (lingers) {
    exchange.write(body);
    endAfterRequest(exchange);
    return;
  }
  if (unread) exchange.req.resume();
  exchange.end(body);
}

function isSmall({ req }: Exchange): boolean {
  const length = req.headers['content-length'];
  return length !== undefined && Number(length) <= DISCARD_BYTES;
}

/**
 * Ends a response once the client has sent its body: closing before would reset the connection, and the client would
 * never see the response.
 */
function endAfterRequest(exchange: Exchange): void {
  let left = LINGER_BYTES;
  const end = () => {
    exchange.end();
  };
  exchange.dueAt = performance.now() + LINGER_MS;
  exchange.req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) exchange.req.socket.destroy();
  });
  exchange.req.once('end', end).once('close', end).resume();
}

/**
 * Sends an error as a problem, or as `Failed` for an upload; nothing when a response was chosen before or the client
 * has gone. Unforeseen errors are logged in any case.
 */
export function sendError(exchange: Exchange, error: unknown, log: ErrorLog): void {
  if (error instanceof ClientGone) {
    exchange.settled = true;
    return;
  }
  const problem = toProblem(error);
  if (problem.code === 'INTERNAL') {
    log.error(
      { err: error, requestId: exchange.requestId, route: exchange.route },
      'A request failed for a reason that was not foreseen',
    );
  }
  sendProblem(exchange, problem);
}

/**
 * Sends a problem document, or `Failed` for an upload (SPEC.md "CDN upload"; 401 and 403 stay problems): with 400, or
 * with 503 and `Retry-After` when a store is unavailable, as the same upload may then succeed a little later.
 */
export function sendProblem(exchange: Exchange, problem: Problem): void {
  if (exchange.failsAsText && problem.status !== 401 && problem.status !== 403) {
    const failed = { contentType: TEXT_TYPE, body: 'Failed' };
    if (problem.code === 'UNAVAILABLE') sendBuffered(exchange, { ...failed, status: 503, headers: problem.headers });
    else sendBuffered(exchange, { ...failed, status: 400 });
    return;
  }
  exchange.cacheControl = 'no-store';
  const body = JSON.stringify(problemDocument(problem, pathOf(exchange.req)));
  sendBuffered(exchange, {
    status: problem.status,
    contentType: 'application/problem+json',
    body,
    headers: problem.headers,
  });
}
