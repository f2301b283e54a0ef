import express, { Router, type Express } from 'express';
import { basePathOf, firstSegmentOf } from './base-path.ts';
import type { Clients } from './clients.ts';
import { METHODS, type Endpoint } from './endpoint.ts';
import type { EventStreams } from './event-stream.ts';
import type { FairTurns } from './fair-turns.ts';
import type { JsonLimits } from './json-body.ts';
import { admit, type Admission } from './middleware/admit.ts';
import { authenticate, type Authenticator } from './middleware/authenticate.ts';
import { basePath } from './middleware/base-path.ts';
import { body } from './middleware/body.ts';
import { client } from './middleware/client.ts';
import { cors } from './middleware/cors.ts';
import { deadline } from './middleware/deadline.ts';
import { expectations } from './middleware/expectations.ts';
import { handle, handleUpload } from './middleware/handle.ts';
import { matched } from './middleware/matched.ts';
import { notFound, type NotFoundPage } from './middleware/not-found.ts';
import { otherMethods } from './middleware/other-methods.ts';
import { parameters } from './middleware/parameters.ts';
import { problems } from './middleware/problems.ts';
import { quota } from './middleware/quota.ts';
import { yieldToRigs } from './middleware/yield-to-rigs.ts';
import { requestId } from './middleware/request-id.ts';
import { requestLog } from './middleware/request-log.ts';
import { standardHeaders } from './middleware/standard-headers.ts';
import { SWAGGER_UI, swaggerUi } from './middleware/swagger-ui.ts';
import { upload } from './middleware/upload.ts';
import type { OpenRequests } from './open-requests.ts';
import { API } from './parameters.ts';
import type { RequestLog } from './problem-responses.ts';
import type { SeriesOf } from './request-counts.ts';
import { createSender, type Send } from './responses/send.ts';

/** Dependencies of the application. */
export interface AppOptions {
  readonly authenticator: Authenticator;
  readonly admission: Admission;
  readonly log: RequestLog;
  readonly seriesOf: SeriesOf;
  readonly limits: JsonLimits & {
    readonly uploadLimitBytes: number;
    /** Time, in ms from arrival, after which a request without a response is answered 503. */
    readonly requestDeadlineMs: number;
  };
  /** Origins that browsers may call from, or `*`; none: no CORS headers. */
  readonly corsOrigins: readonly string[] | '*';
  /** Address at which clients reach the service, perhaps below a path; null: that of each request. */
  readonly publicUrl: string | null;
  /** The page that browsers get where there is nothing; null: a problem document, as all other clients get. */
  readonly notFoundPage?: NotFoundPage;
  /** Directory of the temporary files of uploads, which are unlinked as soon as they are open. Created if missing. */
  readonly uploadDirectory: string;
  /** Runs what may visit many documents, in turns. */
  readonly longReads: FairTurns;
  /** Parses large bodies, in turns. */
  readonly largeBodies: FairTurns;
  readonly clients: Clients;
  readonly openRequests: OpenRequests;
  readonly eventStreams: EventStreams;
}

/** The Express application: what happens to every request, in this order, and then the endpoints of the table. */
export function createApp(endpoints: readonly Endpoint[], options: AppOptions): Express {
  const { clients, corsOrigins, limits, log, notFoundPage = null, openRequests, publicUrl, seriesOf } = options;
  const path = basePathOf(publicUrl);
  const resources = byResource(endpoints);
  const send = createSender(options);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // handlers and `etags.ts` make them
  app.enable('case sensitive routing');
  app.set('query parser', false); // `parameters` reads queries, more strictly

  if (path !== '') app.use(basePath(path, new Set([SWAGGER_UI, ...resources.keys()].map(firstSegmentOf))));
  app.use(requestId); // X-Request-Id, the client's or ours
  app.use(deadline(openRequests, limits.requestDeadlineMs)); // 503, or 408, when the response takes too long
  app.use(requestLog(openRequests, log, seriesOf)); // one line, and one count, for each request
  app.use(standardHeaders); // API-Version, nosniff, …
  app.use(cors(corsOrigins)); // for scripts of other origins
  app.use(client(clients)); // whose request it is: its address, or the one behind a trusted proxy
  app.use(quota); // 429, before anything is looked at
  app.use(expectations); // 400, 417, 431 for malformed or unsupported request headers
  app.use(yieldToRigs(recordedByRigs(endpoints))); // requests other than laps share 5 ms of each turn of the event loop

  // Tried one after the other, in the order of the table: laps come first.
  for (const [resource, ofResource] of resources) app.use(resource, routerOf(resource, ofResource, options, send));
  app.use(SWAGGER_UI, swaggerUi(path, seriesOf)); // the API document for people

  app.use(notFound(notFoundPage)); // 404
  app.use(problems(log, notFoundPage)); // whatever was thrown, as problem+json
  return app;
}

/** Paths at which rigs record. */
function recordedByRigs(endpoints: readonly Endpoint[]): ReadonlySet<string> {
  const recording = endpoints.filter((endpoint) => endpoint.method === 'POST' && endpoint.forRigs === true);
  return new Set(recording.map((endpoint) => endpoint.path));
}

/** The endpoints of one resource. */
function routerOf(resource: string, endpoints: readonly Endpoint[], options: AppOptions, send: Send): Router {
  const router = Router({ caseSensitive: true });
  for (const path of inOrder(endpoints)) {
    const ofPath = endpoints.filter((endpoint) => endpoint.path === path);
    const route = router.route(patternOf(path.slice(resource.length)));
    for (const endpoint of ofPath) {
      const method = METHODS[endpoint.method];
      route[method](matched(endpoint, options.seriesOf)); // what log and metrics call it
      route[method](authenticate(endpoint, options.authenticator)); // 401: X-API-Key
      if (endpoint.access !== 'public') route[method](admit(endpoint, options.admission)); // 403: its role
      route[method](parameters(endpoint)); // 400: path, query, headers
      if (endpoint.upload !== undefined) {
        route[method](...upload(endpoint, endpoint.upload, options)); // multer: 400, 413, 507
        route[method](handleUpload(endpoint, options.eventStreams, send));
        continue;
      }
      if (endpoint.body !== undefined) route[method](body(endpoint, options.limits, options.largeBodies)); // 400, 413, 415
      route[method](handle(endpoint, options.eventStreams, send)); // the handler of the endpoint, and its response
    }
    route.all(otherMethods(ofPath)); // 405, OPTIONS
    route.all(problems(options.log, options.notFoundPage ?? null)); // here, too: an error need not pass all other routes
  }
  return router;
}

/** The endpoints by resource: `/api/v1/laps` for `/api/v1/laps/paged`, `/cdn` for `/cdn/{type}/{name*}`. */
function byResource(endpoints: readonly Endpoint[]): ReadonlyMap<string, readonly Endpoint[]> {
  const resources = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    const end = endpoint.path.indexOf('/', endpoint.path.startsWith(API) ? API.length : 1);
    const resource = end < 0 ? endpoint.path : endpoint.path.slice(0, end);
    resources.set(resource, [...(resources.get(resource) ?? []), endpoint]);
  }
  return resources;
}

/** The paths, those without parameters first. */
function inOrder(endpoints: readonly Endpoint[]): readonly string[] {
  const paths = [...new Set(endpoints.map((endpoint) => endpoint.path))];
  const hasParameters = (path: string): boolean => path.includes('{');
  return [...paths.filter((path) => !hasParameters(path)), ...paths.filter(hasParameters)];
}

/** A path of the table as Express writes it: `/:lapId` for `/{lapId}`, `/*name` for `/{name*}`. */
function patternOf(path: string): string {
  const pattern = path.replaceAll(/\{(\w+)\*\}/g, '*$1').replaceAll(/\{(\w+)\}/g, ':$1');
  return pattern === '' ? '/' : pattern;
}
