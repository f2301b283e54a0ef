import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server as PlainServer } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import { basePathOf, belowPath, firstSegmentOf } from './base-path.ts';
import { createClientErrorHandler } from './client-errors.ts';
import { createClients, type ClientLimits } from './clients.ts';
import type { Endpoint } from './endpoint.ts';
import { EventStreams, type EventStreamLimits } from './event-stream.ts';
import { createRouting, sendNotFound, type RequestServices } from './handle-request.ts';
import { InFlightRequests, type InFlightOptions } from './in-flight.ts';
import { createDocument, documentEndpoint } from './openapi.ts';
import { Exchange, sendError, type RequestHandler } from './respond.ts';
import { UPLOAD_MS } from './upload.ts';

export interface HttpServerOptions extends Omit<RequestServices, 'eventStreams'>, Pick<InFlightOptions, 'corsOrigins'> {
  readonly endpoints: readonly Endpoint[];
  /** Endpoints that are not part of the interface, and so not in its document: pages for people. */
  readonly pages?: readonly Endpoint[];
  /** `maxConnections`: of all clients; 0: no limit. */
  readonly limits: RequestServices['limits'] & ClientLimits & EventStreamLimits & { readonly maxConnections: number };
  /** Address at which clients reach the service, perhaps below a path; null: that of each request. */
  readonly publicUrl: string | null;
  /** Certificate and key (PEM) for https; null: http. */
  readonly tls: { readonly cert: string | Buffer; readonly key: string | Buffer } | null;
}

type Server = PlainServer<typeof IncomingMessage, typeof Exchange> | TlsServer<typeof IncomingMessage, typeof Exchange>;

/** Limits of time (ms) and size (bytes) of an arriving request, against clients that send slowly or without end. */
const SERVER_LIMITS = {
  headersTimeout: 15_000,
  requestTimeout: UPLOAD_MS,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  insecureHTTPParser: false,
  // Node's own refusal would lack our headers: `InFlightRequests` checks it.
  requireHostHeader: false,
} as const;

/** Oldest version of TLS, whatever options Node was started with (RFC 8996). */
const MIN_TLS_VERSION = 'TLSv1.2';

/** Most connections that wait to be accepted: Node's 511 are too few when all clients come back at once. */
const BACKLOG = 4_096;

const HANDSHAKE_MS = 10_000;

const SWAGGER_UI = '/swagger-ui';

export function createHttpServer(options: HttpServerOptions) {
  const { log, authenticator, limits } = options;
  const clients = createClients(limits, log);
  const inFlight = new InFlightRequests({ ...options, clients });
  authenticator.onInvalid((apiKeyId, hasEnded) => inFlight.rejectKey(apiKeyId, hasEnded));
  let document: object | null = null;
  // Made at its first use: it takes a sixth of a start.
  const documentOf = (): object => (document ??= createDocument(options.endpoints, options.publicUrl));
  const rows = [...options.endpoints, documentEndpoint(documentOf), ...(options.pages ?? [])];
  const eventStreams = new EventStreams(limits, log);
  const route = createRouting(rows, { ...options, eventStreams }, new Map([[SWAGGER_UI, loadedWhenAsked(options)]]));
  const ownPaths = new Set([
    SWAGGER_UI,
    ...rows.map(({ path }) => firstSegmentOf(path)).filter((path) => path !== '/'),
  ]);
  const listener = belowPath(basePathOf(options.publicUrl), ownPaths, inFlight.listener(route));
  const server = serverFor(options.tls, listener);
  server.on('clientError', createClientErrorHandler(options, inFlight));
  server.maxConnections = limits.maxConnections || Infinity;
  server.on('connection', (socket: Socket) => clients.connect(socket));
  server.on(options.tls ? 'secureConnection' : 'connection', (socket: Socket) => inFlight.connected(socket));
  return {
    server,
    get document() {
      return documentOf();
    },
    eventStreams,
    listen: (port: number, host: string) => listen(server, { port, host, backlog: BACKLOG }),
    /** Lets requests in flight finish, and destroys the remaining connections after `graceMs`. */
    async close(graceMs: number): Promise<void> {
      const stop = inFlight.drain();
      eventStreams.endAll();
      const grace = setTimeout(() => server.closeAllConnections(), graceMs);
      await new Promise<void>((resolve) => void server.close(() => resolve()));
      clearTimeout(grace);
      stop();
    },
  };
}

/** Swagger-ui, loaded at its first request: Express, which it needs, takes a tenth of a start. */
function loadedWhenAsked(options: Pick<HttpServerOptions, 'log' | 'publicUrl' | 'notFoundPage'>): RequestHandler {
  const basePath = basePathOf(options.publicUrl);
  let loading: Promise<RequestHandler> | null = null;
  return (request, exchange) => {
    loading ??= import('./swagger-ui.ts').then(({ swaggerUi }) =>
      swaggerUi(basePath, (missed) => sendNotFound(missed, options)),
    );
    loading
      .then((handle) => {
        if (!exchange.settled) handle(request, exchange);
      })
      .catch((error: unknown) => sendError(exchange, error, options.log));
  };
}

function serverFor(tls: HttpServerOptions['tls'], listener: RequestHandler): Server {
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

/** What `createHttpServer` makes. */
export type HttpServer = Readonly<ReturnType<typeof createHttpServer>>;

/** @throws the error of the server, such as EADDRINUSE */
async function listen(server: Server, at: ListenOptions): Promise<AddressInfo> {
  server.listen(at);
  await once(server, 'listening');
  const address = server.address();
  if (address !== null && typeof address === 'object') return address;
  throw new TypeError('not listening on a port');
}
