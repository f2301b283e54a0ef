import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../domain/roles.ts';
import { qualitiesOf } from './compression.ts';
import type { Endpoint, EndpointResponse, UploadedFile } from './endpoint.ts';
import type { EventStreams } from './event-stream.ts';
import type { FairTurns } from './fair-turns.ts';
import { API, parseBody, ParsedRequest, parseHead, requestRules } from './parameters.ts';
import type { RequestBody, RequestHead } from './parameters.ts';
import { invalidProblem, Problem, unauthenticatedProblem } from './problems.ts';
import { parseJson, readJson, type JsonLimits } from './read-body.ts';
import {
  bufferedResponse,
  JSON_TYPE,
  pathOf,
  sendBuffered,
  sendEmpty,
  sendError,
  sendProblem,
  waitingOf,
} from './respond.ts';
import type { Exchange, RequestHandler, RequestLog, RouteSeries } from './respond.ts';
import { noBodies, sendBytes, sendComputed, sendInCoding, sendList, type ComputedBodies } from './send-response.ts';
import { receiveUpload } from './upload.ts';

/** Path parameters by name, percent-decoded; those of `{name*}` have their slashes. */
type PathParameters = Readonly<Record<string, string>>;

type PathRoutes = ReturnType<typeof pathRoutes>;

/**
 * Creates the routing of an endpoint table. `others` handle the paths below other first segments. A path without
 * parameters is found by one look-up; the others by the first segment after `/api/v1/` (else the first of all), and then
 * one after the other, so that the size of the table costs nothing.
 */
export function createRouting(
  rows: readonly Endpoint[],
  services: RequestServices,
  others: ReadonlyMap<string, RequestHandler>,
): RequestHandler {
  const plain = new Map<string, PathRoutes>();
  const templates = new Map<string, PathRoutes[]>();
  const bodies = noBodies();
  for (const path of new Set(rows.map((row) => row.path))) {
    const sharing = rows.filter((row) => row.path === path).map((row) => routeOf(row, services, bodies));
    const routes = pathRoutes(path, sharing);
    if (!path.includes('{')) plain.set(path, routes);
    else templates.set(resourceOf(path), [...(templates.get(resourceOf(path)) ?? []), routes]);
  }
  return (request, exchange) => {
    const path = pathOf(request);
    // A slash at the end makes no difference.
    const found = plain.get(path) ?? (path.endsWith('/') ? plain.get(path.slice(0, -1)) : undefined);
    if (found !== undefined) {
      routeTo(found, exchange, [], services);
      return;
    }
    const resource = resourceOf(path);
    const sent = path.split('/');
    for (const routes of templates.get(resource) ?? []) {
      if (!fits(routes, sent)) continue;
      routeTo(routes, exchange, sent, services);
      return;
    }
    const other = others.get(resource);
    if (other === undefined) sendNotFound(exchange, services);
    else other(request, exchange);
  };
}

/** `/api/v1/laps` for `/api/v1/laps/paged`, `/cdn` for `/cdn/LOGO/a.png`. */
function resourceOf(path: string): string {
  const end = path.indexOf('/', path.startsWith(API) ? API.length : 1);
  return end < 0 ? path : path.slice(0, end);
}

function pathRoutes(path: string, routes: readonly Route[]) {
  const names = path.split('/').map((segment) => /^\{(\w+)(\*?)\}$/.exec(segment));
  const restAt = names.findIndex((name) => name?.[2] === '*');
  const byMethod = new Map(routes.map((route) => [route.row.method as string, route]));
  const read = byMethod.get('GET');
  const methods = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  if (read !== undefined) byMethod.set('HEAD', read);
  return {
    byMethod,
    /** The methods, for `Allow`. */
    methods: [...methods, 'OPTIONS'].join(', '),
    /** What each segment of the path must be; null: a parameter. */
    segments: path.split('/').map((segment, at) => (names[at] === null ? segment : null)),
    parameters: names.flatMap((name, at) => (name === null ? [] : [[name[1] ?? '', at] as const])),
    /** The segment from which on `{name*}` takes the rest, slashes included; null: none does. */
    restAt: restAt < 0 ? null : restAt,
  };
}

/** Whether the segments of a path fit a path with parameters, with a slash at the end or without. */
function fits({ segments, restAt }: PathRoutes, sent: readonly string[]): boolean {
  const isEnded = sent.length === segments.length || (sent.length === segments.length + 1 && sent.at(-1) === '');
  if (restAt === null ? !isEnded : sent.length < segments.length) return false;
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at];
    if (segment === null ? sent[at] === '' : segment !== sent[at]) return false;
  }
  return true;
}

/** @throws {URIError} for a bad percent-encoding */
function parametersIn({ parameters, restAt }: PathRoutes, sent: readonly string[]): PathParameters {
  const values: Record<string, string> = {};
  for (const [name, at] of parameters) {
    const text = at === restAt ? sent.slice(at).join('/') : (sent[at] ?? '');
    values[name] = text.includes('%') ? decodeURIComponent(text) : text;
  }
  return values;
}

const NO_PARAMETERS: PathParameters = {};

function routeTo(routes: PathRoutes, exchange: Exchange, sent: readonly string[], services: RequestServices): void {
  const route = routes.byMethod.get(exchange.req.method ?? '');
  if (route === undefined) {
    sendOtherMethod(exchange, routes.methods);
    return;
  }
  try {
    void handleRequest(exchange, route, routes.parameters.length === 0 ? NO_PARAMETERS : parametersIn(routes, sent));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    sendNothing(exchange, invalidProblem('The path has a bad percent-encoding.', '#/path'), services);
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

/** The answer at a path where there is nothing. */
export function sendNotFound(exchange: Exchange, services: Pick<RequestServices, 'notFoundPage'>): void {
  sendNothing(exchange, new Problem('NOT_FOUND', 'There is nothing at this path.'), services);
}

/** Says that there is nothing: to browsers on a page, to all others by a problem. */
function sendNothing(
  exchange: Exchange,
  problem: Problem,
  { notFoundPage = null }: Pick<RequestServices, 'notFoundPage'>,
): void {
  if (notFoundPage !== null && asksForPage(exchange.req)) sendBuffered(exchange, bufferedResponse(notFoundPage));
  else sendProblem(exchange, problem);
}

/** Paths of programs: what is not there is a problem document, whoever asks. */
const PROGRAM_PATHS = /^\/(?:api|actuator)(?:\/|$)/;

/** Whether a browser asks for a page: it names HTML, and likes no JSON better. */
function asksForPage(request: IncomingMessage): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (PROGRAM_PATHS.test(pathOf(request))) return false;
  const asked = qualitiesOf(request.headers.accept ?? '');
  const json = Math.max(asked.get(JSON_TYPE) ?? 0, asked.get('application/problem+json') ?? 0);
  const html = asked.get('text/html') ?? 0;
  return html > 0 && html >= json;
}

export interface RequestServices {
  /** What browsers get where there is nothing; null: a problem document, as all others do. */
  readonly notFoundPage?: Extract<EndpointResponse, { kind: 'text' }> | null;
  readonly authenticator: Authenticator;
  /** What admits callers (null: no valid key) to an endpoint. It throws a {Problem}: 401, 403. */
  readonly admission: (endpoint: Endpoint) => (caller: Caller | null) => void;
  readonly log: RequestLog;
  /** The series of a route: `GET /api/v1/laps/{lapId}` or `* unmatched`. */
  readonly seriesOf: (route: string) => RouteSeries;
  readonly limits: JsonLimits & {
    readonly uploadLimitBytes: number;
    /** Time, in ms from arrival, after which a request without a response is answered 503. */
    readonly requestDeadlineMs: number;
  };
  /** For the temporary files of uploads, which lose their names as soon as they are open. Created if missing. */
  readonly uploadDirectory: string;
  /** Runs what may visit many documents, in turns. */
  readonly longReads: FairTurns;
  readonly largeBodies: FairTurns;
  readonly eventStreams: EventStreams;
}

type Route = ReturnType<typeof routeOf>;

function routeOf(row: Endpoint, services: RequestServices, bodies: ComputedBodies) {
  const label = `${row.method} ${row.path}`;
  return {
    row,
    rules: requestRules(row),
    label,
    series: services.seriesOf(label),
    // Responses that need a key are not for caches: to a cache, requests with different keys look alike.
    cacheControl: row.access === 'public' ? null : 'no-store',
    admit: services.admission(row),
    services,
    bodies,
  };
}

/** Authenticator: finds the caller of a token. Implemented by `src/service/access`. */
export interface Authenticator {
  /**
   * The caller behind a token, or null when it is unknown, revoked, or of a disabled or expired licence. Returns no
   * promise whenever it can: a promise costs every request. May throw {StoreUnavailable}.
   */
  authenticate(token: string): Caller | null | Promise<Caller | null>;
  /** Calls `listener` with each key that has changed and which of its tokens have ended, as soon as this process knows. */
  onInvalid(listener: (apiKeyId: string, hasEnded: (token: string) => boolean) => void): void;
}

/**
 * Handles a request from its route to its response, in the order 401, 403, path, query and headers, body, handler.
 * Awaits only promises: each needless await costs a request about 2 % of its CPU.
 */
async function handleRequest(exchange: Exchange, route: Route, pathParameters: PathParameters): Promise<void> {
  const { row, services } = route;
  exchange.route = route.label;
  exchange.series = route.series;
  exchange.cacheControl = route.cacheControl;
  exchange.failsAsText = row.upload !== undefined;
  try {
    const caller = identify(exchange, route);
    exchange.caller = caller instanceof Promise ? await caller : caller;
    // To a shared cache, requests with and without a key look alike.
    if (exchange.caller !== null) exchange.cacheControl = 'no-store';
    if (row.access !== 'public') route.admit(exchange.caller);
    const head = parseHead(exchange, route.rules, pathParameters);
    exchange.revokesOwnKey = row.revokes !== undefined && pathParameters[row.revokes] === exchange.caller?.apiKeyId;
    if (row.upload) {
      await handleUpload(exchange, route, head);
      return;
    }
    const sent = row.body === undefined ? NO_BODY : await receiveJson(exchange, row, services);
    const response = runHandler(exchange, route, { request: new ParsedRequest(exchange, head, sent) });
    const sending = send(exchange, response instanceof Promise ? await response : response, route);
    if (sending) await sending;
  } catch (error) {
    sendError(exchange, error, services.log);
  }
}

const NO_BODY: RequestBody = { json: null, body: undefined };

/** Bytes from which on a body is parsed in a turn: decoding and parsing takes a millisecond for 100,000. */
const LARGE_BODY_BYTES = 16_384;

/** @throws {Problem} 400, 413, 415; 503 when too many large bodies wait */
async function receiveJson(exchange: Exchange, row: Endpoint, { limits, largeBodies }: RequestServices) {
  const isLeftOut = row.bodyOptional === true && !exchange.hasBody;
  const bytes = isLeftOut ? EMPTY_OBJECT : await readJson(exchange, limits.bodyLimitBytes);
  if (bytes.length < LARGE_BODY_BYTES) return parsedBody(row, bytes, limits);
  const { address, signal } = waitingOf(exchange);
  return largeBodies.run({ address, signal }, async () => parsedBody(row, bytes, limits));
}

const EMPTY_OBJECT = Buffer.from('{}');

/** @throws {Problem} 400, 413 */
function parsedBody(row: Endpoint, bytes: Buffer, limits: JsonLimits): RequestBody {
  if (!isUtf8(bytes)) throw invalidProblem('The body is not UTF-8.', '#');
  const json = parseJson(bytes.toString('utf8'), row.describedBody ? null : limits.bodyDepthLimit);
  return { json, body: row.body && parseBody(row.body, json) };
}

async function handleUpload(exchange: Exchange, route: Route, head: RequestHead): Promise<void> {
  const { row, services } = route;
  const upload = await receiveUpload(exchange, row, services);
  try {
    // The time that the file took to arrive does not count; the handler's time begins here.
    exchange.dueAt = performance.now() + services.limits.requestDeadlineMs;
    exchange.deadline = Date.now() + services.limits.requestDeadlineMs;
    const { json, file } = upload;
    const body = row.body && parseBody(row.body, json);
    const request = new ParsedRequest(exchange, head, { json, body });
    await send(exchange, await runHandler(exchange, route, { request, file }), route);
  } finally {
    await upload.release();
  }
}

/** The response of the handler; null when nobody waits for one any more. */
function runHandler(
  exchange: Exchange,
  route: Route,
  { request, file }: { readonly request: ParsedRequest; readonly file?: UploadedFile },
): EndpointResponse | Promise<EndpointResponse> | null {
  const { row, services } = route;
  // The key may have been revoked, the deadline passed or the client left while the body arrived.
  if (exchange.settled) return null;
  if (row.events !== undefined) services.eventStreams.begin(exchange, row.isReplay?.(request.query) === true);
  if (row.cost) exchange.client?.consume(row.cost(request.body) - 1, exchange.keyAccounts);
  return row.handle(request, file);
}

/** Sends the response of a handler; returns no promise where there is nothing to wait for, as one costs every request. */
function send(exchange: Exchange, response: EndpointResponse | null, { services, bodies }: Route) {
  if (response === null) return null;
  const { log, eventStreams, longReads } = services;
  switch (response.kind) {
    case 'list':
      return sendList(exchange, response, services);
    case 'computed':
      return sendComputed(exchange, response, { bodies, longReads });
    case 'stream':
      return sendBytes(exchange, response, log);
    case 'events':
      eventStreams.send(exchange, response);
      return null;
    case 'empty':
      sendEmpty(exchange, response.status, response.headers);
      return null;
    case 'resource':
      sendBuffered(exchange, bufferedResponse(response));
      return null;
    default:
      return sendInCoding(exchange, bufferedResponse(response), response.kind === 'text' ? response.coded : undefined);
  }
}

/** The caller behind the key of a request; null for a public endpoint without a valid key. */
function identify(exchange: Exchange, { row, services }: Route): Caller | null | Promise<Caller | null> {
  const token = exchange.req.headers['x-api-key'];
  if (typeof token !== 'string' || token === '') {
    if (row.access === 'public') return null;
    throw unauthenticatedProblem();
  }
  const found = services.authenticator.authenticate(token);
  if (!(found instanceof Promise)) return exchange.client === null ? found : countKey(exchange, row, found);
  if (!row.keyless) return found.then((caller) => countKey(exchange, row, caller));
  // Not awaited: health is asked for just when a store is away.
  found.catch(() => undefined);
  return countKey(exchange, row, null);
}

/**
 * Counts the request for its key. Where no key is needed, one that is not looked at any more counts as none.
 * @throws {Problem} 429
 */
function countKey(exchange: Exchange, { access }: Endpoint, caller: Caller | null): Caller | null {
  const { client } = exchange;
  if (client === null) return caller;
  const problem = client.consumeKey(caller === null ? null : caller.apiKeyId);
  if (problem !== null && access === 'public') return null;
  if (problem !== null) throw problem;
  if (caller !== null) exchange.keyAccounts = client.consumeKeyRequest(caller.apiKeyId);
  return caller;
}
