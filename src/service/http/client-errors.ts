/**
 * Answers to what is no HTTP. There is no request and no response for Express then, and Node's own answer has neither our
 * headers nor a problem document.
 */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { BROWSER_HEADERS } from './middleware/standard-headers.ts';
import type { OpenRequests } from './open-requests.ts';
import { sendProblem, type RequestLog } from './problem-responses.ts';
import { problemDocument, Problem, type ProblemCode } from './problems.ts';
import { UNMATCHED, type SeriesOf } from './request-counts.ts';

/** Time, in ms, that a client has to read why its request was refused, before the connection is reset. */
const LINGER_MS = 2_000;

/** Creates the listener of the server's `clientError`: requests that are not valid HTTP or take too long to arrive. */
export function createClientErrorHandler(log: RequestLog, seriesOf: SeriesOf, openRequests: OpenRequests) {
  const refused = new WeakSet<Duplex>();
  return (error: Error, socket: Duplex): void => {
    if (refused.has(socket)) return;
    if (!socket.writable || codeOf(error) === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    refused.add(socket);
    const problem = new Problem(...(BY_CODE[codeOf(error)] ?? NO_HTTP));
    const current = openRequests.requestOn(socket);
    if (current && (current.req.complete || current.settled)) {
      // The response before is not finished; what came after it is lost with the connection.
      current.shouldKeepAlive = false;
      if (current.settled) linger(socket);
    } else if (current) {
      current.shouldKeepAlive = false;
      current.bodyIsBroken = true;
      sendProblem(current, problem);
    } else {
      const requestId = randomUUID();
      log.info(
        { requestId, route: UNMATCHED, status: problem.status, err: error.message },
        'A request was refused before it was read: it is no valid HTTP',
      );
      seriesOf(UNMATCHED).count(problem.status, 0, { isReplay: false, caller: null });
      socket.write(rawResponse(problem, requestId));
      linger(socket);
    }
  };
}

/** Ends our side; what the client still sends is discarded for a while, as a reset could destroy the response. */
function linger(socket: Duplex): void {
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The problems by the codes of Node's errors; all others are no HTTP. */
const BY_CODE: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request did not arrive in time.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['CONTENT_TOO_LARGE', 'Chunk extensions are too large.'],
};
const NO_HTTP = ['INVALID', 'This is not valid HTTP.'] as const;

const BROWSER_LINES = BROWSER_HEADERS.flatMap((name, n) =>
  n % 2 === 0 ? `${name}: ${BROWSER_HEADERS[n + 1] ?? ''}` : [],
);

/** Text of a whole response: without a request there is no response object. */
function rawResponse(problem: Problem, requestId: string): string {
  const body = JSON.stringify(problemDocument(problem, '/'));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'API-Version: 1.0',
    `X-Request-Id: ${requestId}`,
    ...BROWSER_LINES,
    'Cache-Control: no-store',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
