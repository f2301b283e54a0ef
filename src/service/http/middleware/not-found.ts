import type { Request, RequestHandler, Response } from 'express';
import { qualitiesOf } from '../compression.ts';
import type { EndpointResponse } from '../endpoint.ts';
import { isRead } from '../etags.ts';
import { pathOf, sendProblem } from '../problem-responses.ts';
import { Problem } from '../problems.ts';
import { bufferedResponse, JSON_TYPE, sendBuffered } from '../responses/buffered.ts';

/** The page that browsers get where there is nothing; null: a problem document, as all other clients get. */
export type NotFoundPage = Extract<EndpointResponse, { kind: 'text' }> | null;

/** Answers at a path where there is nothing. */
export function notFound(page: NotFoundPage): RequestHandler {
  return (req, res) => {
    sendNothing(req, res, new Problem('NOT_FOUND', 'There is nothing at this path.'), page);
  };
}

/** Says that there is nothing: to browsers on a page, to all others by a problem. */
export function sendNothing(req: Request, res: Response, problem: Problem, page: NotFoundPage): void {
  if (page !== null && asksForPage(req)) sendBuffered(res, bufferedResponse(page));
  else sendProblem(res, problem);
}

/** Paths of programs: what is not there is a problem document, whoever asks. */
const PROGRAM_PATHS = /^\/(?:api|actuator)(?:\/|$)/;

/**
 * Whether a browser asks for a page: it names HTML, and likes no JSON better. `req.accepts` would take the wildcards of
 * programs for a wish for HTML.
 */
function asksForPage(req: Request): boolean {
  if (!isRead(req) || PROGRAM_PATHS.test(pathOf(req))) return false;
  const asked = qualitiesOf(req.headers.accept ?? '');
  const json = Math.max(asked.get(JSON_TYPE) ?? 0, asked.get('application/problem+json') ?? 0);
  const html = asked.get('text/html') ?? 0;
  return html > 0 && html >= json;
}
