import type { RequestHandler } from 'express';
import { sendProblem } from '../problem-responses.ts';

/**
 * Counts the request for its address: 429 where there were too many, answered here, as an error would go past all routes
 * first. What counts is in `clients.ts`.
 */
export const quota: RequestHandler = (_req, res, next) => {
  const problem = res.client?.consumeRequest() ?? null;
  if (problem === null) next();
  else sendProblem(res, problem);
};
