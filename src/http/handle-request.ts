import { includesRole, type Caller } from '../domain/roles.ts';
import { featuresOf, type EndpointResponse, type Endpoint, type Feature } from './endpoint.ts';
import { etagOf } from './etag.ts';
import type { Exchange } from './exchange.ts';
import { unauthenticatedProblem } from './in-flight.ts';
import { readJson } from './read-body.ts';
import { parseBody, parseRequest, type MutableRequest, type RawPathParameters } from './parameters.ts';
import { Problem } from './problems.ts';
import {
  sendError,
  JSON_TYPE,
  sendBuffered,
  sendEmpty,
  TEXT_TYPE,
  type ErrorLog,
  type BufferedResponse,
} from './respond.ts';
import { discard, sendBytes, sendList } from './stream.ts';
import { receiveUpload } from './upload.ts';

/** Services and limits that all requests share. */
export interface RequestServices {
  readonly authenticator: Authenticator;
  readonly log: ErrorLog;
  /** Limits: bytes of a JSON body, its levels of nesting, bytes of an uploaded file. */
  readonly jsonBytes: number;
  readonly jsonLevels: number;
  readonly uploadBytes: number;
  readonly uploadDirectory: string;
  /** Time, in ms, that a request may take. */
  readonly deadlineMs: number;
}

/** A row of the endpoint table, with values that are computed from it once. */
export interface Route {
  readonly row: Endpoint;
  readonly label: string;
  readonly features: ReadonlySet<Feature>;
  readonly queryNames: ReadonlySet<string>;
  readonly cacheControl: string | null;
  readonly services: RequestServices;
}

/** Makes the route of a row. */
export function routeOf(row: Endpoint, services: RequestServices): Route {
  return {
    row,
    label: `${row.method} ${row.path}`,
    features: new Set(featuresOf(row)),
    queryNames: new Set(Object.keys(row.query?.shape ?? {})),
    // Responses that need a key are not for caches: to a cache, requests with different keys look alike.
    cacheControl: row.access === 'public' ? null : 'no-store',
    services,
  };
}

/** Authenticator: finds the caller of a token. Implemented by `src/auth`. */
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
export async function handleRequest(
  exchange: Exchange,
  route: Route,
  pathParameters: RawPathParameters,
): Promise<void> {
  const { row, services } = route;
  exchange.route = route.label;
  exchange.cacheControl = route.cacheControl;
  exchange.failsAsText = row.upload !== undefined;
  try {
    const caller = identify(exchange, row, services.authenticator);
    exchange.caller = caller instanceof Promise ? await caller : caller;
    authorize(row, exchange.caller);
    // To a shared cache, requests with and without a key look alike.
    if (exchange.caller !== null) exchange.cacheControl = 'no-store';
    const request = parseRequest(exchange, route, pathParameters);
    if (row.upload) await handleUpload(exchange, route, request);
    else {
      if (row.body) {
        request.json = await readJson(exchange, services);
        request.body = parseBody(row.body, request.json);
      }
      const handled = runHandler(exchange, route, request);
      if (handled) await handled;
    }
  } catch (error) {
    sendError(exchange, error, services.log);
  }
}

async function handleUpload(exchange: Exchange, route: Route, request: MutableRequest): Promise<void> {
  const { row, services } = route;
  const upload = await receiveUpload(exchange, row, services);
  try {
    // The time that the file took to arrive does not count; the handler's time begins here.
    exchange.dueAt = performance.now() + services.deadlineMs;
    request.deadline = Date.now() + services.deadlineMs;
    request.json = upload.json;
    request.file = upload.file;
    if (row.body) request.body = parseBody(row.body, upload.json);
    await runHandler(exchange, route, request);
  } finally {
    await upload.release();
  }
}

function runHandler(exchange: Exchange, { row, services }: Route, request: MutableRequest): Promise<void> | null {
  // The key may have been revoked, the deadline passed or the client left while the body arrived.
  if (exchange.settled) return null;
  const response = row.handle(request);
  if (response instanceof Promise)
    return response.then((resolved) => sendResponse(exchange, resolved, services.log) ?? undefined);
  return sendResponse(exchange, response, services.log);
}

/** The caller; for a public endpoint without a key, or with one that is not valid, null. */
function identify(
  exchange: Exchange,
  row: Endpoint,
  authenticator: Authenticator,
): Caller | null | Promise<Caller | null> {
  if (row.keyless) return null;
  const token = exchange.req.headers['x-api-key'];
  if (typeof token === 'string' && token !== '') return authenticator.authenticate(token);
  if (row.access === 'public') return null;
  throw unauthenticatedProblem();
}

function authorize({ access, method, forRigs }: Endpoint, caller: Caller | null): void {
  if (access === 'public') return;
  if (!caller) throw unauthenticatedProblem();
  if (caller.ofRigOnly) {
    if (forRigs === true || (method === 'GET' && includesRole(caller.role, access))) return;
    throw new Problem('RIG_SCOPE', 'This is not for the key of a rig.');
  }
  if (includesRole(caller.role, access)) return;
  throw new Problem('FORBIDDEN', `This needs a key of role ${access} or higher.`);
}

function sendResponse(exchange: Exchange, response: EndpointResponse, log: ErrorLog): Promise<void> | null {
  switch (response.kind) {
    case 'list':
      return exchange.settled ? discard(response.batches) : sendList(exchange, response.batches, log);
    case 'stream':
      return exchange.settled ? discard(response.content) : sendBytes(exchange, response, log);
    case 'empty':
      sendEmpty(exchange, response.status, response.headers);
      return null;
    default:
      sendBuffered(exchange, bufferedResponse(response));
      return null;
  }
}

function bufferedResponse(
  response: Extract<EndpointResponse, { kind: 'resource' | 'json' | 'text' }>,
): BufferedResponse {
  const { kind, status, headers } = response;
  const contentType = headers?.['Content-Type'] ?? (kind === 'text' ? TEXT_TYPE : JSON_TYPE);
  const body = kind === 'text' ? response.body : JSON.stringify(response.body);
  const etag = kind === 'resource' ? etagOf(response.revision, body) : headers?.ETag;
  return { status, contentType, body, headers, etag };
}
