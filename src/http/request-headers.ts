import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from './problems.ts';

const SANE_ID = /^[\x21-\x7e]{1,128}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const RESPOND_ASYNC = /(?:^|,)\s*respond-async\s*(?:[;,]|$)/i;

/** The client's `X-Request-Id` when it is 1 to 128 visible ASCII characters, else a new UUID. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && SANE_ID.test(header) ? header : randomUUID();
}

/**
 * `Idempotency-Key`, or null without one.
 * @throws {Problem} 400 unless it is 1 to 255 visible ASCII characters
 */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  throw invalid('Idempotency-Key is 1 to 255 visible ASCII characters.', '#/header/Idempotency-Key');
}

/** Whether `Prefer` (RFC 7240) asks for `respond-async`. */
export function prefersAsync(headers: IncomingHttpHeaders): boolean {
  const prefer = headers.prefer;
  return prefer !== undefined && RESPOND_ASYNC.test(String(prefer));
}

/** Whether a request has a body: RFC 9112 §6.3. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}
