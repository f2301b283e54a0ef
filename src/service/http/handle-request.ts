import type { IncomingMessage } from 'node:http';
import type { Caller } from '../domain/roles.ts';
import { featuresOf, type Endpoint, type Feature, type UploadedFile } from './endpoint.ts';
import type { EventStreams } from './event-stream.ts';
import { type Exchange, sendEmpty, sendError, type RequestLog, pathOf, sendProblem } from './respond.ts';
import { noBodies, sendResponse, type ResponseServices } from './send-response.ts';
import { unauthenticatedProblem, Problem, invalidProblem } from './problems.ts';
import { readJson, requireStorable, type JsonLimits } from './read-body.ts';
import { parseBody, ParsedRequest, parseHead, type RequestBody, type RequestHead } from './parameters.ts';
import { API, resourceOf, RouteTable, type Match, type PathParameters } from './route-table.ts';
import { receiveUpload } from './upload.ts';

type RequestHandler = (request: IncomingMessage, exchange: Exchange) => void;

/** The routes of a path by method, and what it answers to other methods. */
interface PathRoutes {
  readonly byMethod: ReadonlyMap<string, Route>;
  /** The methods, for `Allow`. */
  readonly methods: string;
}

/** Creates the routing of an endpoint table. `others` handle the paths below other first segments. */
export function createRouting(
  rows: readonly Endpoint[],
  services: RequestServices,
  others: ReadonlyMap<string, RequestHandler>,
): RequestHandler {
  const table = new RouteTable<PathRoutes>();
  const { log, eventStreams } = services;
  const sending = { log, eventStreams, bodies: noBodies() };
  for (const path of new Set(rows.map((row) => row.path))) {
    table.add(path, pathRoutes(rows.filter((row) => row.path === path).map((row) => routeOf(row, services, sending))));
  }
  return (request, exchange) => {
    const path = pathOf(request);
    const match = table.find(path);
    if (match === null) (others.get(resourceOf(path)) ?? sendNotFound)(request, exchange);
    else routeTo(match, exchange);
  };
}

function pathRoutes(routes: readonly Route[]): PathRoutes {
  const byMethod = new Map(
    routes.flatMap((route) => {
      const { method } = route.row;
      const answers: readonly string[] = method === 'GET' ? ['GET', 'HEAD'] : [method];
      return answers.map((name) => [name, route] as const);
    }),
  );
  return { byMethod, methods: [...byMethod.keys(), 'OPTIONS'].join(', ') };
}

function routeTo({ value: { byMethod, methods }, parameters }: Match<PathRoutes>, exchange: Exchange): void {
  const { method = '' } = exchange.req;
  const route = byMethod.get(method);
  try {
    if (route !== undefined) void handleRequest(exchange, route, parameters());
    else sendOtherMethod(exchange, methods);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    sendProblem(exchange, invalidProblem('The path has a bad percent-encoding.', '#/path'));
  }
}

/** OPTIONS and 405 for a path of the table. */
function sendOtherMethod(exchange: Exchange, Allow: string): void {
  if (exchange.req.method === 'OPTIONS') sendEmpty(exchange, 204, { Allow, ...preflight(exchange, Allow) });
  else sendProblem(exchange, new Problem('METHOD_NOT_ALLOWED', `This takes ${Allow}.`, { headers: { Allow } }));
}

/** Headers that scripts of other origins may send. */
const ALLOWED_HEADERS =
  'Content-Type, X-API-Key, X-Request-Id, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer';
const PREFLIGHT_SECONDS = '600';

function preflight({ allowOrigin, req }: Exchange, methods: string): Readonly<Record<string, string>> {
  if (allowOrigin === null || req.headers['access-control-request-method'] === undefined) return {};
  return {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  };
}

function sendNotFound(_request: IncomingMessage, exchange: Exchange): void {
  sendProblem(exchange, new Problem('NOT_FOUND', 'There is nothing at this path.'));
}

/** Services and limits that all requests share. */
export interface RequestServices {
  readonly authenticator: Authenticator;
  /** Admits a caller (null: no valid key) to an endpoint. @throws {Problem} 401, 403 */
  readonly admit: (caller: Caller | null, endpoint: Endpoint) => void;
  readonly log: RequestLog;
  readonly limits: JsonLimits & {
    /** Most bytes of an uploaded file. */
    readonly uploadBytes: number;
    /** Time, in ms from arrival, after which a request without a response is answered 503. */
    readonly deadlineMs: number;
  };
  /**
   * Directory for the temporary files of uploads, which lose their names as soon as they are open. Created when
   * missing.
   */
  readonly uploadDirectory: string;
  /** The streams of events that are being sent. */
  readonly eventStreams: EventStreams;
}

/** A row of the endpoint table, with values that are computed from it once. */
interface Route {
  readonly row: Endpoint;
  readonly label: string;
  readonly features: ReadonlySet<Feature>;
  readonly readsHeaders: boolean;
  readonly queryNames: ReadonlySet<string>;
  readonly refusesOtherParameters: boolean;
  readonly cacheControl: string | null;
  readonly services: RequestServices;
  readonly sending: ResponseServices;
}

/** Makes the route of a row. */
function routeOf(row: Endpoint, services: RequestServices, sending: ResponseServices): Route {
  const features = new Set(featuresOf(row));
  return {
    row,
    label: `${row.method} ${row.path}`,
    features,
    readsHeaders: [...features].some((feature) => feature !== 'etag' && feature !== 'range'),
    queryNames: new Set(Object.keys(row.query?.shape ?? {})),
    // A filter that is ignored would answer with everybody's records; documents and files are asked for with `?v=1`.
    refusesOtherParameters: row.path.startsWith(API),
    // Responses that need a key are not for caches: to a cache, requests with different keys look alike.
    cacheControl: row.access === 'public' ? null : 'no-store',
    services,
    sending,
  };
}

/** Authenticator: finds the caller of a token. Implemented by `src/service/access`. */
export interface Authenticator {
  /**
   * The caller behind a token, or null when it is unknown, revoked, or of a disabled or expired licence. Returns no
   * promise whenever it can: a promise costs every request. May throw {StoreUnavailable}.
   */
  authenticate(token: string): Caller | null | Promise<Caller | null>;
  /** Calls `listener` with the id of each key that stops being valid, as soon as this process knows. */
  onInvalid(listener: (apiKeyId: string) => void): void;
}

/**
 * Handles a request from its route to its response, in the order 401, 403, path, query and headers, body, handler.
 * Awaits only promises: each needless await costs a request about 2 % of its CPU.
 */
async function handleRequest(exchange: Exchange, route: Route, pathParameters: PathParameters): Promise<void> {
  const { row, services } = route;
  exchange.route = route.label;
  exchange.cacheControl = route.cacheControl;
  exchange.failsAsText = row.upload !== undefined;
  try {
    const caller = identify(exchange, row, services.authenticator);
    exchange.caller = countKey(exchange, row, caller instanceof Promise ? await caller : caller);
    services.admit(exchange.caller, row);
    // To a shared cache, requests with and without a key look alike.
    if (exchange.caller !== null) exchange.cacheControl = 'no-store';
    const head = parseHead(exchange, route, pathParameters);
    exchange.revokesOwnKey = row.revokes !== undefined && pathParameters[row.revokes] === exchange.caller?.apiKeyId;
    if (row.upload) await handleUpload(exchange, route, head);
    else {
      const sent = row.body === undefined ? NO_BODY : await receiveJson(exchange, row, services.limits);
      const handled = runHandler(exchange, route, { request: new ParsedRequest(exchange, head, sent) });
      if (handled) await handled;
    }
  } catch (error) {
    sendError(exchange, error, services.log);
  }
}

const NO_BODY: RequestBody = { json: null, body: undefined };

/** @throws {Problem} 400, 413, 415 */
async function receiveJson(exchange: Exchange, row: Endpoint, limits: JsonLimits): Promise<RequestBody> {
  const json = row.bodyOptional === true && !exchange.hasBody ? {} : await readJson(exchange, limits);
  if (!row.describedBody) requireStorable(json, limits.jsonLevels);
  return { json, body: row.body && parseBody(row.body, json) };
}

async function handleUpload(exchange: Exchange, route: Route, head: RequestHead): Promise<void> {
  const { row, services } = route;
  const upload = await receiveUpload(exchange, row, { ...services, ...services.limits });
  try {
    // The time that the file took to arrive does not count; the handler's time begins here.
    exchange.dueAt = performance.now() + services.limits.deadlineMs;
    exchange.deadline = Date.now() + services.limits.deadlineMs;
    const { json, file } = upload;
    const body = row.body && parseBody(row.body, json);
    await runHandler(exchange, route, { request: new ParsedRequest(exchange, head, { json, body }), file });
  } finally {
    await upload.release();
  }
}

function runHandler(
  exchange: Exchange,
  { row, sending }: Route,
  { request, file }: { readonly request: ParsedRequest; readonly file?: UploadedFile },
): Promise<void> | null {
  // The key may have been revoked, the deadline passed or the client left while the body arrived.
  if (exchange.settled) return null;
  if (row.cost) exchange.client?.takeMore(row.cost(request.body) - 1, exchange.keyAccount);
  const response = row.handle(request, file);
  if (response instanceof Promise)
    return response.then((resolved) => sendResponse(exchange, resolved, sending) ?? undefined);
  return sendResponse(exchange, response, sending);
}

/** The caller; for a public endpoint without a key, or with one that is not valid, null. */
function identify(
  exchange: Exchange,
  row: Endpoint,
  authenticator: Authenticator,
): Caller | null | Promise<Caller | null> {
  const token = tokenOf(exchange);
  if (row.keyless) return token === null ? null : identifyIfPossible(token, authenticator);
  if (token !== null) return authenticator.authenticate(token);
  if (row.access === 'public') return null;
  throw unauthenticatedProblem();
}

function tokenOf({ req }: Exchange): string | null {
  const token = req.headers['x-api-key'];
  return typeof token === 'string' && token !== '' ? token : null;
}

/**
 * Counts the request for its key. Where no key is needed, one that is not looked at any more counts as none.
 * @throws {Problem} 429
 */
function countKey(exchange: Exchange, { access }: Endpoint, caller: Caller | null): Caller | null {
  const { client } = exchange;
  if (client === null || tokenOf(exchange) === null) return caller;
  const problem = client.takeKey(caller === null ? null : caller.apiKeyId);
  if (problem !== null && access === 'public') return null;
  if (problem !== null) throw problem;
  if (caller !== null) exchange.keyAccount = client.takeKeyRequest(caller.apiKeyId);
  return caller;
}

/** Without waiting for a store: health is asked for just when one is away. */
function identifyIfPossible(token: string, authenticator: Authenticator): Caller | null {
  const found = authenticator.authenticate(token);
  if (!(found instanceof Promise)) return found;
  found.catch(() => undefined); // Nobody waits for it.
  return null;
}
