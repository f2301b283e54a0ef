import { Router } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from './endpoint.ts';
import { Exchange, pathOf } from './exchange.ts';
import { handleRequest, routeOf, type RequestServices } from './handle-request.ts';
import type { RawPathParameters } from './parameters.ts';
import { Problem, invalidProblem } from './problems.ts';
import { sendEmpty, sendProblem } from './respond.ts';

type RequestHandler = (request: IncomingMessage, exchange: Exchange) => void;

/** An Express router, typed for Node's requests and responses: it needs no more. */
interface NodeRouter {
  handle(request: IncomingMessage, response: ServerResponse, done: (error?: unknown) => void): void;
}

const PREFIX = '/api/v1/';

/**
 * Creates the router of an endpoint table. There is one `express.Router()` for each path without parameters and one per
 * resource for all others, found by one look-up by path and one by the first segment after `/api/v1/` (else the first
 * of all): so the size of the table costs nothing, and a path without parameters wins wherever its row is. `others`
 * handle the paths below other first segments.
 */
export function createRouting(
  rows: readonly Endpoint[],
  services: RequestServices,
  others: ReadonlyMap<string, RequestHandler>,
): RequestHandler {
  const routers = new Map<string, NodeRouter>();
  for (const [key, group] of groupBy(rows, keyOf)) routers.set(key, { handle: routerOf(group, services) });
  return (request, exchange) => {
    const path = pathOf(request);
    const resource = resourceOf(path);
    const literal = path.endsWith('/') ? path.slice(0, -1) : path;
    const router = routers.get(literal) ?? routers.get(`${resource}/`);
    if (router) router.handle(request, exchange, (error) => handleUnmatched(exchange, error));
    else (others.get(resource) ?? sendNotFound)(request, exchange);
  };
}

/** Key of a row's router: the path itself when it has no parameters, else its resource with a slash. */
function keyOf({ path }: Endpoint): string {
  return path.includes('{') ? `${resourceOf(path)}/` : path;
}

/** `/api/v1/laps` for `/api/v1/laps/paged`, `/cdn` for `/cdn/LOGO/a.png`. */
function resourceOf(path: string): string {
  const end = path.indexOf('/', path.startsWith(PREFIX) ? PREFIX.length : 1);
  return end < 0 ? path : path.slice(0, end);
}

function groupBy(rows: readonly Endpoint[], by: (row: Endpoint) => string): Map<string, Endpoint[]> {
  const groups = new Map<string, Endpoint[]>();
  for (const row of rows) {
    const group = groups.get(by(row));
    if (group) group.push(row);
    else groups.set(by(row), [row]);
  }
  return groups;
}

function routerOf(rows: readonly Endpoint[], services: RequestServices): Router {
  const router = Router({ caseSensitive: true });
  for (const [path, group] of groupBy(rows, (row) => row.path)) {
    const route = router.route(patternOf(path));
    for (const row of group) route[verbOf(row)](requestHandler(row, services));
    route.all(otherMethods(group));
  }
  return router;
}

/** `/laps/{lapId}` in the router's notation. */
function patternOf(path: string): string {
  return path.replace(/\{(\w+)\*\}/g, '*$1').replace(/\{(\w+)\}/g, ':$1');
}

const VERBS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;

function verbOf(row: Endpoint): 'get' | 'post' | 'patch' | 'delete' {
  return VERBS[row.method];
}

function requestHandler(row: Endpoint, services: RequestServices) {
  const route = routeOf(row, services);
  return (request: IncomingMessage & { readonly params: RawPathParameters }, response: ServerResponse): void => {
    void handleRequest(exchangeOf(response), route, request.params);
  };
}

/** OPTIONS and 405 for a path of the table. */
function otherMethods(rows: readonly Endpoint[]) {
  const methods = new Set(rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  const Allow = [...methods, 'OPTIONS'].join(', ');
  return (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = exchangeOf(response);
    if (request.method === 'OPTIONS') sendEmpty(exchange, 204, { Allow, ...preflight(exchange, Allow) });
    else sendProblem(exchange, new Problem('METHOD_NOT_ALLOWED', `This takes ${Allow}.`, { headers: { Allow } }));
  };
}

/** Headers that scripts of other origins may send. */
const ALLOWED_HEADERS = 'Content-Type, X-API-Key, X-Request-Id, Idempotency-Key, If-Match, If-None-Match, Prefer';
const PREFLIGHT_SECONDS = '600';

function preflight({ allowOrigin, req }: Exchange, methods: string): Readonly<Record<string, string>> {
  if (allowOrigin === null || req.headers['access-control-request-method'] === undefined) return {};
  return {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  };
}

/**
 * Answers a request for which a router has found nothing. A router fails for one reason only: bad percent-encoding in
 * the path.
 */
function handleUnmatched(exchange: Exchange, error: unknown): void {
  if (error === undefined || error === null) sendNotFound(exchange.req, exchange);
  else sendProblem(exchange, invalidProblem('The path has a bad percent-encoding.', '#/path'));
}

function sendNotFound(_request: IncomingMessage, exchange: Exchange): void {
  sendProblem(exchange, new Problem('NOT_FOUND', 'There is nothing at this path.'));
}

function exchangeOf(response: ServerResponse): Exchange {
  if (response instanceof Exchange) return response;
  throw new TypeError('the response is no Exchange: createHttpServer has not made this server');
}
