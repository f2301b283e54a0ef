import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Caller } from '../domain/roles.ts';

/** Route label of requests that match no endpoint. */
export const UNMATCHED = '* unmatched';

/**
 * One request and its response. The server makes these instead of plain responses, so that what is recorded of a
 * request costs no further object and no look-up. Only fields, no methods: the Express app of swagger-ui swaps the
 * prototype.
 */
export class Exchange extends ServerResponse {
  requestId = '';
  /** Method and path template of the endpoint: the label in metrics. */
  route = UNMATCHED;
  /** When the request arrived: in epoch ms; and, like `dueAt`, in ms of the monotonic clock. */
  arrivedAt = 0;
  startedAt = 0;
  /** When the response is due, epoch ms, as handlers see it. */
  deadline = 0;
  /** When the next step is due: the response or, once that has begun, progress in sending it. */
  dueAt = Infinity;
  /** A response has been chosen, or nobody waits for one any more: later results are discarded. */
  settled = false;
  /** The request has a body, and bytes of it may still be on the way. */
  hasBody = false;
  /** The body is being read: if that takes too long, it is the client's fault. */
  readingBody = false;
  /** The client waits for `100 Continue` before it sends the body. */
  awaitsContinue = false;
  /** The client sent an `Expect` other than that. */
  unmetExpectation = false;
  /** Problems other than 401 and 403 are sent as 400 text/plain `Failed` (CDN upload). */
  failsAsText = false;
  caller: Caller | null = null;
  remoteAddress: string | undefined = undefined;
  /** `Access-Control-Allow-Origin` of the response; null: none. */
  allowOrigin: string | null = null;
  /** `Cache-Control` of the response, unless it has its own; null: none. */
  cacheControl: string | null = 'no-store';
  /** Bytes of the response's body so far. */
  bytes = 0;
}

/** Path of the request without its query; the `instance` of problems. */
export function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
