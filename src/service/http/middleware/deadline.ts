import type { RequestHandler } from 'express';
import type { OpenRequests } from '../open-requests.ts';

/**
 * Notes when the request has arrived and when its response is due: `OpenRequests` answers those that are overdue.
 * @param deadlineMs time from the arrival to the response
 */
export function deadline(openRequests: OpenRequests, deadlineMs: number): RequestHandler {
  return (_req, res, next) => {
    // Too many wait on its connection, which is closed.
    if (!openRequests.add(res)) return;
    res.arrivedAt = Date.now();
    res.startedAt = performance.now();
    res.deadline = res.arrivedAt + deadlineMs;
    res.dueAt = res.startedAt + deadlineMs;
    next();
  };
}
