import type { RequestHandler } from 'express';
import type { Caller } from '../../../domain/roles.ts';
import type { Endpoint } from '../endpoint.ts';

/** What admits callers (null: no valid key) to an endpoint. It throws a {Problem}: 401, 403. */
export type Admission = (endpoint: Endpoint) => (caller: Caller | null) => void;

/** Admits callers by their role: 401, 403. Whose resource it is, the command handler asks once it has been loaded. */
export function admit(endpoint: Endpoint, admission: Admission): RequestHandler {
  const admitCaller = admission(endpoint);
  return (_req, res, next) => {
    admitCaller(res.caller);
    next();
  };
}
