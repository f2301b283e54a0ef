import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, ListenOptions, Socket } from 'node:net';
import type { Express } from 'express';
import { createApp, type AppOptions } from './app.ts';
import { createClientErrorHandler } from './client-errors.ts';
import { createClients, type ClientLimits } from './clients.ts';
import type { Endpoint } from './endpoint.ts';
import { EventStreams, type EventStreamLimits } from './event-stream.ts';
import { messagesOf } from './messages.ts';
import { UPLOAD_MS } from './middleware/upload.ts';
import { OpenRequests } from './open-requests.ts';
import { createDocument, documentEndpoint } from './openapi.ts';

export interface HttpServerOptions extends Omit<AppOptions, 'clients' | 'openRequests' | 'eventStreams'> {
  readonly endpoints: readonly Endpoint[];
  /** Endpoints that are not part of the interface, and so not in its document: pages for people. */
  readonly pages?: readonly Endpoint[];
  /** `maxConnections`: of all clients; 0: no limit. */
  readonly limits: AppOptions['limits'] & ClientLimits & EventStreamLimits & { readonly maxConnections: number };
  /** Certificate and key (PEM) for https; null: http. */
  readonly tls: { readonly cert: string | Buffer; readonly key: string | Buffer } | null;
}

/** Limits of time (ms) and size (bytes) of an arriving request, against clients that send slowly or without end. */
const SERVER_LIMITS = {
  headersTimeout: 15_000,
  requestTimeout: UPLOAD_MS,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  insecureHTTPParser: false,
  // Node's own refusal would lack our headers: `expectations` checks it.
  requireHostHeader: false,
} as const;

/** Oldest version of TLS, whatever options Node was started with (RFC 8996). */
const MIN_TLS_VERSION = 'TLSv1.2';

/** Most connections that wait to be accepted: Node's 511 are too few when all clients come back at once. */
const BACKLOG = 4_096;

const HANDSHAKE_MS = 10_000;

/** Creates the server: the Express application, and all that Express knows nothing of, below a request. */
export function createHttpServer(options: HttpServerOptions) {
  const { authenticator, limits, log, seriesOf, tls } = options;
  const clients = createClients(limits, log);
  const openRequests = new OpenRequests(log);
  authenticator.onInvalid((apiKeyId, hasEnded) => openRequests.rejectKey(apiKeyId, hasEnded));
  let document: object | null = null;
  // Made at its first use: it takes a sixth of a start.
  const documentOf = (): object => (document ??= createDocument(options.endpoints, options.publicUrl));
  const endpoints = [...options.endpoints, documentEndpoint(documentOf), ...(options.pages ?? [])];
  const eventStreams = new EventStreams(limits, log);
  const app = createApp(endpoints, { ...options, clients, openRequests, eventStreams });
  const server = serverFor(app, tls);
  server.on('clientError', createClientErrorHandler(log, seriesOf, openRequests));
  server.maxConnections = limits.maxConnections || Infinity;
  server.on('connection', (socket: Socket) => clients.connect(socket));
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => openRequests.connected(socket));
  return {
    server,
    get document() {
      return documentOf();
    },
    eventStreams,
    listen: (port: number, host: string) => listen(server, { port, host, backlog: BACKLOG }),
    /** Lets requests in flight finish, and destroys the remaining connections after `graceMs`. */
    async close(graceMs: number): Promise<void> {
      const stop = openRequests.drain();
      eventStreams.endAll();
      const grace = setTimeout(() => server.closeAllConnections(), graceMs);
      await new Promise<void>((resolve) => void server.close(() => resolve()));
      clearTimeout(grace);
      stop();
    },
  };
}

function serverFor(app: Express, tls: HttpServerOptions['tls']) {
  const options = { ...SERVER_LIMITS, ...messagesOf(app) };
  const server = tls
    ? createTlsServer({ ...options, ...tls, minVersion: MIN_TLS_VERSION, handshakeTimeout: HANDSHAKE_MS }, app)
    : createServer(options, app);
  server.maxHeadersCount = 0;
  // With `Expect: 100-continue`, a request is refused before its body is sent.
  server.on('checkContinue', (request, response) => {
    response.expectation = 'continue';
    app(request, response);
  });
  server.on('checkExpectation', (request, response) => {
    response.expectation = 'other';
    app(request, response);
  });
  return server;
}

type Server = ReturnType<typeof serverFor>;

/** The server that `createHttpServer` creates. */
export type HttpServer = Readonly<ReturnType<typeof createHttpServer>>;

/** @throws the error of the server, such as EADDRINUSE */
async function listen(server: Server, at: ListenOptions): Promise<AddressInfo> {
  server.listen(at);
  await once(server, 'listening');
  const address = server.address();
  if (address !== null && typeof address === 'object') return address;
  throw new TypeError('not listening on a port');
}
