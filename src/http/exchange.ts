import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Caller } from '../domain/roles.ts';

/** Route label of requests that match no endpoint. */
export const UNMATCHED = '* unmatched';

/**
 * One request and its answer. The server makes these instead of plain responses, so that what we note about a request
 * costs no object and no look-up of its own. Only fields, no methods: the Express app under swagger-ui swaps the
 * prototype.
 */
export class Exchange extends ServerResponse {
  requestId = '';
  /** Method and path template of the endpoint: the label in metrics. */
  route = UNMATCHED;
  /** Epoch ms of arrival; and the same moment, like `dueAt`, in ms of the monotonic clock. */
  arrivedAt = 0;
  startedAt = 0;
  /** Epoch ms by which an answer is due: what handlers are told. */
  deadline = 0;
  /** By when something must happen: an answer, or once it has begun, progress in sending it. */
  dueAt = Infinity;
  /** An answer has been chosen, or nobody waits for one any more: later results are dropped. */
  settled = false;
  /** The request has a body, and bytes of it may still be on the way. */
  hasBody = false;
  /** The body is being received: if that takes too long, it is the client's fault. */
  readingBody = false;
  /** The client waits for `100 Continue` before it sends the body. */
  awaitsContinue = false;
  /** It sent an `Expect` other than that. */
  unmetExpectation = false;
  /** Problems other than 401 and 403 are told as 400 text/plain `Failed` (CDN upload). */
  failsAsText = false;
  caller: Caller | null = null;
  remoteAddress: string | undefined = undefined;
  /** `Access-Control-Allow-Origin` of the answer; null: none. */
  allowOrigin: string | null = null;
  /** `Cache-Control` of the answer, unless it has its own; null: none. */
  cacheControl: string | null = 'no-store';
  /** Bytes of the answer's body so far. */
  bytes = 0;
}

/** Path of the request, without its query: what problems name as their instance. */
export function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
