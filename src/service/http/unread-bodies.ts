/**
 * What becomes of a body that nobody has read when its request is answered. Neither Express nor body-parser cares: Node
 * would read a refused upload of any size to its end, and a connection that is closed at once is reset, so that the client
 * never sees why.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

type Res = ServerResponse & Express.Response;

/** A refused body of up to this many bytes is read and discarded, and the connection kept; a larger one closes it. */
const DISCARD_BYTES = 65_536;
/** Bytes, and ms, for which a larger body is still read, so that the client sees the response instead of a reset. */
const LINGER_BYTES = 16 * 1024 * 1024;
const LINGER_MS = 5_000;

/** Whether a request has a body (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return (length !== undefined && length !== '0') || coding !== undefined;
}

/**
 * Decides, before a response begins, what becomes of a body that was not read: the connection closes unless the rest is
 * small. Returns whether the response has to wait for it.
 */
export function prepareConnection(res: Res): boolean {
  const { req } = res;
  if (req.complete || res.bodyIsBroken || !hasBody(req)) return false;
  const awaitsContinue = res.expectation !== 'none';
  // A body that is too slow has had its time.
  const isLate = res.statusCode === 408;
  const isSmall = Number(req.headers['content-length'] ?? Infinity) <= DISCARD_BYTES;
  const waits = !awaitsContinue && !isLate && !isSmall;
  // Without `100 Continue` the client may or may not send the body: what follows on the connection cannot be interpreted.
  if (waits || awaitsContinue || isLate) res.shouldKeepAlive = false;
  if (!waits) req.resume();
  return waits;
}

/** Ends a response once the client has sent its body: a reset would keep the client from seeing the response. */
export function endAfterBody(res: Res, body: string | Uint8Array | undefined): void {
  const { req } = res;
  if (body !== undefined && body.length > 0) res.write(body);
  else res.flushHeaders();
  let left = LINGER_BYTES;
  const end = (): void => {
    res.end();
  };
  res.dueAt = performance.now() + LINGER_MS;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.socket.destroy();
  });
  req.once('end', end).once('close', end).resume();
}
