import { createServer, type IncomingMessage, type Server as PlainServer } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createClientErrorHandler } from './client-errors.ts';
import { Clients, type ClientLimits } from './clients.ts';
import type { Endpoint } from './endpoint.ts';
import { EventStreams } from './event-stream.ts';
import { abandon, Exchange, sendProblem, sendError, type RequestLog } from './respond.ts';
import { createDocument, documentEndpoint } from './openapi.ts';
import { invalidProblem, Problem, unauthenticatedProblem, unavailableProblem } from './problems.ts';
import { hasBody, requestIdOf } from './parameters.ts';
import { createRouting, type RequestServices } from './handle-request.ts';
import { UPLOAD_MS } from './upload.ts';

/** Options of the HTTP server. */
export interface HttpServerOptions extends Omit<RequestServices, 'eventStreams'> {
  readonly endpoints: readonly Endpoint[];
  /** Endpoints that are no part of the interface, and so not in its document: pages for people. */
  readonly pages?: readonly Endpoint[];
  /** What one client may use, and how many connections there may be of all of them; 0: as many as come. */
  readonly clients: ClientLimits & { readonly allConnections: number };
  /** Origins that browsers may call from, or `*`; none: no CORS headers. */
  readonly corsOrigins: readonly string[] | '*';
  /** Certificate and key (PEM) for https; null: http. */
  readonly tls: { readonly cert: string | Buffer; readonly key: string | Buffer } | null;
  /**
   * Called once per response with `GET /api/v1/laps/{lapId}` (or `* unmatched`), the status and the seconds it took.
   */
  readonly observeRequest: (route: string, status: number, seconds: number) => void;
}

type Server = PlainServer<typeof IncomingMessage, typeof Exchange> | TlsServer<typeof IncomingMessage, typeof Exchange>;

/** The HTTP server of an endpoint table. */
export interface HttpServer {
  /** The server, not yet listening. */
  readonly server: Server;
  /** The OpenAPI document. */
  readonly document: object;
  readonly eventStreams: EventStreams;
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Stops accepting, lets requests in flight finish (with `Connection: close`) and destroys the remaining connections
   * after `graceMs`.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Limits of time, in ms, and size, in bytes, of an arriving request, against clients that send slowly or without end.
 */
const SERVER_LIMITS = {
  headersTimeout: 15_000,
  requestTimeout: UPLOAD_MS,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  insecureHTTPParser: false,
  // Node's own refusal would lack our headers: `acceptRequest` checks it.
  requireHostHeader: false,
} as const;

/** Headers of a request at most. Node would leave out those past its own limit without a word. */
const MAX_HEADERS = 100;

/** Oldest version of TLS, whatever options Node was started with (RFC 8996). */
const MIN_TLS_VERSION = 'TLSv1.2';

/** Connections that wait to be taken, at most: Node's 511 are too few when all come back at once. */
const BACKLOG = 4_096;

/** Time, in ms, for a TLS handshake. */
const HANDSHAKE_MS = 10_000;

/** Creates the server for an endpoint table. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { log, observeRequest, authenticator, limits } = options;
  const inFlight = new InFlightRequests(options);
  authenticator.onInvalid((apiKeyId) => {
    inFlight.rejectKey(apiKeyId);
  });
  let document: object | null = null;
  // Made at its first use: it takes a sixth of a start.
  const documentOf = (): object => (document ??= createDocument(options.endpoints));
  const rows = [...options.endpoints, documentEndpoint(documentOf), ...(options.pages ?? [])];
  const eventStreams = new EventStreams();
  const route = createRouting(rows, { ...options, eventStreams }, new Map([['/swagger-ui', loadedWhenAsked(log)]]));
  const state: ServerState = {
    inFlight,
    corsOrigins: options.corsOrigins,
    clients: new Clients(options.clients),
    eventStreams,
    deadlineMs: limits.deadlineMs,
    draining: false,
    connections: new Set(),
  };
  const server = serverFor(options.tls, (request, exchange) => {
    if (acceptRequest(state, request, exchange)) route(request, exchange);
  });
  server.on(
    'clientError',
    createClientErrorHandler({ log, observeRequest, requestOn: (socket) => inFlight.requestOn(socket) }),
  );
  server.maxConnections = options.clients.allConnections || Infinity;
  server.on('connection', (socket: Socket) => {
    state.clients.connect(socket);
  });
  server.on(options.tls ? 'secureConnection' : 'connection', (socket: Duplex) => {
    state.connections.add(socket);
    socket.once('close', () => {
      state.connections.delete(socket);
      inFlight.connectionClosed(socket);
    });
  });
  return {
    server,
    get document() {
      return documentOf();
    },
    eventStreams,
    listen: (port, host) => listen(server, { port, host, backlog: BACKLOG }),
    close: (graceMs) => close(server, state, graceMs),
  };
}

type Listener = (request: IncomingMessage, exchange: Exchange) => void;

/** Swagger-ui, loaded at its first request: Express, which it needs, takes a tenth of a start. */
function loadedWhenAsked(log: RequestLog): Listener {
  let loading: Promise<Listener> | null = null;
  return (request, exchange) => {
    loading ??= import('./swagger-ui.ts').then(({ swaggerUi }) => swaggerUi());
    loading
      .then((handle) => {
        if (!exchange.settled) handle(request, exchange);
      })
      .catch((error: unknown) => {
        sendError(exchange, error, log);
      });
  };
}

function serverFor(tls: HttpServerOptions['tls'], listener: Listener): Server {
  const options = { ...SERVER_LIMITS, ServerResponse: Exchange };
  const server = tls
    ? createTlsServer({ ...options, ...tls, minVersion: MIN_TLS_VERSION, handshakeTimeout: HANDSHAKE_MS }, listener)
    : createServer(options, listener);
  server.maxHeadersCount = 0;
  // With `Expect: 100-continue`, a request is refused before its body is sent.
  server.on('checkContinue', (request, exchange) => {
    exchange.awaitsContinue = true;
    listener(request, exchange);
  });
  server.on('checkExpectation', (request, exchange) => {
    exchange.awaitsContinue = true;
    exchange.unmetExpectation = true;
    listener(request, exchange);
  });
  return server;
}

interface ServerState {
  readonly inFlight: InFlightRequests;
  readonly corsOrigins: readonly string[] | '*';
  readonly clients: Clients;
  readonly eventStreams: EventStreams;
  readonly deadlineMs: number;
  draining: boolean;
  readonly connections: Set<Duplex>;
}

/** Initializes the exchange of a new request; false when the request was refused and must not be routed. */
function acceptRequest(state: ServerState, request: IncomingMessage, exchange: Exchange): boolean {
  const { headers } = request;
  exchange.requestId = requestIdOf(headers['x-request-id']);
  exchange.arrivedAt = Date.now();
  exchange.deadline = exchange.arrivedAt + state.deadlineMs;
  exchange.startedAt = performance.now();
  exchange.dueAt = exchange.startedAt + state.deadlineMs;
  exchange.hasBody = hasBody(headers);
  const { address, client } = state.clients.find(request);
  exchange.remoteAddress = address;
  exchange.client = client;
  if (headers.origin !== undefined) exchange.allowOrigin = allowedOrigin(state.corsOrigins, headers.origin);
  exchange.variesByOrigin = state.corsOrigins !== '*' && state.corsOrigins.length > 0;
  if (state.draining) exchange.shouldKeepAlive = false;
  state.inFlight.add(exchange);
  const problem = client?.takeRequest() ?? findProblem(request, exchange);
  if (problem) sendProblem(exchange, problem);
  return !problem;
}

function findProblem(request: IncomingMessage, exchange: Exchange): Problem | null {
  if (exchange.unmetExpectation) return new Problem('EXPECTATION_FAILED', 'Only 100-continue can be expected.');
  if (request.rawHeaders.length > 2 * MAX_HEADERS) {
    return new Problem('HEADERS_TOO_LARGE', `A request may have ${MAX_HEADERS} headers at most.`);
  }
  const lacksHost = request.headers.host === undefined && request.httpVersion === '1.1';
  return lacksHost ? invalidProblem('The Host header is missing.', '#/header/Host') : null;
}

function allowedOrigin(allowed: readonly string[] | '*', origin: string): string | null {
  if (allowed === '*') return '*';
  return allowed.includes(origin) ? origin : null;
}

function listen(server: Server, at: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address);
      else reject(new TypeError('not listening on a port'));
    });
  });
}

async function close(server: Server, state: ServerState, graceMs: number): Promise<void> {
  state.draining = true;
  state.inFlight.stopKeepAlive();
  state.eventStreams.endAll();
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  // Connections whose response had begun become idle only later; those without any request so far Node does not count
  // as idle.
  const idle = setInterval(() => {
    const busy = state.inFlight.connections();
    for (const connection of state.connections) if (!busy.has(connection)) connection.destroy();
  }, IDLE_CHECK_MS);
  const grace = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
  state.inFlight.stop();
}

const IDLE_CHECK_MS = 50;

/** How often, in ms, overdue requests are looked for: one timer for all of them. */
const CHECK_EVERY_MS = 200;

/** Status in log and metrics of requests whose client left before the response, as in nginx; never sent. */
const CLIENT_GONE_STATUS = 499;

/** The requests in flight: ends those that are overdue or whose key was revoked, and logs each one at its end. */
class InFlightRequests {
  readonly #open = new Set<Exchange>();
  /** Those among them that came while an earlier one of their connection was being answered. */
  readonly #pipelined = new Set<Exchange>();
  readonly #log: RequestLog;
  readonly #observe: HttpServerOptions['observeRequest'];
  readonly #timer: NodeJS.Timeout;
  readonly #closed: (this: Exchange) => void;

  constructor({ log, observeRequest }: HttpServerOptions) {
    this.#log = log;
    this.#observe = observeRequest;
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
    if (exchange.socket === null) this.#pipelined.add(exchange);
  }

  /** Ends the pipelined requests of a connection: those whose turn never came hear nothing of its end from Node. */
  connectionClosed(socket: object): void {
    for (const exchange of this.#pipelined) if (exchange.req.socket === socket) exchange.destroy().emit('close');
  }

  /** Answers every request with a key 401, or cuts off the response that is being sent. */
  rejectKey(apiKeyId: string): void {
    for (const exchange of this.#open) {
      if (exchange.caller?.apiKeyId !== apiKeyId || exchange.revokesOwnKey) continue;
      if (exchange.settled) {
        if (!exchange.writableEnded) exchange.req.socket.destroy();
      } else sendError(exchange, unauthenticatedProblem(), this.#log);
      abandon(exchange);
    }
  }

  /** The request that is arriving on a connection, or else the last one whose response is not finished. */
  requestOn(socket: object): Exchange | undefined {
    let last: Exchange | undefined;
    for (const exchange of this.#open) if (exchange.req.socket === socket) last = exchange;
    return last;
  }

  /** The connections with a request whose response is not finished. */
  connections(): ReadonlySet<object> {
    return new Set(Array.from(this.#open, ({ req }) => req.socket));
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
      if (exchange.settled) exchange.req.socket.destroy();
      else {
        sendError(exchange, overdueProblem(exchange), this.#log);
        abandon(exchange);
      }
    }
  }

  #finish(exchange: Exchange): void {
    if (!this.#open.delete(exchange)) return;
    this.#pipelined.delete(exchange);
    exchange.settled = true;
    if (exchange.streams) exchange.client?.endStream();
    if (!exchange.writableFinished) abandon(exchange);
    const milliseconds = performance.now() - exchange.startedAt;
    const status = exchange.headersSent ? exchange.statusCode : CLIENT_GONE_STATUS;
    // How long readers stay says nothing of how quickly they were answered.
    const answered = exchange.streamingSince === 0 ? milliseconds : exchange.streamingSince - exchange.startedAt;
    this.#observe(exchange.route, status, answered / 1000);
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

function overdueProblem(exchange: Exchange): Problem {
  if (exchange.readingBody) return new Problem('REQUEST_TIMEOUT', 'The body did not arrive in time.');
  return unavailableProblem('The request could not be answered in time. What it asked for may still happen.');
}
