import type { RequestHandler } from 'express';
import type { Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../event-stream.ts';
import { ParsedRequest } from '../parameters.ts';
import type { Send } from '../responses/send.ts';

/** Lets the endpoint answer, and sends that. */
export function handle(endpoint: Endpoint, eventStreams: EventStreams, send: Send): RequestHandler {
  return async (_req, res) => {
    // The key may have been revoked, the deadline passed or the client left while the body arrived.
    if (res.settled || res.head === null) return;
    if (endpoint.events !== undefined) eventStreams.begin(res, endpoint.isReplay?.(res.head.query) === true);
    if (endpoint.cost) res.client?.consume(endpoint.cost(res.sent.body) - 1, res.keyAccounts);
    const answer = await endpoint.handle(new ParsedRequest(res, res.head, res.sent), res.file);
    await send(res, answer);
  };
}

/** Lets an upload be answered, and keeps its file until the response has been sent. */
export function handleUpload(endpoint: Endpoint, eventStreams: EventStreams, send: Send): RequestHandler {
  const answer = handle(endpoint, eventStreams, send);
  return async (req, res, next) => {
    try {
      await answer(req, res, next);
    } finally {
      await res.file?.release();
    }
  };
}
