import type { RequestHandler } from 'express';
import type { Caller } from '../../../domain/roles.ts';
import type { Endpoint } from '../endpoint.ts';

/** Function that throws a {Problem}, 401 or 403, unless the caller (null: no valid key) may use the endpoint. */
export type Admission = (endpoint: Endpoint) => (caller: Caller | null) => void;

/** Admits callers by their role: 401, 403. Whose resource it is, the command handler asks once it has been loaded. */
export function admit(endpoint: Endpoint, admission: Admission): RequestHandler {
  const admitCaller = admission(endpoint);
  return (_req, res, next) => {
    admitCaller(res.caller);
    next();
  };
}
