import type { Exchange } from './exchange.ts';
import { Problem, unavailableProblem } from './problems.ts';
import { sendError, type ErrorLog } from './respond.ts';

/** Called once per response: method and path template of the endpoint, status, seconds. */
export type ObserveRequest = (route: string, status: number, seconds: number) => void;

/** The log of the HTTP layer; a pino logger fits. */
export interface RequestLog extends ErrorLog {
  info(fields: object, message: string): void;
}

/** How often, in ms, overdue requests are looked for: one timer for all of them. */
const CHECK_EVERY_MS = 200;

/** Status in log and metrics of requests whose client left before the response, as in nginx; never sent. */
const CLIENT_GONE_STATUS = 499;

/** The requests in flight: ends those that are overdue or whose key was revoked, and logs each one at its end. */
export class InFlightRequests {
  readonly #open = new Set<Exchange>();
  readonly #log: RequestLog;
  readonly #observe: ObserveRequest;
  readonly #timer: NodeJS.Timeout;
  readonly #closed: (this: Exchange) => void;

  constructor(log: RequestLog, observe: ObserveRequest) {
    this.#log = log;
    this.#observe = observe;
    this.#timer = setInterval(() => {
      this.#endOverdue();
    }, CHECK_EVERY_MS).unref();
    const finish = (exchange: Exchange) => {
      this.#finish(exchange);
    };
    this.#closed = function closed() {
      finish(this);
    };
  }

  add(exchange: Exchange): void {
    this.#open.add(exchange);
    exchange.on('close', this.#closed);
  }

  /** Answers every request with a key 401, or cuts off the response that is being sent. */
  rejectKey(apiKeyId: string): void {
    for (const exchange of this.#open) {
      if (exchange.caller?.apiKeyId !== apiKeyId) continue;
      if (exchange.settled) {
        if (!exchange.writableEnded) exchange.req.socket.destroy();
      } else sendError(exchange, unauthenticatedProblem(), this.#log);
    }
  }

  /** The request that is arriving on a connection, or else the last one whose response is not finished. */
  requestOn(socket: object): Exchange | undefined {
    let last: Exchange | undefined;
    for (const exchange of this.#open) if (exchange.req.socket === socket) last = exchange;
    return last;
  }

  /** Makes every response that has not begun close its connection. */
  stopKeepAlive(): void {
    for (const exchange of this.#open) exchange.shouldKeepAlive = false;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #endOverdue(): void {
    const now = performance.now();
    for (const exchange of this.#open) {
      if (exchange.dueAt > now) continue;
      // A pipelined request whose turn never came emits no 'close'.
      if (exchange.req.socket.destroyed) this.#finish(exchange);
      else if (exchange.settled) exchange.req.socket.destroy();
      else sendError(exchange, overdueProblem(exchange), this.#log);
    }
  }

  #finish(exchange: Exchange): void {
    if (!this.#open.delete(exchange)) return;
    exchange.settled = true;
    const milliseconds = performance.now() - exchange.startedAt;
    const status = exchange.headersSent ? exchange.statusCode : CLIENT_GONE_STATUS;
    this.#observe(exchange.route, status, milliseconds / 1000);
    this.#log.info(
      {
        requestId: exchange.requestId,
        method: exchange.req.method,
        route: exchange.route,
        status,
        ms: Math.round(milliseconds * 100) / 100,
        bytes: exchange.bytes || Number(exchange.getHeader('Content-Length') ?? 0),
        apiKeyId: exchange.caller?.apiKeyId,
        remoteAddress: exchange.remoteAddress,
      },
      exchange.writableFinished ? 'Request answered' : 'Request not answered to its end: the connection was cut',
    );
  }
}

/** Problem 401, with the authentication scheme. */
export function unauthenticatedProblem(): Problem {
  return new Problem('UNAUTHENTICATED', 'Send a valid key in the header X-API-Key.', {
    headers: { 'WWW-Authenticate': 'ApiKey realm="sim-racing-timing", header="X-API-Key"' },
  });
}

function overdueProblem(exchange: Exchange): Problem {
  if (exchange.readingBody) return new Problem('REQUEST_TIMEOUT', 'The body did not arrive in time.');
  return unavailableProblem('The request could not be answered in time. What it asked for may still happen.');
}
