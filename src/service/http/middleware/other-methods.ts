import type { RequestHandler } from 'express';
import type { Endpoint } from '../endpoint.ts';
import { Problem } from '../problems.ts';
import { sendEmpty } from '../responses/buffered.ts';
import { addPreflightHeaders } from './cors.ts';

/** Answers OPTIONS, and 405 to methods that a path does not take. Express answers OPTIONS with a body, and 404 for 405. */
export function otherMethods(endpoints: readonly Endpoint[]): RequestHandler {
  const methods = endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const Allow = [...methods, 'OPTIONS'].join(', ');
  return (req, res) => {
    if (req.method !== 'OPTIONS')
      throw new Problem('METHOD_NOT_ALLOWED', `This takes ${Allow}.`, { headers: { Allow } });
    addPreflightHeaders(res, Allow);
    sendEmpty(res, 204, { Allow });
  };
}
