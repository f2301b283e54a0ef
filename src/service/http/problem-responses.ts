import type { Response } from 'express';
import { UPLOAD_PROBLEMS, type Headers } from './endpoint.ts';
import { ClientGone, problemDocument, toProblem, type Problem } from './problems.ts';
import { UNMATCHED } from './request-counts.ts';
import { sendBuffered, TEXT_TYPE } from './responses/buffered.ts';

/** The log of requests. */
export type RequestLog = Readonly<Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>>;

/** Sends an error as a problem, unless a response was chosen before. Unforeseen errors are logged in any case. */
export function sendError(res: Response, error: unknown, log: RequestLog): void {
  if (error instanceof ClientGone) {
    res.settled = true;
    return;
  }
  const problem = toProblem(error);
  if (problem.code === 'INTERNAL') {
    const fields = { err: error, requestId: res.requestId, route: res.endpoint?.name ?? UNMATCHED };
    log.error(fields, 'A request failed for a reason that was not foreseen');
  }
  sendProblem(res, problem);
}

/**
 * Sends a problem document (RFC 9457), or `Failed` for an upload (docs/interface.md#uploaded-files; those of
 * `UPLOAD_PROBLEMS` stay problems): with 400, or with 503 and `Retry-After` when a store is unavailable, as the same upload
 * may then succeed a little later.
 */
export function sendProblem(res: Response, problem: Problem): void {
  if (res.settled) return;
  const { status, headers } = problem;
  if (res.endpoint?.failsAsText === true && !UPLOAD_PROBLEMS.includes(status)) {
    if (problem.code === 'UNAVAILABLE') sendFailed(res, 503, headers);
    else sendFailed(res, 400);
    return;
  }
  const body = JSON.stringify(problemDocument(problem, pathOf(res.req)));
  const ofProblem = { ...headers, 'Cache-Control': 'no-store' };
  sendBuffered(res, { status, contentType: 'application/problem+json', body, headers: ofProblem });
}

function sendFailed(res: Response, status: number, headers?: Headers): void {
  sendBuffered(res, { status, contentType: TEXT_TYPE, body: 'Failed', headers });
}

/** Path of the request without its query; the `instance` of problems. Routers cut `req.url`, and it may be no path. */
export function pathOf({ originalUrl, url }: Response['req']): string {
  const whole = originalUrl === '' ? url : originalUrl;
  const end = whole.indexOf('?');
  return end < 0 ? whole : whole.slice(0, end);
}
