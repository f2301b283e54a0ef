import type { RequestHandler, Response } from 'express';
import type { Caller } from '../../../domain/roles.ts';
import type { Endpoint } from '../endpoint.ts';
import { unauthenticatedProblem } from '../problems.ts';

/** Authenticator: finds the caller of a token. Implemented by `src/service/access`. */
export interface Authenticator {
  /**
   * The caller behind a token, or null when it is unknown, revoked, or of a disabled or expired licence. Returns no
   * promise whenever it can: a promise costs every request. May throw {StoreUnavailable}.
   */
  authenticate(token: string): Caller | null | Promise<Caller | null>;
  /** Calls `listener` with each key that has changed and which of its tokens have ended, as soon as this process knows. */
  onInvalid(listener: (apiKeyId: string, hasEnded: (token: string) => boolean) => void): void;
}

/**
 * Finds the caller behind `X-API-Key`. Without a valid key, the caller is anonymous on public endpoints; others answer 401.
 * We do not use Passport: it would only wrap this call, and add the handling of sessions.
 */
export function authenticate(endpoint: Endpoint, authenticator: Authenticator): RequestHandler {
  const isPublic = endpoint.access === 'public';
  return (req, res, next) => {
    const token = req.headers['x-api-key'];
    if (typeof token !== 'string' || token === '') {
      if (!isPublic) throw unauthenticatedProblem();
      next();
      return;
    }
    const found = authenticator.authenticate(token);
    if (!(found instanceof Promise)) {
      res.caller = countKey(res, isPublic, found);
      next();
    } else if (endpoint.keyless === true) {
      // Not awaited: health is asked for just when a store is away.
      found.catch(() => undefined);
      res.caller = countKey(res, isPublic, null);
      next();
    } else {
      found
        .then((caller) => {
          res.caller = countKey(res, isPublic, caller);
        })
        .then(() => next(), next);
    }
  };
}

/**
 * Counts the request for its key. Where no key is needed, one that is not looked at any more counts as none.
 * @throws {Problem} 429
 */
function countKey(res: Response, isPublic: boolean, caller: Caller | null): Caller | null {
  const { client } = res;
  if (client === null) return caller;
  const problem = client.consumeKey(caller === null ? null : caller.apiKeyId);
  if (problem !== null && isPublic) return null;
  if (problem !== null) throw problem;
  if (caller !== null) res.keyAccounts = client.consumeKeyRequest(caller.apiKeyId);
  return caller;
}
