import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { giveWay } from '../../domain/give-way.ts';
import { withoutTokens } from '../../domain/secrets.ts';
import { clientName, isPassedOn } from './client-address.ts';
import type { Clients } from './clients.ts';
import { FairQueue } from './fair-queue.ts';
import type { RequestServices } from './handle-request.ts';
import { invalidProblem, Problem, unauthenticatedProblem, unavailableProblem } from './problems.ts';
import { abandon, endAnswered, sendError, sendProblem } from './respond.ts';
import type { Exchange, RequestHandler } from './respond.ts';

export interface InFlightOptions extends Pick<RequestServices, 'log' | 'seriesOf' | 'limits'> {
  /** Origins that browsers may call from, or `*`; none: no CORS headers. */
  readonly corsOrigins: readonly string[] | '*';
  readonly clients: Clients;
}

/** How often, in ms, overdue requests are looked for: one timer for all of them. */
const CHECK_EVERY_MS = 200;

/** How often, in ms, idle connections are looked for while the server closes. */
const IDLE_CHECK_MS = 50;

/** Most headers of a request. Node would silently leave out those past its own limit. */
const MAX_HEADERS = 100;

/** Status in log and metrics of requests whose client left before the response, as in nginx; never sent. */
const CLIENT_GONE_STATUS = 499;

/** Most pipelined requests that wait on a connection; one with more is closed. Each is worked for at once. */
const MAX_PIPELINED = 32;

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/**
 * Time, in ms, that reads get in a turn of the event loop. A lap needs some ten turns for its locks and transactions: with
 * 200 reads of 1 ms in each of them, it would wait for two seconds.
 */
const READS_MS = 10;

/** The requests in flight: begins each, ends those that are overdue or whose key was revoked, logs and counts them. */
export class InFlightRequests {
  readonly #options: InFlightOptions;
  readonly #open = new Set<Exchange>();
  /** Those of them that arrived while an earlier one of their connection was being answered, by connection. */
  readonly #pipelined = new Map<Duplex, Set<Exchange>>();
  readonly #connections = new Set<Duplex>();
  readonly #readTurns = createReadTurns();
  readonly #timer: NodeJS.Timeout;
  #draining = false;

  constructor(options: InFlightOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#endOverdue(), CHECK_EVERY_MS).unref();
  }

  /** The listener of a server: begins each exchange, and hands it on unless it was refused. */
  listener(handle: RequestHandler): RequestHandler {
    return (request, exchange) => {
      // Without a socket, it waits behind another one.
      if (exchange.socket === null && !this.#queuePipelined(request.socket, exchange)) return;
      this.#begin(request, exchange);
      const problem = exchange.client?.consumeRequest() ?? problemOf(request, exchange);
      if (problem !== null) sendProblem(exchange, problem);
      // The first read of a connection waits, so that a client that has left meanwhile costs next to nothing: of
      // connections, one is accepted in each turn of the event loop.
      else if (exchange.isRead && (request.socket.bytesWritten === 0 || !this.#readTurns.isFree(exchange.startedAt)))
        this.#readTurns.add(clientName(exchange.remoteAddress), () => {
          if (!exchange.settled) handle(request, exchange);
        });
      else handle(request, exchange);
    };
  }

  connected(socket: Duplex): void {
    this.#connections.add(socket);
    socket.once('close', () => {
      this.#connections.delete(socket);
      // Node does not report the end of a connection to pipelined requests whose turn never came.
      for (const exchange of this.#pipelined.get(socket) ?? []) exchange.destroy().emit('close');
      this.#pipelined.delete(socket);
    });
  }

  /** Answers every request with a token of a key that has ended 401, or cuts off the response that is being sent. */
  rejectKey(apiKeyId: string, hasEnded: (token: string) => boolean): void {
    endAnswered();
    for (const exchange of this.#open) {
      if (exchange.caller?.apiKeyId !== apiKeyId || exchange.revokesOwnKey) continue;
      if (!hasEnded(String(exchange.req.headers['x-api-key']))) continue;
      if (exchange.settled) {
        if (!exchange.writableEnded) exchange.req.socket.destroy();
      } else sendError(exchange, unauthenticatedProblem(), this.#options.log);
      abandon(exchange);
    }
  }

  /** The request that is arriving on a connection, or else the last one whose response is not finished. */
  requestOn(socket: Duplex): Exchange | undefined {
    let last: Exchange | undefined;
    for (const exchange of this.#open) if (exchange.req.socket === socket) last = exchange;
    return last;
  }

  /** Makes each connection close with its next response; returns how to stop all this. */
  drain(): () => void {
    this.#draining = true;
    for (const exchange of this.#open) exchange.shouldKeepAlive = false;
    // Connections whose response had begun become idle only later, and Node does not count those without any request so
    // far as idle.
    const timer = setInterval(() => {
      const busy = new Set(Array.from(this.#open, ({ req }): Duplex => req.socket));
      for (const connection of this.#connections) if (!busy.has(connection)) connection.destroy();
    }, IDLE_CHECK_MS);
    return () => {
      clearInterval(timer);
      clearInterval(this.#timer);
    };
  }

  #begin(request: IncomingMessage, exchange: Exchange): void {
    const { headers, socket } = request;
    const { clients, corsOrigins, limits } = this.#options;
    exchange.requestId = requestIdOf(headers['x-request-id']);
    exchange.arrivedAt = Date.now();
    exchange.deadline = exchange.arrivedAt + limits.requestDeadlineMs;
    exchange.startedAt = performance.now();
    exchange.dueAt = exchange.startedAt + limits.requestDeadlineMs;
    exchange.isRead = request.method === 'GET' || request.method === 'HEAD';
    // RFC 9112 §6.3
    exchange.hasBody = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
    const peer = clients.peers.get(socket) ?? clients.peerOf(socket);
    const passesOn = (peer.isProxy || peer.client === null) && isPassedOn(headers);
    const { address, client } = passesOn ? clients.behind(peer, headers) : peer;
    exchange.remoteAddress = address;
    exchange.client = client;
    if (headers.origin !== undefined) exchange.allowOrigin = allowedOrigin(corsOrigins, headers.origin);
    exchange.variesByOrigin = corsOrigins !== '*' && corsOrigins.length > 0;
    if (this.#draining) exchange.shouldKeepAlive = false;
    this.#open.add(exchange);
    exchange.on('close', () => this.#finish(exchange));
  }

  /** False: too many wait on the connection, which is closed. */
  #queuePipelined(socket: Duplex, exchange: Exchange): boolean {
    const waiting = this.#pipelined.get(socket) ?? new Set();
    if (waiting.size >= MAX_PIPELINED) {
      socket.destroy();
      return false;
    }
    this.#pipelined.set(socket, waiting.add(exchange));
    return true;
  }

  #endOverdue(): void {
    const now = performance.now();
    for (const exchange of this.#open) {
      if (exchange.dueAt > now) continue;
      if (exchange.settled) exchange.req.socket.destroy();
      else {
        sendError(exchange, overdueProblem(exchange), this.#options.log);
        abandon(exchange);
      }
    }
  }

  #finish(exchange: Exchange): void {
    if (!this.#open.delete(exchange)) return;
    this.#pipelined.get(exchange.req.socket)?.delete(exchange);
    exchange.settled = true;
    if (!exchange.writableFinished) abandon(exchange);
    const milliseconds = performance.now() - exchange.startedAt;
    const status = exchange.headersSent ? exchange.statusCode : CLIENT_GONE_STATUS;
    // How long readers stay says nothing of how quickly they were answered.
    const answered = exchange.streamingSince === 0 ? milliseconds : exchange.streamingSince - exchange.startedAt;
    const series = exchange.series ?? this.#options.seriesOf(exchange.route);
    series.count(status, answered / 1000, exchange);
    this.#options.log.info(
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

/** What reads may take of a turn of the event loop. Later ones wait in fair turns per address; writes never wait. */
export function createReadTurns() {
  const queue = new FairQueue<() => void>();
  /** Until when, by the monotonic clock, reads of this turn need not wait; null: none has arrived in it. */
  let freeUntil: number | null = null;
  const begin = (now: number): number => {
    setImmediate(endTurn);
    return (freeUntil = now + READS_MS);
  };
  const endTurn = (): void => {
    freeUntil = null;
    if (queue.length > 0) void runWaiting();
  };
  /** Runs what waits; whatever arrives meanwhile waits behind it. */
  const runWaiting = async (): Promise<void> => {
    freeUntil = -Infinity;
    while (queue.length > 0) {
      await giveWay();
      const endsAt = performance.now() + READS_MS;
      while (queue.length > 0 && performance.now() < endsAt) {
        queue.take()?.();
        // What it does without waiting for anything counts.
        await new Promise<void>((resolve) => process.nextTick(resolve));
      }
    }
    freeUntil = null;
  };
  return {
    isFree: (now: number): boolean => now < (freeUntil ?? begin(now)),
    /** Runs a read of an address when its turn has come, which is never this one. */
    add(address: string, read: () => void): void {
      queue.add(address, read);
      if (freeUntil === null) begin(performance.now());
    },
  };
}

/** The client's `X-Request-Id` if it is sane and holds no token, as it is stored with the events; else a new UUID. */
function requestIdOf(header: string | readonly string[] | undefined): string {
  const isSane = typeof header === 'string' && REQUEST_ID.test(header) && withoutTokens(header) === header;
  return isSane ? header : randomUUID();
}

function allowedOrigin(allowed: readonly string[] | '*', origin: string): string | null {
  if (allowed === '*') return '*';
  return allowed.includes(origin) ? origin : null;
}

function problemOf({ rawHeaders, headers, httpVersion }: IncomingMessage, exchange: Exchange): Problem | null {
  if (exchange.unmetExpectation) return new Problem('EXPECTATION_FAILED', 'Only 100-continue can be expected.');
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return new Problem('HEADERS_TOO_LARGE', `A request may have ${MAX_HEADERS} headers at most.`);
  const problem =
    httpVersion === '1.1' || httpVersion === '1.0'
      ? hostProblem(rawHeaders, headers.host, httpVersion)
      : new Problem('INVALID', 'Only HTTP/1.1 and HTTP/1.0 are spoken here.');
  // What follows may not be what it seems.
  if (problem !== null) exchange.shouldKeepAlive = false;
  return problem;
}

/** A name or an address, and maybe a port (RFC 9112 §3.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d{0,5})?$/i;

/** Servers that take different ones of two `Host` headers would take a request for different sites. */
function hostProblem(rawHeaders: readonly string[], host: string | undefined, httpVersion: string): Problem | null {
  if (host === undefined) {
    return httpVersion === '1.1' ? invalidProblem('The Host header is missing.', '#/header/Host') : null;
  }
  let count = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? '';
    if (name.length === 'host'.length && name.toLowerCase() === 'host') count += 1;
  }
  if (count > 1) return invalidProblem('There is more than one Host header.', '#/header/Host');
  return HOST.test(host) ? null : invalidProblem('The Host header is no host.', '#/header/Host');
}

function overdueProblem(exchange: Exchange): Problem {
  if (exchange.readingBody) return new Problem('REQUEST_TIMEOUT', 'The body did not arrive in time.');
  return unavailableProblem('The request could not be answered in time. What it asked for may still happen.');
}
