import type { RequestHandler, Response } from 'express';
import type { Endpoint } from '../endpoint.ts';
import type { EventStreams } from '../event-stream.ts';
import { ParsedRequest, type RequestHead } from '../parameters.ts';
import type { Send } from '../responses/send.ts';

/**
 * Lets the endpoint answer. Awaits only promises: each needless await costs a request about 2 % of its CPU.
 */
export function handle(row: Endpoint, eventStreams: EventStreams, send: Send): RequestHandler {
  const answer = async (res: Response, head: RequestHead): Promise<void> => {
    if (row.events !== undefined) eventStreams.begin(res, row.isReplay?.(head.query) === true);
    if (row.cost) res.client?.consume(row.cost(res.sent.body) - 1, res.keyAccounts);
    const answered = row.handle(new ParsedRequest(res, head, res.sent), res.file);
    const sending = send(res, answered instanceof Promise ? await answered : answered);
    if (sending !== null) await sending;
  };
  return async (_req, res) => {
    try {
      // The key may have been revoked, the deadline passed or the client left while the body arrived.
      if (!res.settled && res.head !== null) await answer(res, res.head);
    } finally {
      if (res.file !== undefined) await res.file.release();
    }
  };
}
