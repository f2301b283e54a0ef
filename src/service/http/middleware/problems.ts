import type { ErrorRequestHandler } from 'express';
import { sendError, type RequestLog } from '../problem-responses.ts';
import { invalidProblem } from '../problems.ts';
import { sendNothing, type NotFoundPage } from './not-found.ts';

/**
 * Answers whatever was thrown as problem+json (RFC 9457). `http-errors` has neither codes of its own, nor pointers into the
 * request, nor headers by code.
 */
export function problems(log: RequestLog, notFoundPage: NotFoundPage): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    if (isBadEncoding(error)) {
      sendNothing(req, res, invalidProblem('The path has a bad percent-encoding.', '#/path'), notFoundPage);
    } else {
      sendError(res, error, log);
    }
  };
}

/** Whether Express could not decode a parameter of a path; it gives such an error the status of its answer. */
function isBadEncoding(error: unknown): boolean {
  return error instanceof URIError && 'status' in error;
}
