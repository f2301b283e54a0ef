import type { RequestHandler, Response } from 'express';

/** Response headers that scripts of other origins may read, and request headers that they may send. */
const EXPOSED_HEADERS =
  'ETag, Location, X-Request-Id, API-Version, RateLimit, RateLimit-Policy, Retry-After, Idempotency-Replayed, ' +
  'Existing-Resource';
const ALLOWED_HEADERS =
  'Content-Type, X-API-Key, X-Request-Id, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer';
const PREFLIGHT_SECONDS = '600';

/**
 * Lets browsers call from these origins, or from all (`*`); none: no headers. The package `cors` answers preflights before
 * it is known which methods a path has, and sets `Vary` only where the origin is allowed.
 */
export function cors(origins: readonly string[] | '*'): RequestHandler {
  const varies = origins !== '*' && origins.length > 0;
  return (req, res, next) => {
    // Also on responses without Allow-Origin: a cache would send them to other origins.
    if (varies) res.vary('Origin');
    const { origin } = req.headers;
    if (origin !== undefined && (origins === '*' || origins.includes(origin))) {
      res.allowsOrigin = true;
      res.append('Access-Control-Allow-Origin', origins === '*' ? '*' : origin);
      res.append('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    }
    next();
  };
}

/** Adds the headers of an answer to a preflight: the methods of its path. */
export function addPreflightHeaders(res: Response, methods: string): void {
  if (!res.allowsOrigin || res.req.headers['access-control-request-method'] === undefined) return;
  res.append('Access-Control-Allow-Methods', methods);
  res.append('Access-Control-Allow-Headers', ALLOWED_HEADERS);
  res.append('Access-Control-Max-Age', PREFLIGHT_SECONDS);
}
