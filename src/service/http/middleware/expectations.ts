import type { RequestHandler } from 'express';
import { invalidProblem, Problem } from '../problems.ts';

/** Most headers of a request. Node would silently leave out those past its own limit. */
const MAX_HEADERS = 100;

/** A name or an address, and maybe a port (RFC 9112 §3.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d{0,5})?$/i;

/** The accepted targets of requests: a path, without a fragment (RFC 9112 §3.2.1). */
const PATH = /^\/[^#]*$/;

/** Refuses heads that are HTTP, but that two servers could understand differently, or that are not taken. */
export const expectations: RequestHandler = (req, res, next) => {
  if (res.expectation === 'other') throw new Problem('EXPECTATION_FAILED', 'Only 100-continue can be expected.');
  const { rawHeaders, httpVersion } = req;
  if (rawHeaders.length > 2 * MAX_HEADERS)
    throw new Problem('HEADERS_TOO_LARGE', `A request may have ${MAX_HEADERS} headers at most.`);
  const problem =
    httpVersion === '1.1' || httpVersion === '1.0'
      ? hostProblem(rawHeaders, req.headers.host, httpVersion)
      : new Problem('INVALID', 'Only HTTP/1.1 and HTTP/1.0 are spoken here.');
  if (problem !== null) {
    // What follows may not be what it seems.
    res.shouldKeepAlive = false;
    throw problem;
  }
  if (!PATH.test(req.url)) throw new Problem('NOT_FOUND', 'There is nothing at this path.');
  next();
};

/** Servers that take different ones of two `Host` headers would take a request for different sites. */
function hostProblem(rawHeaders: readonly string[], host: string | undefined, httpVersion: string): Problem | null {
  if (host === undefined) {
    return httpVersion === '1.1' ? invalidProblem('The Host header is missing.', '#/header/Host') : null;
  }
  let count = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? '';
    if (name.length === 'host'.length && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return invalidProblem('There is more than one Host header.', '#/header/Host');
  return HOST.test(host) ? null : invalidProblem('The Host header is no host.', '#/header/Host');
}
