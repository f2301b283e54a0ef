import type { RequestHandler } from 'express';
import type { Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../event-stream.ts';
import { ParsedRequest } from '../parameters.ts';
import type { Send } from '../responses/send.ts';

/** Lets the endpoint answer, and sends that. */
export function handle(row: Endpoint, eventStreams: EventStreams, send: Send): RequestHandler {
  return async (_req, res) => {
    // The key may have been revoked, the deadline passed or the client left while the body arrived.
    if (res.settled || res.head === null) return;
    if (row.events !== undefined) eventStreams.begin(res, row.isReplay?.(res.head.query) === true);
    if (row.cost) res.client?.consume(row.cost(res.sent.body) - 1, res.keyAccounts);
    const answer = await row.handle(new ParsedRequest(res, res.head, res.sent), res.file);
    await send(res, answer);
  };
}

/** Lets an upload be answered, and keeps its file until the response has been sent. */
export function handleUpload(row: Endpoint, eventStreams: EventStreams, send: Send): RequestHandler {
  const answer = handle(row, eventStreams, send);
  return async (req, res, next) => {
    try {
      await answer(req, res, next);
    } finally {
      await res.file?.release();
    }
  };
}
